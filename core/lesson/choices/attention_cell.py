"""The cell of the attention view that a page looks at: pinned in the picture, or chosen by step and input word."""

from __future__ import annotations

from collections.abc import Sequence

from core.lesson.lesson import Lesson

NOWHERE = -1  # Streamlit leaves a list empty in which the page chooses None


def pin(lesson: Lesson, cell: dict | None) -> None:
    """Carry a cell that was pinned in the view over to the step and the input word that the address knows."""
    lesson.put("input", None if cell is None else int(cell["input"]))
    if cell is not None:
        lesson.put("step", int(cell["output"]) + 1)


def choose_place(lesson: Lesson, name: str, label: str, words: Sequence[str], otherwise: str) -> int | None:
    """Draw the choice of one of the words and return its index, or None for `otherwise`, which is chosen at first."""
    place = lesson.value(name, NOWHERE)
    if not isinstance(place, int) or place >= len(words):
        # Let go by the page (None), a place in a longer sentence, or a word of another sentence as the list named it.
        lesson.put(name, NOWHERE)
    chosen = lesson.select(
        name,
        label,
        [NOWHERE, *range(len(words))],
        format_func=lambda i: f"{i + 1} {words[i]}" if 0 <= i < len(words) else otherwise,
    )
    return None if chosen == NOWHERE else chosen


def choose_input(lesson: Lesson, inputs: Sequence[str]) -> int | None:
    """Draw the choice of an input word and return its index; None, at first, for each step's heaviest."""
    return choose_place(lesson, "input", "Input", inputs, "the heaviest")
