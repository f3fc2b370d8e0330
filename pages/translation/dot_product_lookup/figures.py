"""Looking up among word vectors: bars of keys, a product of matrices, weights against weights; the lab's formulas."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, heatmap, scatter
from core.figures.layer_bars import make_panel, make_row
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, GREY, VERMILLION
from core.figures.worked import distance, dot_product, made_by, number, word
from core.models.translation.kernel_smoothing import Lookup
from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product
from core.words.numbers import signed
from pages.translation.dot_product_lookup import LESSON

WORDS = LESSON.words
ROW = 33  # pixels a key
OPAQUE = [[0.0, "#E4F1F9"], [1.0, BLUE]]  # plotly picks the ink of a cell's words by its colour alone

# The story.


def bar_panel(
    title: str,
    names: Sequence[str],
    values: Sequence[float],
    texts: Sequence[str],
    ends: tuple[float, float],
    hue: str = "blue",
    strong: Collection[str] = (),
) -> dict:
    """Return a panel of the view "layer_bars": a bar and its text for each key, those that are `strong` in full colour."""
    rows = [
        make_row(
            name,
            f"key.{name}",
            round(float(value), 5),
            text,
            kind="best" if name in strong else "plain",
            hue=hue,
        )
        for name, value, text in zip(names, values, texts, strict=True)
    ]
    return make_panel(title, ends[1], rows, least=ends[0])


def draw_product(
    scores: np.ndarray, keys: Sequence[str], queries: Sequence[str], legs: Sequence[str]
) -> Figure:
    """Return the scores (N, Q) of keys and queries as a heat map, the legs that each query gets above its column."""
    figure = blank(420, "", WORDS.label("axis.keys"))
    figure.add_trace(
        heatmap(
            z=scores.round(4).tolist(),
            zmin=0,
            zmax=1.1,
            colorscale=OPAQUE,
            showscale=False,
            text=[[signed(each) for each in row] for row in scores.tolist()],
            texttemplate="%{text}",
            textfont={"size": FONT_SIZE, "color": "black"},  # the colours are opaque in both themes
            hoverinfo="skip",
        )
    )
    names = [f"<b>{query}</b><br>{each}" for query, each in zip(queries, legs, strict=True)]
    figure.update_xaxes(tickvals=list(range(len(queries))), ticktext=names, side="top", tickangle=0)
    figure.update_yaxes(tickvals=list(range(len(keys))), ticktext=list(keys), autorange="reversed")
    return figure.update_xaxes(showgrid=False).update_yaxes(showgrid=False)


def draw_agreement(
    equal: tuple[Lookup, Lookup], trained: tuple[Lookup, Lookup], names: Sequence[str], named: Sequence[str]
) -> Figure:
    """Return each key's weight by dot product against its weight by distance: with length 1, and as trained."""
    figure = blank(420, WORDS.label("axis.near"), WORDS.label("axis.dot"))
    most = 0.55
    line = {"color": GREY, "dash": "dash", "width": 3}
    figure.add_trace(
        scatter(x=[0, most], y=[0, most], mode="lines", line=line, hoverinfo="skip", showlegend=False)
    )
    for (near, dot), colour, label in (
        (equal, BLUE, "series.equal"),
        (trained, VERMILLION, "series.trained"),
    ):
        figure.add_trace(
            scatter(
                x=near.weights.round(5).tolist(),
                y=dot.weights.round(5).tolist(),
                mode="markers",
                name=WORDS.label(label),
                marker={"color": colour, "size": 15, "line": {"width": 1.5, "color": "white"}},
                hoverinfo="skip",
            )
        )
    near, dot = trained
    for name in named:
        i = list(names).index(name)
        x, y = float(near.weights[i]), float(dot.weights[i])
        figure.add_annotation(
            x=x,
            y=y,
            text=f"<b>{name}: {x:.0%} → {y:.0%}</b>",
            font={"size": 18, "color": VERMILLION},
            showarrow=False,
            xanchor="left" if x < 0.1 else "right" if x > 0.35 else "center",
            yshift=-22 if y < x else 20,
        )
    ends = {"range": [-0.02, most], "tickformat": ".0%", "tickvals": [0, 0.1, 0.2, 0.3, 0.4, 0.5]}
    return figure.update_xaxes(**ends).update_yaxes(**ends)


