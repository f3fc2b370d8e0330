"""Pictures of the residual stream: its length, what each part writes, what training without a piece costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.n_grams.ngram import plain
from core.figures.palette import BLUE, CATEGORIES, GREY, OCHRE, VERMILLION, faded
from core.figures.worked import signed
from core.models.transformers.ablated_gpt import FORMS, WHOLE
from core.models.transformers.ablated_gpts import Interval
from core.models.transformers.residual_stream import ATTENTION, FEED_FORWARD, OFFSET, POSITION, Stream

PARTS = "attention (A), feed-forward (F)"
COLOURS = dict(zip(FORMS, CATEGORIES, strict=False))
SHORT = {ATTENTION: "A", FEED_FORWARD: "F", POSITION: "position", OFFSET: "offset"}


def short(part: str) -> str:
    """Return a part's name as an axis writes it.

    >>> short("attention 2"), short("token"), short("norm's offset")
    ('A2', 'token', 'offset')
    """
    kind, _, layer = part.rpartition(" ")
    return SHORT[kind] + layer if kind in SHORT else SHORT.get(part, part)


def length_figure(stream: Stream, t: int, names: Sequence[str], height: int = 270) -> Figure:
    """Return the stream's length around each part at token t, what each part wrote, and the other tokens' lengths."""
    figure = blank(height, PARTS, "length")
    places = ["start", *(short(write.part) for write in stream.writes)]
    lengths = stream.lengths.numpy()  # (1 + writes, T)
    others = [lengths[:, s] for s in range(lengths.shape[1]) if s != t]
    if others:
        figure.add_trace(
            scatter(
                x=[place for _ in others for place in (*places, None)],
                y=[value for each in others for value in (*positive(each), None)],
                mode="lines",
                line={"color": faded(GREY, 0.7), "width": 1},
                name="other tokens",
                hoverinfo="skip",
            )
        )
    figure.add_trace(
        scatter(
            x=places[1:],
            y=positive([float(write.added[t].norm()) for write in stream.writes]),
            mode="markers",
            marker={"size": 13, "color": OCHRE, "symbol": "diamond"},
            name="what a part writes",
            hovertemplate="%{x} writes a vector of length %{y:.2f}<extra></extra>",
        )
    )
    figure.add_trace(
        scatter(
            x=places,
            y=positive(lengths[:, t]),
            mode="lines+markers",
            line={"color": BLUE, "width": 3},
            marker={"size": 9},
            name=f"stream of “{plain(names[t])}”",
            hovertemplate="after %{x}: length %{y:.2f}<extra></extra>",
        )
    )
    return figure.update_yaxes(type="log", dtick=1)


def positive(values: Sequence[float]) -> list[float | None]:
    """Return values for a logarithmic axis, which has no place for nought.

    >>> positive([1.0, 0.0])
    [1.0, None]
    """
    return [float(value) if value > 0 else None for value in values]


def signed_bars(parts: Sequence[str], values: Sequence[float], x: str, y: str, height: int = 360) -> Figure:
    """Return a bar a part, below nought in another colour."""
    figure = blank(height, x, y)
    figure.add_trace(
        bar(
            x=[short(part) for part in parts],
            y=list(values),
            marker_color=[BLUE if value >= 0 else VERMILLION for value in values],
            customdata=list(parts),
            hovertemplate="%{customdata}: %{y:+.3f}<extra></extra>",
        )
    )
    return figure.update_xaxes(tickangle=-60 if len(parts) > 9 else 0)


def both_norms_figure(streams: Mapping[str, Stream], height: int = 320) -> Figure:
    """Return the length of each named model's stream, part by part: the median of all tokens, the least and the greatest."""
    figure = blank(height, PARTS, "length of the stream")
    for name, stream in streams.items():
        lengths = stream.lengths.numpy()
        middle = np.median(lengths, axis=1)
        figure.add_trace(
            scatter(
                x=["start", *(short(write.part) for write in stream.writes)],
                y=middle,
                name=name,
                mode="lines+markers",
                line={"color": COLOURS[name], "width": 3},
                marker={"size": 9},
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": lengths.max(axis=1) - middle,
                    "arrayminus": middle - lengths.min(axis=1),
                    "thickness": 1.5,
                },
                hovertemplate=name + ", after %{x}: median %{y:.2f}<extra></extra>",
            )
        )
    return figure.update_yaxes(type="log", dtick=1)


def curves_figure(
    curves: Mapping[str, Sequence[np.ndarray]], every: int, marked: str = "", height: int = 360
) -> Figure:
    """Return the loss of all trainings by step: one line a form and seed, the first seed's solid, `marked` thick."""
    figure = blank(height, "step", "nats a character")
    for form, runs in curves.items():
        for number, curve in enumerate(runs):
            steps = every * (np.arange(len(curve)) + 0.5)
            look = {"color": COLOURS[form], "width": 5 if form == marked else 2.5}
            figure.add_trace(
                scatter(
                    x=steps,
                    y=curve,
                    name=form,
                    legendgroup=form,
                    showlegend=not number,
                    mode="lines",
                    line=look if not number else {**look, "dash": "dot", "width": 1.5},
                    hovertemplate=f"{form}, training {number + 1}, step %{{x:.0f}}: %{{y:.3f}}<extra></extra>",
                )
            )
    return figure


def costs_figure(losses: Mapping[str, np.ndarray], costs: Mapping[str, Interval], marked: str = "") -> Figure:
    """Return what each form costs in nats a character: a point a held-out play, and the mean with its 95% interval."""
    figure = blank(90 + 52 * len(costs), "nats more than the whole")
    for form, cost in costs.items():
        more = losses[form] - losses[WHOLE]
        figure.add_trace(
            scatter(
                x=more,
                y=[form] * len(more),
                mode="markers",
                marker={"size": 7, "color": faded(COLOURS[form], 0.35)},
                hovertemplate="one play: %{x:+.3f}<extra></extra>",
            )
        )
        figure.add_trace(
            scatter(
                x=[cost.mean],
                y=[form],
                mode="markers+text",
                text=[signed(cost.mean, 3, "+")],
                textposition="top center",
                marker={"size": 15 if form == marked else 11, "color": COLOURS[form], "symbol": "diamond"},
                error_x={
                    "type": "data",
                    "array": [cost.high - cost.mean],
                    "thickness": 3,
                    "color": COLOURS[form],
                },
                hovertemplate=f"{form}: %{{x:+.3f}}, 95% interval {cost.low:+.3f} to {cost.high:+.3f}<extra></extra>",
            )
        )
    figure.update_yaxes(range=[len(costs) - 0.5, -0.9]).add_vline(0, line_dash="dot", line_color=GREY)
    return figure.update_layout(showlegend=False)
