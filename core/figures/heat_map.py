"""The numbers in a heat map's cells."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.blank import FONT_SIZE


def write_in_cells(figure: go.Figure, size: float = FONT_SIZE) -> None:
    """Write the text of a heat map's cells in the page's own colour.

    plotly would choose black or white for each cell's colour as if the colour were opaque, which it is not.
    """
    heat = figure.data[0]
    cells = [
        (x, y, text)
        for y, row in zip(heat.y, heat.text, strict=True)
        for x, text in zip(heat.x, row, strict=True)
    ]
    xs, ys, texts = zip(*cells, strict=True)
    figure.add_trace(
        go.Scatter(
            x=xs,
            y=ys,
            text=texts,
            mode="text",
            hoverinfo="skip",
            showlegend=False,
            textfont={"size": size},
        )
    )
