"""Looking up among word vectors: the weights by distance and by dot product as bars, and their formulas."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter
from core.figures.n_grams.ngram import plain
from core.figures.palette import BLUE, VERMILLION
from core.figures.worked import distance, dot_product, made_by, number, word
from core.models.translation.kernel_smoothing import Lookup
from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product

ROW = 33  # pixels a key


def lookup_bars(words: Sequence[str], values: Sequence[str], near: Lookup, dot: Lookup) -> Figure:
    """Return each key's two weights as bars, the heaviest by dot product on top; values stand beside the keys."""
    order = np.argsort(dot.weights, kind="stable")
    figure = blank(max(200, 70 + ROW * len(words)), x="weight a")
    for name, found, colour in (
        ("softmax of q · k / b²", dot, VERMILLION),
        ("softmax of −|q − k|² / 2b²", near, BLUE),
    ):
        figure.add_trace(
            bar(
                x=found.weights[order],
                y=list(range(len(order))),
                name=name,
                orientation="h",
                marker_color=colour,
                hovertemplate="%{x:.6f}<extra></extra>",
            )
        )
    pairs = [tuple(f"{found.weights[i]:.4f}" for found in (near, dot)) for i in order]
    figure.add_trace(  # in type that is read from afar one number has room beside the two bars: mostly they agree
        scatter(
            x=np.maximum(near.weights, dot.weights)[order],
            y=list(range(len(order))),
            mode="text",
            text=["\u00a0" + ", ".join(dict.fromkeys(pair)) for pair in pairs],
            textposition="middle right",
            textfont={"size": FONT_SIZE},
            cliponaxis=False,
            hoverinfo="skip",
            showlegend=False,
        )
    )
    agree = all(one == other for one, other in pairs)
    ticks = [plain(f"{words[i]}: {values[i]}") for i in order]
    figure.update_yaxes(tickvals=list(range(len(order))), ticktext=ticks)
    figure.update_xaxes(range=[0, 1.02 * max(near.weights.max(), dot.weights.max())])
    figure.update_layout(barmode="group", bargap=0.05, legend={"traceorder": "reversed"})
    figure.update_layout(margin={"r": 66 if agree else 128})  # pixels of what stands beside the longest bar
    return figure


def _worked_weight(asked: str, key: str, found: Lookup, row: int) -> str:
    """Return a weight as its exponential over the sum of all, exponents less the largest: no quotient changes."""
    e = found.scores
    total = number(float(np.exp(e - e.max()).sum()))
    return (
        rf"a({word(asked)}, {word(key)}) = \frac{{e^{{e_i - m}}}}{{\sum_j e^{{e_j - m}}}} = "
        rf"\frac{{e^{{{number(e[row])} - ({number(e.max())})}}}}{{{total}}} = {number(found.weights[row])}"
        r",\qquad m = \max_j e_j"
    )


def worked_vector_lookup(
    query: np.ndarray,
    keys: np.ndarray,
    values: np.ndarray,
    asked: str,
    words: Sequence[str],
    bandwidth: float,
    near: Lookup,
    dot: Lookup,
    row: int,
    column: str,
) -> str | None:
    """Return the formula of one number of a key's row, filled in; None for a column that has none.

    `query` (d,) is the vector of the word `asked`, `keys` (N, d) those of `words`, `values` (N,) numbers or (N, d).
    """
    key, name, b = keys[row], words[row], number(bandwidth)
    by_distance, by_product = made_by(lookup_by_distance), made_by(lookup_by_dot_product)
    square, a = number(float(((query - key) ** 2).sum())), number(dot.weights[row])
    if column == "a · v":
        return rf"{by_product}a \cdot v = {a} \cdot ({number(values[row])}) = {number(dot.weights[row] * values[row])}"
    return {
        "|k|": rf"\lVert {word(name)} \rVert^2 = {dot_product(key, key)},\qquad "
        rf"\lVert {word(name)} \rVert = {number(float(np.linalg.norm(key)))}",
        "|q − k|²": rf"{by_distance}{distance(query, key, asked, name)},\qquad \text{{squared: }} {square}",
        "−|q − k|² / 2b²": rf"{by_distance}-\frac{{{square}}}{{2 \cdot {b}^2}} = {number(near.scores[row])}",
        "a by distance": by_distance + _worked_weight(asked, name, near, row),
        "q · k": rf"{by_product}{word(asked)} \cdot {word(name)} = {dot_product(query, key)}",
        "q · k / b²": rf"{by_product}\frac{{{number(float(query @ key))}}}{{{b}^2}} = {number(dot.scores[row])}",
        "a by dot product": by_product + _worked_weight(asked, name, dot, row),
    }.get(column)
