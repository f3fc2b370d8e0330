"""How many of their nearest words each two methods share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, heatmap
from core.figures.heat_map import write_in_cells
from core.figures.palette import SEQUENTIAL
from core.figures.word_vectors import WORDS


def overlap_figure(shares: np.ndarray, names: Sequence[str], height: int = 320) -> Figure:
    """Return how many of their nearest words each two methods share on average, shares (n, n); the diagonal is empty."""
    cells = [[None if i == j else float(shares[i, j]) for j in range(len(names))] for i in range(len(names))]
    figure = blank(height)
    figure.add_trace(
        heatmap(
            z=cells,
            x=list(names),
            y=list(names),
            text=[["" if each is None else f"{each:.0%}" for each in row] for row in cells],
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=1,
            showscale=False,
            hovertemplate=f"{WORDS.label('shoot_out.pair')}<extra></extra>",
            xgap=2,
            ygap=2,
        )
    )
    write_in_cells(figure)
    figure.update_xaxes(type="category", side="top")
    return figure.update_yaxes(type="category", autorange="reversed")
