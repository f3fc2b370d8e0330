"""The heads' contexts concatenated and projected, and a pair's score filled in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.frame import matrices, panel
from core.figures.worked import dot_product, number, word
from core.models.self_attention.attention import AttentionTrace
from core.models.self_attention.growing_attention import Grown


def step_picture(found: Grown, place: int, names: Sequence[str]) -> dict:
    """Return the heat maps of the step at a place: one head's weights, then those of all heads, then the output."""
    if place < len(found.steps):
        return matrices([panel("", found.steps[place].trace.weights.numpy())], names, names)
    heads = found.together.heads.weights.numpy()  # (H, T, T)
    if place == len(found.steps):
        return matrices([panel(f"head {h + 1}", each) for h, each in enumerate(heads)], names, names)
    made, output = found.together.concatenated.numpy(), found.together.output.numpy()
    return concatenated_and_projected(made, output, len(heads), names)


def concatenated_and_projected(
    concatenated: np.ndarray, output: np.ndarray, heads: int, names: Sequence[str]
) -> dict:
    """Return the heads' contexts side by side (T, C), bounds marked, and what W_o makes of them, (T, C).

    >>> picture = concatenated_and_projected(np.ones((1, 4)), np.ones((1, 4)), 2, ["a"])
    >>> picture["panels"][0]["bounds"]
    [2.0]
    """
    bounds = [h * concatenated.shape[1] / heads for h in range(1, heads)]
    panels = [
        panel("the heads' contexts, side by side", concatenated, signed=True, bounds=bounds),
        panel("times W_o: the layer's output", output, signed=True),
    ]
    return matrices(panels, names, None)


SYMBOLS = {  # how each step writes its score of a pair
    "dot products": r"x_a \cdot x_b",
    "one learned matrix": r"(x_a W) \cdot (x_b W)",
    "query, key and value": r"(x_a W_q) \cdot (x_b W_k)",
    "scaled": r"(x_a W_q) \cdot (x_b W_k)",
}


def worked_pair(name: str, head: AttentionTrace, a: int, b: int, tokens: Sequence[str]) -> str:
    """Return the score and the weight of tokens a and b in one step, filled in."""
    ends = rf"a = {word(tokens[a])},\; b = {word(tokens[b])}\quad "
    if name not in SYMBOLS:
        return (
            ends + rf"w = \frac{{1}}{{T}} = \frac{{1}}{{{len(tokens)}}} = {number(float(head.weights[a, b]))}"
        )
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
    return rf"\begin{{aligned}}&{ends}{SYMBOLS[name]} =\\&{products}{root}\\[4pt]&{weight}\end{{aligned}}"
