"""The blank figure every plot starts from: one size of type, thin margins, room for the data."""

from __future__ import annotations

from functools import cache

from core.figures.figure import Figure, FigurePart, copied
from core.figures.palette import CATEGORIES

FONT_SIZE = 16  # pixels: readable from the back row when the page fills a projector
STORY_FONT = 17  # pixels: in a story, whose picture fills the window
STORY_MARGIN = {"l": 80, "r": 20, "t": 20, "b": 60}  # pixels: room for the titles of both axes


def blank(height: int, x: str = "", y: str = "") -> Figure:
    """Return an empty figure of a height in pixels with titled axes and no decoration.

    An axis without a title has no text at all: beside one of no letters plotly would keep a line's room.

    >>> figure = blank(300, x="PC 1")
    >>> figure.layout.xaxis.title.text, "text" in figure.layout.yaxis.title
    ('PC 1', False)
    """
    figure = Figure()
    figure.layout = copied(bare_layout())
    figure.layout.height = height
    for axis, title in ((figure.layout.xaxis, x), (figure.layout.yaxis, y)):
        if title:
            axis.title.text = title
    return figure


def enlarge(figure: Figure, **layout: object) -> Figure:
    """Return the figure as a story shows it: large letters, no words at the pointer, and what else its layout has."""
    figure.update_layout(font={"size": STORY_FONT}, **layout)
    return figure.update_annotations(font_size=STORY_FONT).update_traces(
        textfont={"size": STORY_FONT}, hoverinfo="skip"
    )


@cache
def bare_layout() -> FigurePart:
    """Return what surrounds every blank figure, but its height and its axes' titles."""
    figure = Figure().update_layout(
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        font={"size": FONT_SIZE},
        hoverlabel={"font": {"size": FONT_SIZE}},
        colorway=list(CATEGORIES),
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "font": {"size": FONT_SIZE}},
        dragmode="pan",
        uirevision="keep",  # a rerun with new data keeps the reader's zoom
    )
    return write_axes(figure.update_xaxes(title={}).update_yaxes(title={})).layout


def write_axes(figure: Figure) -> Figure:
    """Return the figure with axes written as large as all else; Streamlit's theme would write them small."""
    fonts = {"tickfont": {"size": FONT_SIZE}, "title": {"font": {"size": FONT_SIZE}}}
    look = {"automargin": True, "separatethousands": True, **fonts}  # 1,000, as the sentences have it
    return figure.update_xaxes(**look).update_yaxes(**look)
