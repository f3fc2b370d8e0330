"""Curves about decoding: scores that underflow, and where one probability flips the path."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.hidden_markov_models import WORDS
from core.figures.label import label
from core.figures.palette import CATEGORIES, GREY
from core.models.hidden_markov_models.flips import Stretch

POINTS = 101  # of the curve between two flips


def sweep_figure(stretches: Sequence[Stretch], states: Sequence[str], now: float, name: str) -> Figure:
    """Return ln p of the best path against one probability, coloured by which path is best there."""
    figure = blank(300, name, WORDS.label("curves.axis"))
    colours = dict(zip(dict.fromkeys(s.path for s in stretches), cycle(CATEGORIES), strict=False))
    for stretch in stretches:
        inside = np.linspace(stretch.start, stretch.end, POINTS)
        inside = inside[(inside > 0) & (inside < 1)]
        places = " ".join(label(states[state]) for state in stretch.path[:12])
        figure.add_trace(
            scatter(
                x=inside,
                y=stretch.log_probability(inside),
                mode="lines",
                line={"color": colours[stretch.path], "width": 5},
                name=places + (" …" if len(stretch.path) > 12 else ""),
                hovertemplate="p = %{x:.4f}: ln p = %{y:.3f}<extra>%{fullData.name}</extra>",
            )
        )
        if stretch.start > 0:
            figure.add_vline(x=stretch.start, line={"color": GREY}, annotation_text=f"{stretch.start:.4f}")
    figure.add_vline(
        x=now,
        line={"color": GREY, "dash": "dot"},
        annotation_text=WORDS.label("curves.now", p=f"{now:.4g}"),
        annotation_position="bottom right",
    )
    return figure
