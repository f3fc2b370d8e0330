"""The numbers in a heat map's cells."""

from __future__ import annotations

from core.figures.blank import FONT_SIZE
from core.figures.figure import Figure, scatter

STRONG = 0.92  # of a cell's blue: from here on white can be read on it, up to here the page's own ink


def write_in_cells(figure: Figure, size: float = FONT_SIZE) -> None:
    """Write the text of a heat map's cells in the page's own colour, in white where the cell's colour is strong.

    plotly would choose black or white for each cell's colour as if the colour were opaque, which it is not. A scale that
    begins below 0 is blue above it and vermillion below; what is strong in vermillion is black.
    """
    heat = figure.data[0]
    low, high = (0.0 if heat.zmin is None else heat.zmin), (1.0 if heat.zmax is None else heat.zmax)
    nought = max(low, 0.0)
    pale, blue, vermillion = [], [], []
    for y, texts, values in zip(heat.y, heat.text, heat.z, strict=True):
        for x, text, value in zip(heat.x, texts, values, strict=True):
            share = 0.0 if value is None else (value - nought) / (high - nought)
            kind = blue if share > STRONG else vermillion if low < 0 and share < -STRONG else pale
            kind.append((x, y, text))
    inks = ((pale, None), (blue, "#FFFFFF"), (vermillion, "#000000"))
    for cells, colour in inks:
        font = {"size": size} if colour is None else {"size": size, "color": colour}
        if cells:
            xs, ys, texts = zip(*cells, strict=True)
            figure.add_trace(
                scatter(
                    x=xs, y=ys, text=texts, mode="text", hoverinfo="skip", showlegend=False, textfont=font
                )
            )
