"""The heads' contexts concatenated and projected, and a pair's score filled in: pure, numbers in, figure out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.figure import Figure, heatmap
from core.figures.n_grams.ngram import plain
from core.figures.palette import DIVERGING, GREY
from core.figures.self_attention.heads import names_of
from core.figures.self_attention.panels import panels
from core.figures.worked import dot_product, number, word
from core.models.self_attention.attention import AttentionTrace


def concatenated_and_projected(
    concatenated: np.ndarray, output: np.ndarray, heads: int, tokens: Sequence[str], height: int = 370
) -> Figure:
    """Return the heads' contexts side by side (T, C), bounds marked, and what W_o makes of them, (T, C)."""
    figure = panels(["the heads' contexts, side by side", "times W_o: the layer's output"], height)
    names, places = [plain(name) for name in names_of(tokens)], list(range(len(tokens)))
    C = concatenated.shape[1]
    for column, matrix in enumerate((concatenated, output), start=1):
        most = float(np.abs(matrix).max()) or 1.0
        figure.add_trace(
            heatmap(
                z=matrix,
                colorscale=DIVERGING,
                zmin=-most,
                zmax=most,
                showscale=False,
                hovertemplate="token %{y}, number %{x}: %{z:.4f}<extra></extra>",
            ),
            1,
            column,
        )
        shown = names if column == 1 else [""] * len(names)
        figure.update_yaxes(tickvals=places, ticktext=shown, autorange="reversed", row=1, col=column)
    for h in range(1, heads):
        figure.add_vline(x=h * C / heads - 0.5, line={"color": GREY, "width": 2}, row=1, col=1)
    return figure


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
