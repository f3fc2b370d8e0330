"""One head's numbers: a guess where it looks, one pair from product to weight, a whole row, what breaking it costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.self_attention.heads import pair_figure, values_figure, worked_weight
from core.figures.worked import number
from core.lesson.break_it import consequence
from core.lesson.figure import show_figure
from core.lesson.predict_first import predict_first
from core.models.self_attention.attention import AttentionTrace
from core.models.self_attention.attentive_models import AttentiveModel, ReadText
from pages.self_attention.parts.opened_heads import OpenedHeads

ALIKE = "at all that it may see alike"


def where_it_looks(
    lesson: str, head: str, names: Sequence[str], t: int, weights: np.ndarray, about: str
) -> bool:
    """Ask which token query t looks at most, among those it might; return whether the answer may be shown."""
    heaviest = np.argsort(-weights, kind="stable")[:4].tolist()
    likely = [s for s in (0, t - 1, t) if s >= 0]
    places = sorted({*heaviest[:1], *likely, *heaviest})
    question = f"In {head}, at which token does “{names[t]}” (token {t + 1}) look most?"
    choices = [*(f"{s + 1} {names[s]}" for s in places), ALIKE]
    seen = weights[weights > 0]
    alike = len(seen) > 1 and np.ptp(seen) < 1e-6
    answer = ALIKE if alike else f"{heaviest[0] + 1} {names[heaviest[0]]}"
    return predict_first(lesson, question, choices, answer, about)


def pair_formulas(head: AttentionTrace, t: int, s: int) -> list[str]:
    """Return one pair's way from the dot product over the root to the weight, a formula a step, as LaTeX."""
    d = head.query.shape[-1]
    score, scaled = float(head.scores[t, s]), float(head.scaled[t, s])
    first = rf"q_{{{t + 1}}} \cdot k_{{{s + 1}}} = \sum_i q_i k_i = {number(score)}"
    if float(head.masked[t, s]) == -np.inf:
        return [first, r"\text{masked: the weight is 0}"]
    exponential, total, shift = (
        float(part) for part in (head.exponentials[t, s], head.row_sums[t, 0], head.shift[t, 0])
    )
    less = rf" - ({number(shift)})" if shift else ""
    return [
        first,
        rf"\frac{{{number(score)}}}{{\sqrt{{{d}}}}} = {number(score / sqrt(d))}",
        rf"w = \frac{{e^{{{number(scaled)}{less}}}}}{{\sum_j e^{{s_j{less}}}}} = "
        rf"\frac{{{number(exponential)}}}{{{number(total)}}} = {number(exponential / total)}",
    ]


def show_pair(lesson: str, head: AttentionTrace, t: int, s: int, names: Sequence[str]) -> None:
    """Draw how the score of one pair adds up, and what becomes of it."""
    st.header("One weight: a query times a key", anchor=False)
    formulas = pair_formulas(head, t, s)
    for column, formula in zip(st.columns([5, 3, 5][: len(formulas)]), formulas, strict=True):
        column.latex(formula)
    show_figure(
        pair_figure(head.query[t].numpy(), head.key[s].numpy(), names[t], names[s]),
        f"{lesson}_pair",
        f"The query of {names[t]} times the key of {names[s]}, dimension by dimension",
    )


def show_values(lesson: str, head: AttentionTrace, t: int, names: Sequence[str]) -> None:
    """Draw the values that a query takes, each times its weight, and their sum."""
    st.header("What the head hands on: values, weighed", anchor=False)
    st.markdown(
        "Each row is a token's value vector times its weight. The last row is their sum: the head's output."
    )
    show_figure(
        values_figure(head.weights[t].numpy(), head.value.numpy(), names),
        f"{lesson}_values",
        f"The value vectors that {names[t]} takes, each times its weight, and their sum",
    )


def row_numbers(
    head: AttentionTrace, t: int, names: Sequence[str]
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return query t's whole row, one line a key, and the function that fills in the formula of one number."""
    table = pd.DataFrame(
        {
            "place": range(1, len(names) + 1),
            "key": names,
            "q·k": head.scores[t].numpy(),
            "scaled": head.scaled[t].numpy(),
            "masked": np.where(np.isneginf(head.masked[t].numpy()), "−∞", ""),
            "e^": head.exponentials[t].numpy(),
            "weight": head.weights[t].numpy(),
            "length of w·v": head.weights[t].numpy() * np.linalg.norm(head.value.numpy(), axis=1),
        }
    )
    return table, lambda row, column: worked_weight(head, t, row, column)


def show_consequence(whole: OpenedHeads, broken: OpenedHeads) -> None:
    """Show what a head that looks everywhere alike does to the model on this text."""
    if whole.bits is not None:
        consequence("Bits per token of this text", whole.bits, broken.bits, ".3f", more_is_better=False)
        return
    lengths = np.linalg.norm(whole.vector) * np.linalg.norm(broken.vector)
    likeness = float(whole.vector @ broken.vector / lengths)
    consequence("Cosine of the text's vector with the whole model's", 1.0, likeness, ".4f")


def cells(model: AttentiveModel, read: ReadText, layer: int, head: int, t: int, s: int) -> list[str]:
    """Return the notebook's cells that compute one head's numbers again."""
    return [
        "from core.models.self_attention.attentive_models import attentive_model\n\n"
        f"model = attentive_model({model.name!r})\n"
        f"read = model.read({read.prompt.text!r}, most={len(read.ids)})\n"
        "trace = model.trace(read.ids)",
        f"heads = trace.layers[{layer}].attention  # all heads of the layer, H in front\n"
        f"print(read.tokens)\nprint(heads.weights[{head}, {t}])  # where token {t + 1} looks",
        f"q, k = heads.query[{head}, {t}], heads.key[{head}, {s}]\n"
        "print(q * k, (q * k).sum(), (q * k).sum() / len(q) ** 0.5)\n"
        f"print(heads.weights[{head}, {t}] @ heads.value[{head}])  # the head's output",
    ]
