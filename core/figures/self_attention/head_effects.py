"""What changes when attention is changed: one row's weights, an output vector, a prediction, a loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np
import plotly.graph_objects as go

from core.figures.blank import blank
from core.figures.n_grams.ngram import plain
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION, faded

WIDTH, HEIGHT = 210, 270  # pixels between the axes on a phone
BEFORE, AFTER = faded(GREY, 0.55), BLUE


def before_after(
    before: np.ndarray, after: np.ndarray, names: Sequence[str], y: str, height: int = 260
) -> go.Figure:
    """Return two rows of numbers as pairs of bars: as the model has them, and as edited."""
    figure = blank(height, y=y)
    places = np.arange(len(names))
    labels = [plain(name) for name in names]
    for label, numbers, colour in (("the model's own", before, BEFORE), ("edited", after, AFTER)):
        figure.add_trace(
            go.Bar(
                x=places,
                y=numbers,
                name=label,
                marker_color=colour,
                customdata=labels,
                hovertemplate="%{customdata}: %{y:.4f}<extra>" + label + "</extra>",
            )
        )
    tilted = sum(map(len, names)) > 3 * len(names)
    room = 20 if tilted else 34 * len(names) / (sum(map(len, names)) + len(names))  # names, on a phone
    every = ceil(len(names) / room)
    figure.update_xaxes(tickvals=places[::every], ticktext=labels[::every], tickangle=-60 if tilted else 0)
    figure.update_layout(barmode="group", bargap=0.25)
    return figure


def likeliest(before: np.ndarray, after: np.ndarray, most: int = 10) -> np.ndarray:
    """Return the ids of the tokens that are likeliest before or after, the likeliest before first.

    >>> likeliest(np.array([0.1, 0.6, 0.3]), np.array([0.8, 0.1, 0.1]), most=2)
    array([1, 0])
    """
    top = np.argsort(-np.maximum(before, after), kind="stable")[:most]
    return top[np.argsort(-before[top], kind="stable")]


def removal_figure(
    weights: np.ndarray, changes: np.ndarray, names: Sequence[str], x: str, height: int = 380
) -> go.Figure:
    """Return each token's attention weight against the change that deleting it makes, named where there is room.

    The others are named when they are pointed at.
    """
    figure = blank(height, x, "change of the prediction")
    known = np.flatnonzero(~(np.isnan(weights) | np.isnan(changes)))
    named = with_room(weights, changes, names, sorted(known, key=lambda s: -max(weights[s], changes[s])))
    figure.add_trace(
        go.Scatter(
            x=weights[known],
            y=changes[known],
            mode="markers+text",
            marker={"size": 10, "color": OCHRE},
            text=[plain(names[s]) if s in named else "" for s in known],
            textposition="top center",
            cliponaxis=False,
            customdata=[f"{s + 1}: {plain(names[s])}" for s in known],
            hovertemplate="token %{customdata}<br>weight %{x:.4f}, change %{y:.4f}<extra></extra>",
        )
    )
    figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(rangemode="tozero")
    figure.update_layout(margin={"t": 30, "r": 40})
    return figure


def with_room(
    weights: np.ndarray, changes: np.ndarray, names: Sequence[str], order: Sequence[int]
) -> set[int]:
    """Return the points whose names cover neither one another nor another point on a phone, taken in this order.

    >>> sorted(with_room(np.array([0.0, 0.01, 1.0]), np.array([0.0, 0.0, 1.0]), ["it", "is", "so"], [2, 1, 0]))
    [1, 2]
    """
    if not len(order):
        return set()
    x = WIDTH * weights / max(np.max(weights[order]), 1e-12)  # in pixels, as the axes from nought draw them
    y = HEIGHT * changes / max(np.max(changes[order]), 1e-12)
    boxes = {}
    for s in order:
        half = 4.5 * len(names[s])
        free = all(abs(x[s] - x[o]) > half + reach or abs(y[s] - y[o]) > 20 for o, reach in boxes.items())
        if free and all(abs(x[s] - x[o]) > half + 5 or not 2 < y[o] - y[s] < 30 for o in order if o != s):
            boxes[s] = half
    return set(boxes)


def ranking_figure(costs: Mapping[str, float], off: Sequence[str] = ()) -> go.Figure:
    """Return what each head is worth in bits a token, the dearest first; those switched off are hatched."""
    ordered = sorted(costs, key=costs.get, reverse=True)
    figure = blank(280, "head (layer.head)", "bits a token")
    figure.add_trace(
        go.Bar(
            x=ordered,
            y=[costs[name] for name in ordered],
            marker={
                "color": [BLUE if costs[name] >= 0 else VERMILLION for name in ordered],
                "pattern": {"shape": ["/" if name in set(off) else "" for name in ordered]},
            },
            hovertemplate="without head %{x}: %{y:+.4f} bits a token<extra></extra>",
        )
    )
    figure.update_xaxes(type="category", tickangle=0 if len(ordered) <= 16 else -60)
    return figure
