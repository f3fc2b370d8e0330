"""The selected cell of an attention heat map, pinned in the picture or chosen by output step and input word."""

from __future__ import annotations

from collections.abc import Sequence

from core.lesson.lab_words import LAB_WORDS
from core.lesson.lesson import Lesson

NOWHERE = -1  # Streamlit shows an empty list if the page sets it to None


def choose_pinned_cell(lesson: Lesson, cell: dict | None) -> None:
    """Copy a cell pinned in the view to the controls for step and input word; None deselects the input word."""
    lesson.set_state("input", None if cell is None else int(cell["input"]))
    if cell is not None:
        lesson.set_state("step", int(cell["output"]) + 1)


def choose_place(lesson: Lesson, name: str, label: str, words: Sequence[str], otherwise: str) -> int | None:
    """Draw the choice of one of the words; return its index, or None for the default, labelled `otherwise`."""
    place = lesson.get_state(name, NOWHERE)
    if not isinstance(place, int) or place >= len(words):
        # None set by the page, an index in a longer sentence, or a label of another sentence's list.
        lesson.set_state(name, NOWHERE)
    chosen = lesson.select(
        name,
        label,
        [NOWHERE, *range(len(words))],
        format_func=lambda i: f"{i + 1} {words[i]}" if 0 <= i < len(words) else otherwise,
    )
    return None if chosen == NOWHERE else chosen


def choose_input(lesson: Lesson, inputs: Sequence[str]) -> int | None:
    """Draw the choice of an input word; return its index, or None for the largest weight of each step (default)."""
    return choose_place(
        lesson, "input", LAB_WORDS.label("translate.input"), inputs, LAB_WORDS.label("translate.heaviest")
    )
