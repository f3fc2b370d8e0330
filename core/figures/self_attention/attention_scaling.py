"""Scores and their softmax as d grows, with and without the square root: pure functions, numbers in, figure out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields

import numpy as np
from torch import Tensor

from core.figures.figure import Figure, bar, scatter
from core.figures.palette import BLUE, GREY, VERMILLION
from core.figures.self_attention.panels import panels
from core.figures.worked import number
from core.models.self_attention.attention_scaling import Softness, heaviest_first

UNSCALED, SCALED = "q · k", "q · k / √d"
BINS = 30  # on each side of nought
COLOURS = {UNSCALED: VERMILLION, SCALED: BLUE}


def scores_and_weights(read: Mapping[str, Tensor], height: int = 380) -> Figure:
    """Return what the softmax reads (Q, S) as histograms, and the weights, heaviest first, as means over the queries.

    `read` has the scores without the root and with it, by UNSCALED and SCALED.
    """
    figure = panels(["all scores", "mean weights"], height)
    widest = max(float(scores.abs().max()) for scores in read.values()) or 1.0
    edges = np.linspace(-widest, widest, 2 * BINS + 1)
    for label, scores in read.items():
        look = {"marker_color": COLOURS[label], "name": label, "legendgroup": label}
        figure.add_trace(
            bar(
                x=(edges[:-1] + edges[1:]) / 2,
                y=np.histogram(scores, edges)[0] / scores.numel(),
                width=edges[1] - edges[0],
                hovertemplate="%{y:.4f} of all scores are near %{x:.3f}<extra>" + label + "</extra>",
                **look,
            ),
            1,
            1,
        )
        weights = heaviest_first(scores).numpy()
        figure.add_trace(
            bar(
                x=np.arange(1, len(weights) + 1),
                y=weights,
                showlegend=False,
                hovertemplate="key %{x}: %{y:.4f}<extra>" + label + "</extra>",
                **look,
            ),
            1,
            2,
        )
    figure.update_layout(barmode="overlay", bargap=0.1)
    figure.update_xaxes(title="score", row=1, col=1)
    figure.update_yaxes(title="share", row=1, col=1)
    figure.update_xaxes(title="keys, heaviest first", row=1, col=2)
    figure.update_yaxes(range=[0, 1], row=1, col=2)
    figure.update_traces(opacity=0.8, selector={"type": "bar"})
    return figure


# Measures by title; titles of one line, for the legend stands above them.
MEASURES = {"spread": "spread", "entropy": "entropy", "gradient": "gradient"}
COLUMNS = {  # what the table calls the measures whose names say too little
    "largest": "largest weight",
    "to_products": "gradient to q · k",
    "median_to_products": "median gradient to q · k",
    "top_tenth": "share of the top tenth",
}
BACK = {"mean": "to_products", "median": "median_to_products", "top tenth": "top_tenth"}


def softness_by_dimension(
    dimensions: Sequence[int],
    sweeps: Mapping[str, Sequence[Softness]],
    marked: int,
    measures: Mapping[str, str] = MEASURES,
    height: int = 320,
) -> Figure:
    """Return some measures against d for each labelled sweep, with a line at the marked d."""
    figure = panels(list(measures), height)
    for label, found in sweeps.items():
        for column, measure in enumerate(measures.values(), start=1):
            figure.add_trace(
                scatter(
                    x=list(dimensions),
                    y=[asdict(each)[measure] for each in found],
                    mode="lines+markers",
                    line={"color": COLOURS[label], "width": 3},
                    name=label,
                    legendgroup=label,
                    showlegend=column == 1,
                    hovertemplate="d = %{x}: %{y:.4g}<extra>" + label + "</extra>",
                ),
                1,
                column,
            )
    for column in range(1, len(measures) + 1):
        figure.add_vline(x=marked, line={"color": GREY, "dash": "dot"}, row=1, col=column)
        figure.update_xaxes(title="d", type="log", tickvals=[1, 4, 16, 64, 256, 1024], row=1, col=column)
    return figure


def worked_softness(scores: np.ndarray, d: int, column: str) -> str | None:
    """Return the formula behind a number of the table by d, filled in with the first query's scores (Q, S)."""
    named, _, label = column.partition(", ")
    measure = next((name for name, called in COLUMNS.items() if called == named), named)
    if column == "√d":
        return rf"\sqrt{{{d}}} = {number(d**0.5)}"
    if measure not in {field.name for field in fields(Softness)}:
        return None
    scale = d**-0.5 if label == SCALED else 1.0
    used = scores * scale
    if measure == "spread":
        spread = float(used.std())
        return rf"\sqrt{{\tfrac1n \textstyle\sum (s - \bar s)^2}} = {number(spread)},\quad n = {used.size}"
    exponentials = np.exp(used[0] - used[0].max())
    a = exponentials / exponentials.sum()
    s = used[0]
    first = (
        rf"\text{{first query: }} a_1 = \frac{{e^{{{number(s[0], 3)}}}}}{{e^{{{number(s[0], 3)}}} + "
        rf"e^{{{number(s[1], 3)}}} + \dots}} = {number(a[0], 3)}"
    )
    norm = number(float(np.linalg.norm(np.diag(a) - np.outer(a, a))))
    back = rf"\lVert \partial a / \partial (q \cdot k) \rVert_F = {number(scale)} \cdot {norm}"
    of_first, over = {
        "entropy": (
            rf"-\textstyle\sum a \log_2 a = {number(float(-(a[a > 0] * np.log2(a[a > 0])).sum()))}",
            "mean",
        ),
        "largest": (rf"\max a = {number(float(a.max()))}", "mean"),
        "gradient": (rf"\lVert \operatorname{{diag}}(a) - a a^\top \rVert_F = {norm}", "mean"),
        "to_products": (back, "mean"),
        "median_to_products": (back, "median"),
        "top_tenth": (back, "share of the largest tenth"),
    }[measure]
    return rf"{first},\quad {of_first};\quad \text{{the cell is the {over} over {len(scores)} queries}}"
