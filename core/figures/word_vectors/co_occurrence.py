"""A co-occurrence matrix as a heat map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap
from core.figures.palette import DIVERGING, SEQUENTIAL, VERMILLION
from core.figures.word_vectors import WORDS

LETTERS = 12  # of a name beside a heat map


def shorten_labels(words: Sequence[str]) -> list[str]:
    """Return words short enough to stand beside a heat map, no two alike.

    >>> shorten_labels(["cat", "counterrevolution", "counterrevolutionary"])
    ['cat', 'counterrevo…', 'counterrevo… ']
    """
    names: list[str] = []
    for each in words:
        name = each if len(each) <= LETTERS else f"{each[: LETTERS - 1]}…"
        while name in names:  # a space more is not seen, and is another name
            name += " "
        names.append(name)
    return names


def matrix_cells(M: np.ndarray, rows: Sequence[str], columns: Sequence[str], colours: dict) -> dict:
    """Return the trace of a matrix M (rows, columns) with the names of both."""
    return heatmap(
        z=M.astype(np.float32),
        x=shorten_labels(columns),
        y=shorten_labels(rows),
        xgap=1,
        ygap=1,
        hovertemplate=f"{WORDS.label('co_occurrence.cell')}<extra></extra>",
        colorbar={"thickness": 12},
        **colours,
    )


def colours(*matrices: np.ndarray) -> dict:
    """Return the colours of cells: from 0, or to both sides of it where a number is below."""
    low, high = min(float(M.min()) for M in matrices), max(float(np.abs(M).max()) for M in matrices) or 1.0
    scale = {"colorscale": DIVERGING, "zmin": -high} if low < 0 else {"colorscale": SEQUENTIAL, "zmin": 0}
    return {**scale, "zmax": high}


def co_occurrence_figure(
    M: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    apart: int = 0,
    called: str = "",
    height: int = 350,
) -> Figure:
    """Return a matrix (rows, columns) as a heat map: rows words, columns contexts; a line below the first `apart` rows.

    `called` is what a cell holds, for the scale of colours.
    """
    cells = matrix_cells(M, rows, columns, colours(M))
    cells["colorbar"]["title"] = {"text": called, "font": {"size": FONT_SIZE}}
    figure = blank(height, WORDS.label("co_occurrence.context")).add_trace(cells)
    if 0 < apart < len(rows):
        figure.add_hline(y=apart - 0.5, line={"color": VERMILLION, "width": 2})
    figure.update_xaxes(type="category", side="top", tickangle=-90)
    title = WORDS.label("co_occurrence.word")
    return figure.update_yaxes(type="category", dtick=1, autorange="reversed", title=title)
