"""What changes when attention is changed: one row's weights, an output vector, a prediction, a loss."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, GREY
from core.figures.self_attention import WORDS

BEFORE, AFTER = GREY, BLUE


def before_after(
    before: np.ndarray,
    after: np.ndarray,
    names: Sequence[str],
    y: str,
    height: int = 260,
    labels: Sequence[str] = (),
) -> Figure:
    """Return two rows of numbers as pairs of bars: as the model has them, and as edited, unless `labels` say more."""
    labels = labels or [WORDS.label(f"head_effects.{key}") for key in ("own", "edited")]
    figure = blank(height, y=y)
    places = np.arange(len(names))
    shown = [escape_label(name) for name in names]
    for label, numbers, colour in zip(labels, (before, after), (BEFORE, AFTER), strict=True):
        figure.add_trace(
            bar(
                x=places,
                y=numbers,
                name=label,
                marker_color=colour,
                customdata=shown,
                hovertemplate="%{customdata}: %{y:.4f}<extra>" + label + "</extra>",
            )
        )
    tilted = sum(map(len, names)) > 3 * len(names)
    room = 20 if tilted else 34 * len(names) / (sum(map(len, names)) + len(names))  # names, on a phone
    every = ceil(len(names) / room)
    figure.update_xaxes(tickvals=places[::every], ticktext=shown[::every], tickangle=-60 if tilted else 0)
    figure.update_layout(barmode="group", bargap=0.25)
    return figure


def select_compared_tokens(before: np.ndarray, after: np.ndarray, most: int = 10) -> np.ndarray:
    """Return the ids of the tokens that are likeliest before or after, the likeliest before first.

    >>> select_compared_tokens(np.array([0.1, 0.6, 0.3]), np.array([0.8, 0.1, 0.1]), most=2)
    array([1, 0])
    """
    top = np.argsort(-np.maximum(before, after), kind="stable")[:most]
    return top[np.argsort(-before[top], kind="stable")]
