"""An arrow between two points of a figure."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.figure import Figure


def add_arrow(
    figure: Figure, start: Sequence[float], end: Sequence[float], colour: str, width: float = 1.5
) -> Figure:
    """Return the figure with an arrow from one of its points (x, y) to another; `width` is in pixels.

    >>> drawn = add_arrow(Figure(), (0, 0), (1, 2), "black").layout.annotations[0]
    >>> (drawn.ax, drawn.ay), (drawn.x, drawn.y)
    ((0, 0), (1, 2))
    """
    (ax, ay), (x, y) = start, end
    ends = {"x": x, "y": y, "ax": ax, "ay": ay, "axref": "x", "ayref": "y"}
    return figure.add_annotation(**ends, showarrow=True, arrowhead=2, arrowwidth=width, arrowcolor=colour)
