"""A translation's attention as the linked heat map and lines, with the gold alignment where it is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from core.figures.alignment import attention_view
from core.lesson.browser_view import browser_view
from core.models.translation.alignment import Links, misaligned
from core.models.translation.translate import greedy
from core.text.samples.dates import links_of
from pages.translation.parts.decoder_steps import Translated
from pages.translation.parts.translator_choice import Sentence, Task, Translator


def translated(translator: Translator, words: Sequence[str]) -> Translated:
    """Return the translation that takes the likeliest word at every step."""
    return Translated(translator, tuple(words), greedy(translator.model, translator.source.encode(words)))


def sentence_written(task: Task, made: Translated) -> str:
    """Return a translation as the sentence it makes."""
    return task.write(made.translator.target.decode(made.translation.words))


def gold_of(task: Task, sentence: Sentence, made: Translated) -> Links:
    """Return the gold alignment if what was written is the right translation, whose words it links; else none.

    It is known for a sentence that the grammar says, generated or typed, and for a date as one of the calendars
    writes it.
    """
    written = made.translator.target.decode(made.translation.words)
    if sentence.pair:
        return sentence.links if list(sentence.pair.target) == written else frozenset()
    return frozenset() if task.language else links_of(sentence.words, written)


def say_verdict(task: Task, sentence: Sentence, made: Translated) -> None:
    """Say whether a sentence was translated right and aligned right, where that is known, and whether it ended."""
    if not made.translation.finished:
        st.info(f"The model has written {len(made.outputs)} {task.unit}s and no <end>; it was stopped there.")
    gold = gold_of(task, sentence, made)
    if sentence.pair and not gold:
        st.text(f"✗ The right translation is: {task.write(sentence.pair.target)}")
    if not gold:
        return
    wrong = [made.outputs[t] for t in misaligned(made.weights, gold)]
    named = f" Heaviest on a wrong {task.unit} for: {', '.join(wrong)}." if wrong else ""
    aligned = len({t for t, _ in gold})
    st.text(f"✓ Right to the last {task.unit}. Aligned as gold: {aligned - len(wrong)} of {aligned}.{named}")


def show_attention(
    lesson: str,
    task: Task,
    made: Translated,
    gold: Links,
    name: str = "view",
    rows: int | None = None,
    cell: tuple[int, int] | None = None,
    marked: Iterable[tuple[int, int]] = (),
) -> None:
    """Draw the weights, or the first `rows` of them; `cell` (output, input) is looked at, `marked` ones outlined."""
    rows = len(made.outputs) if rows is None else rows
    if rows == 0:
        return
    data = attention_view(
        made.weights[:rows],
        made.outputs[:rows],
        made.input_names,
        gold={link for link in gold if link[0] < rows},
        from_label=f"output {task.unit}",
        to_label=f"input {task.unit}",
        pinned=cell if cell and cell[0] < rows else None,
        file=f"{lesson}_{name}",
        marked=[link for link in marked if link[0] < rows],
    )
    browser_view("attention", data, f"{lesson}_{name}", {"cell": None})
