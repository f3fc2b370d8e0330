"""The blank figure every plot starts from: one size of type, thin margins, room for the data."""

from __future__ import annotations

from core.figures.figure import Figure
from core.figures.palette import CATEGORIES

FONT_SIZE = 15  # pixels: readable from the back row when the page fills a projector


def blank(height: int, x: str = "", y: str = "") -> Figure:
    """Return an empty figure of a height in pixels with titled axes and no decoration.

    >>> blank(300, x="PC 1").layout.xaxis.title.text
    'PC 1'
    """
    figure = Figure()
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        font={"size": FONT_SIZE},
        hoverlabel={"font": {"size": FONT_SIZE}},
        colorway=list(CATEGORIES),
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
        dragmode="pan",
        uirevision="keep",  # a rerun with new data keeps the reader's zoom
    )
    figure.update_xaxes(title=x, automargin=True)
    figure.update_yaxes(title=y, automargin=True)
    return figure
