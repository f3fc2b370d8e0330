"""Pictures of attention as it grows: a matrix of scores, the layer's output, and the lab's steps."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from core.figures.frame import matrices, panel
from core.figures.worked import dot_product, number, word
from core.models.self_attention.attention import AttentionTrace
from core.models.self_attention.growing_attention import Grown
from core.words.numbers import signed
from pages.self_attention.growing_attention import LESSON
from pages.self_attention.shared.attention_pictures import vector_row

WORDS = LESSON.words
UNKNOWN = "?"  # a score that is still to come
SYMBOLS = {  # how each step writes its score of a pair
    "dot": r"x_a \cdot x_b",
    "one_matrix": r"(x_a W) \cdot (x_b W)",
    "query_key_value": r"(x_a W_q) \cdot (x_b W_k)",
    "scaled": r"(x_a W_q) \cdot (x_b W_k)",
}

# The story.


def draw_scores(
    tokens: Sequence[str], scores: np.ndarray, framed: Collection[tuple[int, int]], hidden: bool
) -> dict:
    """Return the data of the view "masked_scores": scores (T, T), the cells of `framed` framed.

    `hidden` leaves the half above the diagonal out.
    """
    T = len(tokens)
    least, most = float(scores.min()), float(scores.max())
    span = (most - least) or 1.0

    def cell(t: int, s: int) -> dict:
        unknown = hidden and s > t
        return {
            "text": UNKNOWN if unknown else signed(float(scores[t, s]), 1),
            "kind": "plain" if unknown else "seen",
            "shade": 0 if unknown else round((float(scores[t, s]) - least) / span, 3),
            "framed": (t, s) in framed,
        }

    return {
        "tokens": list(tokens),
        "axes": {"query": WORDS.label("axis.query"), "key": WORDS.label("axis.key")},
        "cells": [[cell(t, s) for s in range(T)] for t in range(T)],
        "row": None,
        "chosen": None,
        "side": None,
        "sum": "",
        "pick": False,
    }


def layer_rows(found: Grown, t: int) -> dict:
    """Return a token's way through the layer's end: every head's output side by side, times W_o, and the network's own."""
    together, H = found.together, len(found.together.heads.weights)
    vectors = {
        "concatenated": together.concatenated[t].numpy(),
        "ours": together.output[t].numpy(),
        "network": found.gathered[t].numpy(),
    }
    rows = []
    for name, vector in vectors.items():
        label, note = WORDS.label(f"layer.{name}"), WORDS.label(f"layer.{name}.note", heads=H, d=len(vector))
        most = float(np.abs(vector).max()) or 1.0
        row = vector_row(name, label, vector, most, note=note, kind="total" if name == "network" else "plain")
        rows.append(row | {"parts": H if name == "concatenated" else 1})
    return {"rows": rows, "sum": ""}


# The lab.


def step_picture(found: Grown, place: int, names: Sequence[str]) -> dict:
    """Return the heat maps of the step at a place: one head's weights, then those of all heads, then the output."""
    if place < len(found.steps):
        return matrices([panel("", found.steps[place].trace.weights.numpy())], names, names)
    heads = found.together.heads.weights.numpy()  # (H, T, T)
    if place == len(found.steps):
        titles = [WORDS.label("panel.head", head=h + 1) for h in range(len(heads))]
        return matrices([panel(title, each) for title, each in zip(titles, heads, strict=True)], names, names)
    made, output = found.together.concatenated.numpy(), found.together.output.numpy()
    return concatenated_and_projected(made, output, len(heads), names)


def concatenated_and_projected(
    concatenated: np.ndarray, output: np.ndarray, heads: int, names: Sequence[str]
) -> dict:
    """Return the heads' outputs side by side (T, C), bounds marked, and what W_o makes of them, (T, C).

    >>> picture = concatenated_and_projected(np.ones((1, 4)), np.ones((1, 4)), 2, ["a"])
    >>> picture["panels"][0]["bounds"]
    [2.0]
    """
    bounds = [h * concatenated.shape[1] / heads for h in range(1, heads)]
    panels = [
        panel(WORDS.label("panel.concatenated"), concatenated, signed=True, bounds=bounds),
        panel(WORDS.label("panel.output"), output, signed=True),
    ]
    return matrices(panels, names, None)


def worked_pair(name: str, head: AttentionTrace, a: int, b: int, tokens: Sequence[str]) -> str:
    """Return the score and the weight of tokens a and b in one step, filled in."""
    ends = rf"a = {word(tokens[a])},\; b = {word(tokens[b])}\quad "
    if name not in SYMBOLS:
        share = rf"\frac{{1}}{{T}} = \frac{{1}}{{{len(tokens)}}} = {number(float(head.weights[a, b]))}"
        return f"{ends}w = {share}"
    score, scaled = float(head.scores[a, b]), float(head.scaled[a, b])
    products = dot_product(head.query[a].numpy(), head.key[b].numpy(), terms=2)
    root = (
        rf"\quad \frac{{{number(score)}}}{{\sqrt{{{head.query.shape[1]}}}}} = {number(scaled)}"
        if name == "scaled"
        else ""
    )
    shift = float(head.shift[a, 0])
    less = rf" - {number(shift)}" if shift > 0 else rf" + {number(-shift)}" if shift else ""
    weight = (
        rf"w = \frac{{e^{{{number(scaled)}{less}}}}}{{\sum_j e^{{s_j{less}}}}} = "
        rf"\frac{{{number(float(head.exponentials[a, b]))}}}{{{number(float(head.row_sums[a, 0]))}}} = "
        rf"{number(float(head.weights[a, b]))}"
    )
    lines = [f"{ends}{SYMBOLS[name]} =", f"{products}{root}", weight]
    first, second, third = (f"&{line}" for line in lines)
    return rf"\begin{{aligned}}{first}\\{second}\\[4pt]{third}\end{{aligned}}"
