"""A translation's attention as the linked heat map and lines, with the gold alignment where it is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import streamlit as st

from core.figures.alignment import attention_view
from core.figures.card import card
from core.figures.figure import Figure
from core.figures.translation import WORDS as FIGURES
from core.figures.translation.decoder_step import attention_heatmap
from core.lesson.choices.translator_choice import NAMED_AT_MOST, ChosenSentence, Task
from core.lesson.lesson import Lesson
from core.models.translation import alignment
from core.models.translation.alignment import Links, written_for
from core.models.translation.translate import Translated
from core.models.translation.translate import translated as translated  # the lessons import it from here
from pages.translation.shared import WORDS


def attention_card(made: Translated) -> Figure:
    """Return a translation's weights as a heat map of a card's size."""
    outputs = made.written
    figure = card(attention_heatmap(made.weights[: len(outputs)], outputs, made.inputs))
    return figure.update_xaxes(title="").update_yaxes(title="")


def sentence_written(task: Task, made: Translated) -> str:
    """Return a translation as the sentence it makes."""
    return task.write(made.written)


def gold_of(task: Task, sentence: ChosenSentence, made: Translated) -> Links:
    """Return the gold alignment of a sentence's translation, where it is right and known."""
    return alignment.gold_of(sentence.words, made.written, sentence.pair)


def say_unknown(task: Task, made: Translated) -> None:
    """Say what the model made of each input that it does not know: the outputs that look at it most."""
    known = made.translator.source.ids
    unknown = [s for s, word in enumerate(made.inputs) if word not in known]
    for s in unknown[:NAMED_AT_MOST]:
        written = [f"“{made.outputs[t]}”" for t in written_for(made.weights, s)]
        st.text(WORDS.label("unknown", name=made.input_names[s], written=written))


def show_attention(
    lesson: Lesson,
    task: Task,
    made: Translated,
    gold: Links,
    name: str = "view",
    steps: Sequence[int | None] | None = None,
    cell: tuple[int, int] | None = None,
    marked: Iterable[tuple[int, int]] = (),
    on: Mapping[str, Callable] | None = None,
    follows: dict | None = None,
    alt: str = "",
) -> None:
    """Draw the weights of all steps, or of `steps`, a row each; None among them leaves a row empty.

    `cell` (step, input) is looked at, `marked` ones are outlined; `on["cell"]` is told of a cell that is pinned.
    `follows` has what the view needs to look at the step that another view of the page shows; `alt` says what the picture
    is of.
    """
    steps = range(len(made.outputs)) if steps is None else steps
    if not len(steps):
        return
    lesson.set_values(**{f"written_{name}": sentence_written(task, made)})
    row_of = {t: row for row, t in enumerate(steps) if t is not None}
    empty = np.full(len(made.inputs), np.nan)

    def placed(links: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        return [(row_of[t], s) for t, s in links if t in row_of]

    data = attention_view(
        np.array([empty if t is None else made.weights[t] for t in steps]),
        ["" if t is None else made.outputs[t] for t in steps],
        made.input_names,
        gold=placed(gold),
        from_label=FIGURES.label("end.output", unit=task.unit),
        to_label=FIGURES.label("end.input", unit=task.unit),
        pinned=next(iter(placed([cell] if cell else [])), None),
        file=f"{lesson.name}_{name}",
        marked=placed(marked),
    )
    lesson.view("attention", data | (follows or {}), name, on, alt=alt)
