"""Scores and their softmax as d grows, with and without the square root: pure functions, numbers in, figure out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields

import numpy as np
import plotly.graph_objects as go

from core.figures.palette import BLUE, GREY, VERMILLION
from core.figures.self_attention.panels import panels
from core.figures.worked import number
from core.models.self_attention.attention_scaling import Softness

COLOURS = {"q · k": VERMILLION, "q · k / √d": BLUE}


def scores_and_weights(scores: np.ndarray, d: int, height: int = 380) -> go.Figure:
    """Return all scores (Q, S) as histograms and the first query's weights as bars, without and with the root."""
    figure = panels(["all scores", "one query's weights"], height)
    edges = {"start": -4 * d**0.5, "end": 4 * d**0.5, "size": 8 * d**0.5 / 60}
    for label, shown in {"q · k": scores, "q · k / √d": scores / d**0.5}.items():
        look = {"marker_color": COLOURS[label], "name": label, "legendgroup": label}
        figure.add_trace(
            go.Histogram(x=shown.ravel(), xbins=edges, opacity=0.7, histnorm="probability", **look), 1, 1
        )
        row = np.exp(shown[0] - shown[0].max())
        weights = np.sort(row / row.sum())[::-1]
        figure.add_trace(
            go.Bar(
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
    figure.update_traces(opacity=0.65, selector={"type": "bar"})
    return figure


MEASURES = ("spread", "entropy", "gradient")  # titles of one line: the legend stands above them


def softness_by_dimension(
    dimensions: Sequence[int], sweeps: dict[str, list[Softness]], marked: int, height: int = 320
) -> go.Figure:
    """Return spread, entropy and gradient against d for each labelled sweep, with a line at the marked d."""
    figure = panels(MEASURES, height)
    for label, found in sweeps.items():
        for column, measure in enumerate(MEASURES, start=1):
            figure.add_trace(
                go.Scatter(
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
    for column in range(1, 4):
        figure.add_vline(x=marked, line={"color": GREY, "dash": "dot"}, row=1, col=column)
        figure.update_xaxes(title="d", type="log", tickvals=[1, 4, 16, 64, 256, 1024], row=1, col=column)
    return figure


def worked_softness(scores: np.ndarray, d: int, column: str) -> str | None:
    """Return the formula behind a number of the table by d, filled in with the first query's scores (Q, S)."""
    measure, _, label = column.partition(", ")
    if column == "√d":
        return rf"\sqrt{{{d}}} = {number(d**0.5)}"
    if measure not in {field.name for field in fields(Softness)}:
        return None
    used = scores / d**0.5 if label == "q · k / √d" else scores
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
    of_first = {
        "entropy": rf"-\textstyle\sum a \log_2 a = {number(float(-(a[a > 0] * np.log2(a[a > 0])).sum()))}",
        "largest": rf"\max a = {number(float(a.max()))}",
        "gradient": r"\lVert \operatorname{diag}(a) - a a^\top \rVert_F = "
        + number(float(np.linalg.norm(np.diag(a) - np.outer(a, a)))),
    }[measure]
    return rf"{first},\quad {of_first};\quad \text{{the cell is the mean over {len(scores)} queries}}"
