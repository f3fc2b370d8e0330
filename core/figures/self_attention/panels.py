"""Several panels side by side under their titles, with the look of every other figure."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.figures.blank import FONT_SIZE, blank


def panels(titles: Sequence[str], height: int, spacing: float = 0.08) -> go.Figure:
    """Return an empty figure of a height in pixels with one panel for each title, left to right.

    A title longer than a phone has room for above its panel stands on several lines.

    >>> [title.text for title in panels(["one", "two"], 300).layout.annotations]
    ['one', 'two']
    """
    look = blank(height).layout
    lines = ["<br>".join(wrap(title, max(6, 40 // len(titles)))) for title in titles]
    figure = make_subplots(rows=1, cols=len(titles), subplot_titles=lines, horizontal_spacing=spacing)
    figure.update_layout(
        height=height,
        font=look.font.to_plotly_json(),
        hoverlabel=look.hoverlabel.to_plotly_json(),
        dragmode="pan",
        uirevision="keep",
        margin={"l": 8, "r": 8, "t": 64, "b": 8},
        legend={"orientation": "h", "y": 1.12, "yanchor": "bottom", "x": 0},
    )
    figure.update_annotations(font_size=FONT_SIZE)
    figure.update_xaxes(automargin=True)
    figure.update_yaxes(automargin=True)
    return figure
