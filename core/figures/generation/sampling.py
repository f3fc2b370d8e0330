"""The next-token distribution as bars, under one setting or several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, GREY, faded
from core.figures.token_label import label_token
from core.models.generation.sampling import SamplingTrace


def next_token_figure(
    trace: SamplingTrace,
    model: np.ndarray,
    names: Sequence[str],
    labels: Sequence[str] = ("p", "T = 1", "p"),
    most: int = 16,
    height: int = 250,
) -> Figure:
    """Return the most probable tokens as large bars, before the model's own (V,) where the settings changed them.

    `labels` name the axis, the model's own bars, and those with the settings.
    """
    axis, own, now = labels
    figure = blank(height, y=axis)
    order, p = trace.order[:most], trace.probabilities
    tokens = [escape_label(label_token(names[token])) for token in order]
    hover = {"customdata": tokens, "hovertemplate": "%{customdata}: %{y:.4f}<extra>%{fullData.name}</extra>"}
    places = list(range(len(order)))
    if not np.allclose(p, model):
        grey = {"color": faded(GREY, 0.45)}
        figure.add_trace(
            bar(
                x=places,
                y=model[order],
                width=0.95,
                marker=grey,
                name=own,
                **hover,
            )
        )
    figure.add_trace(
        bar(
            x=places,
            y=p[order],
            width=0.6,
            marker={"color": BLUE},
            name=now,
            text=[f"{value:#.2g}" for value in p[order]],
            textposition="outside",
            textfont={"size": 13},
            constraintext="none",
            textangle=0,
            cliponaxis=False,
            **hover,
        )
    )
    figure.update_layout(barmode="overlay")
    figure.update_xaxes(tickvals=places, ticktext=tokens, tickangle=0)
    figure.update_yaxes(range=[0, 1.15 * float(max(p[order].max(), model[order].max()))])
    return figure


def settings_figure(
    traces: dict[str, SamplingTrace], names: Sequence[str], axis: str = "p", most: int = 8, height: int = 300
) -> Figure:
    """Return the most probable tokens as bars, one colour for each of the named settings."""
    figure = blank(height, y=axis)
    order = next(iter(traces.values())).order[:most]
    for label, trace in traces.items():
        figure.add_trace(
            bar(
                x=list(range(len(order))),
                y=trace.probabilities[order],
                name=label,
                hovertemplate="%{customdata}: %{y:.3f}<extra>" + label + "</extra>",
                customdata=[escape_label(label_token(names[token])) for token in order],
            )
        )
    ticks = [escape_label(label_token(names[token])) for token in order]
    figure.update_xaxes(tickvals=list(range(len(order))), ticktext=ticks, tickangle=0)
    figure.update_layout(barmode="group")
    return figure
