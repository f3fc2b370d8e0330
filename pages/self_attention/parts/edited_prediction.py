"""What an edited weight does: the row on sliders, the prediction, the head's output, before and after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.self_attention.head_effects import before_after, likeliest
from core.figures.self_attention.heads import weight_row
from core.figures.worked import number
from core.lesson.browser_view import browser_view
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.plain import plain
from core.models.self_attention.attention_edits import Edit, Effect
from core.models.self_attention.attentive_models import AttentiveModel, ReadText

Place = tuple[int, int, int]  # layer, head, query


def show_row(
    key: str, found: Effect, names: Sequence[str], place: Place, last: tuple[int, np.ndarray] | None
) -> None:
    """Draw one query's weights on sliders; `names` are those of the keys that it may see."""
    layer, head, t = place
    own, edited = (
        trace.layers[layer].attention.weights[head, t, : len(names)].numpy()
        for trace in (found.own, found.edited)
    )
    last = last and (last[0], last[1][: len(names)])
    browser_view("weight_row", weight_row(own, edited, names, *place, last), key, {"edit": None})


def show_prediction(lesson: str, found: Effect, names: Sequence[str], where: str) -> None:
    """Draw the likeliest tokens' probabilities before and after, and say how much moved in all."""
    tokens = likeliest(found.before, found.after)
    moved = f"{found.change:.1%} of the probability moved" if found.changed else "move a slider to change it"
    st.markdown(f"**{plain(where)}: {moved}**")
    show_figure(
        before_after(found.before[tokens], found.after[tokens], [names[i] for i in tokens], "p", 330),
        f"{lesson}_prediction",
        f"{where}: its probabilities, with the model's own weights and with the edited ones",
    )


def show_output(lesson: str, found: Effect, place: Place) -> None:
    """Draw the head's output vector before and after."""
    layer, head, t = place
    own, edited = (
        trace.layers[layer].attention.context[head, t].numpy() for trace in (found.own, found.edited)
    )
    st.header("What the head hands on", anchor=False)
    show_figure(
        before_after(own, edited, [str(i + 1) for i in range(len(own))], "output", 240),
        f"{lesson}_output",
        "The head's output vector, dimension by dimension, with its own weights and with the edited ones",
    )


def probability_table(lesson: str, found: Effect, names: Sequence[str]) -> None:
    """Show every token's probability before and after, the likeliest before first."""
    order = np.argsort(-found.before)
    before, after = found.before[order], found.after[order]
    table = pd.DataFrame(
        {"token": [names[i] for i in order], "p": before, "p edited": after, "p edited − p": after - before}
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in a difference, or the softmax that a probability is."""
        if column == "p edited − p":
            return rf"{number(after[row])} - {number(before[row])} = {number(after[row] - before[row])}"
        if column == "token":
            return None
        p, trace = (before, found.own) if column == "p" else (after, found.edited)
        logits = trace.logits[found.place].double()
        z, total = float(logits[order[row]]), float(logits.exp().sum())
        softmax = rf"\frac{{e^{{{number(z)}}}}}{{{number(total)}}} = {number(p[row])}"
        return rf"\frac{{e^{{z_i}}}}{{\sum_j e^{{z_j}}}} = {softmax}"

    every_number(lesson, "probabilities", table, formula)


def cells(
    model: AttentiveModel, read: ReadText, t: int, edits: Sequence[Edit], off: set[tuple[int, int]]
) -> list[str]:
    """Return the notebook's cells that edit the same weights and measure the same changes."""
    return [
        "from core.models.self_attention.attention_edits import effect, parse_edits\n"
        "from core.models.self_attention.attentive_models import attentive_model\n\n"
        f"model = attentive_model({model.name!r})\n"
        f"read = model.read({read.prompt.text!r}, most={len(read.ids)})",
        f"found = effect(model, read.ids, {t}, parse_edits({' '.join(map(str, edits))!r}), off={sorted(off)!r})\n"
        "print(found.change)\n"
        "for i in (-found.after).argsort()[:10]:\n"
        "    print(model.vocabulary[i], found.before[i], found.after[i])",
        f"from core.models.self_attention.ablation import removal_changes\n\nprint(removal_changes(model, read.ids, {t}))",
    ]
