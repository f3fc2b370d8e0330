"""Weights of attention on one text, several times side by side on one scale: pure, numbers in, figure out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np

from core.figures.figure import Figure, heatmap
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import SEQUENTIAL
from core.figures.self_attention.heads import names_of
from core.figures.self_attention.panels import panels

ROOM = 32  # names side by side


def weight_panels(weights: Mapping[str, np.ndarray], tokens: Sequence[str], height: int) -> Figure:
    """Return weights (T, T), each under its title; a row is a query, a column a key; the largest is bluest.

    Where a box that scrolls on a phone has no room for all names below the columns, some of them stand for all.

    >>> len(weight_panels({"one": np.eye(2), "other": np.ones((2, 2)) / 2}, ["a", "b"], 300).data)
    2
    """
    figure = panels(list(weights), height, spacing=0.02)
    names, places = [escape_label(name) for name in names_of(tokens)], list(range(len(tokens)))
    pairs = [[f"{query} → {key}" for key in names] for query in names]
    labels = len(weights) * len(tokens)
    every = 1 if labels <= ROOM else ceil(labels / 20)
    for column, each in enumerate(weights.values(), start=1):
        said = "%{customdata}: %{z:.4f}<extra></extra>"
        panel = heatmap(z=each, coloraxis="coloraxis", xgap=1, ygap=1, customdata=pairs, hovertemplate=said)
        figure.add_trace(panel, 1, column)
        figure.update_xaxes(
            tickvals=places[::every], ticktext=names[::every], tickangle=-90, row=1, col=column
        )
        # The names stand once, on the left: ticks of another panel would lie on the last column of the one before it.
        rows = {"ticktext": names} if column == 1 else {"showticklabels": False, "ticks": ""}
        figure.update_yaxes(tickvals=places, autorange="reversed", row=1, col=column, **rows)
    figure.update_yaxes(showgrid=False, zeroline=False)  # light cells let lines through
    most = max(float(each.max()) for each in weights.values())
    scale = {"colorscale": SEQUENTIAL, "showscale": False, "cmin": 0, "cmax": most}
    return figure.update_layout(coloraxis=scale)