# The lab.


def lookup_bars(words: Sequence[str], values: Sequence[str], near: Lookup, dot: Lookup) -> Figure:
    """Return each key's two weights as bars, the heaviest by dot product on top; values stand beside the keys."""
    order = np.argsort(dot.weights, kind="stable")
    figure = blank(max(200, 70 + ROW * len(words)), WORDS.label("axis.weight"), WORDS.label("axis.entries"))
    for label, found, colour in (("series.dot", dot, VERMILLION), ("series.near", near, BLUE)):
        figure.add_trace(
            bar(
                x=found.weights[order],
                y=list(range(len(order))),
                name=WORDS.label(label),
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
            orientation="h",  # as the bars: it is read as one of them
            mode="text",
            text=["\u00a0" + ", ".join(dict.fromkeys(pair)) for pair in pairs],
            textposition="middle right",
            textfont={"size": FONT_SIZE, "color": "black"},  # the colours are opaque in both themes
            cliponaxis=False,
            hoverinfo="skip",
            showlegend=False,
        )
    )
    agree = all(one == other for one, other in pairs)
    ticks = [escape_label(f"{words[i]}: {values[i]}") for i in order]
    figure.update_yaxes(tickvals=list(range(len(order))), ticktext=ticks)
    figure.update_xaxes(range=[0, 1.02 * max(near.weights.max(), dot.weights.max())])
    figure.update_layout(barmode="group", bargap=0.05, legend={"traceorder": "reversed"})
    figure.update_layout(margin={"r": 66 if agree else 128})  # pixels for the text at the longest bar
    return figure


def _worked_weight(asked: str, key: str, found: Lookup, row: int) -> str:
    """Return a weight as its exponential over the sum of all, exponents less the largest: no quotient changes."""
    e = found.scores
    total = number(float(np.exp(e - e.max()).sum()))
    power = rf"e^{{{number(e[row])} - ({number(e.max())})}}"
    formula, filled = _fraction("e^{e_i - m}", r"\sum_j e^{e_j - m}"), _fraction(power, total)
    weight = number(found.weights[row])
    return rf"a({word(asked)}, {word(key)}) = {formula} = {filled} = {weight},\qquad m = \max_j e_j"


def _fraction(above: str, below: str) -> str:
    return rf"\frac{{{above}}}{{{below}}}"


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
    """Return the formula of one number of a key's row, filled in; None for a column that has none. `column` is its id.

    `query` (d,) is the vector of the word `asked`, `keys` (N, d) those of `words`, `values` (N,) numbers or (N, d).
    """
    key, name, b = keys[row], words[row], number(bandwidth)
    by_distance, by_product = made_by(lookup_by_distance), made_by(lookup_by_dot_product)
    square, a = number(float(((query - key) ** 2).sum())), number(dot.weights[row])
    if column == "share":
        return rf"{by_product}a \cdot v = {a} \cdot ({number(values[row])}) = {number(dot.weights[row] * values[row])}"
    return {
        "length": rf"\lVert {word(name)} \rVert^2 = {dot_product(key, key)},\qquad "
        rf"\lVert {word(name)} \rVert = {number(float(np.linalg.norm(key)))}",
        "square": rf"{by_distance}{distance(query, key, asked, name)},\qquad |q - k|^2 = {square}",
        "near_score": rf"{by_distance}-\frac{{{square}}}{{2 \cdot {b}^2}} = {number(near.scores[row])}",
        "near": by_distance + _worked_weight(asked, name, near, row),
        "product": rf"{by_product}{word(asked)} \cdot {word(name)} = {dot_product(query, key)}",
        "dot_score": rf"{by_product}\frac{{{number(float(query @ key))}}}{{{b}^2}} = {number(dot.scores[row])}",
        "dot": by_product + _worked_weight(asked, name, dot, row),
    }.get(column)
