"""Bars of counted shares with Wilson's 95% intervals, in groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.models.documents.held_out import wilson


def share_bars(
    series: Sequence[tuple[str, Mapping[str, int], int, str]], y: str, x: str = "", height: int = 360
) -> Figure:
    """Return bars: of each series a name, its counts by group, out of how many, and a colour.

    >>> drawn = share_bars([("model", {"seen": 8, "new": 5}, 10, "#0072B2")], "right").data[0]
    >>> drawn.x, drawn.y.tolist(), drawn.error_y.arrayminus.round(3).tolist()
    (['seen', 'new'], [0.8, 0.5], [0.31, 0.263])
    """
    figure = blank(height, x, y)
    for name, counts, n, colour in series:
        shares = np.array(list(counts.values())) / n
        ends = np.array([wilson(k, n) for k in counts.values()])
        reach = {"array": ends[:, 1] - shares, "arrayminus": shares - ends[:, 0]}
        figure.add_trace(
            bar(
                x=list(counts),
                y=shares,
                name=name,
                marker={"color": colour},
                error_y={"type": "data", "symmetric": False, **reach},
                hovertemplate="%{x}: %{y:.1%}<extra>" + name + "</extra>",
            )
        )
    return figure.update_layout(barmode="group", bargap=0.3).update_yaxes(range=[0, 1])
