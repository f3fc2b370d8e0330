"""A matrix of attention weights, or of other numbers from 0 on, as a heat map with its numbers in the cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap
from core.figures.heat_map import write_in_cells
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import SEQUENTIAL
from core.figures.self_attention import WORDS

WRITTEN_AT_MOST = 10  # tokens


def matrix_figure(matrix: np.ndarray, tokens: Sequence[str], height: int = 340) -> Figure:
    """Return a matrix (T, T) of numbers from 0 on as a heat map; rows are queries, nan stays blank.

    Up to `WRITTEN_AT_MOST` tokens the numbers stand in the cells; more would overlap on a phone.
    """
    T = len(tokens)
    figure = blank(height)
    largest = np.nanmax(matrix) or 1
    figure.add_trace(
        heatmap(
            x=list(range(T)),
            y=list(range(T)),
            z=[[None if np.isnan(value) else value / largest for value in row] for row in matrix],
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=2.6 if T <= WRITTEN_AT_MOST else 1,  # a number must be legible on the largest
            showscale=False,
            text=[["" if np.isnan(value) else format_matrix_entry(value) for value in row] for row in matrix],
            hovertemplate=WORDS.label("causal_mask.hover") + "<extra></extra>",
            xgap=1,
            ygap=1,
        )
    )
    ticks = {
        "tickvals": list(range(T)),
        "ticktext": [escape_label(token) for token in tokens],
        "showgrid": False,
    }
    figure.update_xaxes(side="top", zeroline=False, tickfont={"size": FONT_SIZE}, **ticks)
    figure.update_yaxes(range=[T - 0.5, -0.5], zeroline=False, tickfont={"size": FONT_SIZE}, **ticks)
    if T <= WRITTEN_AT_MOST:
        write_in_cells(figure, min(FONT_SIZE, 110 / T))
    return figure


def format_matrix_entry(value: float) -> str:
    """Return a number with two decimals; exactly 0 is 0, and nothing else is.

    >>> format_matrix_entry(0.0), format_matrix_entry(0.001), format_matrix_entry(0.5)
    ('0', '0.00', '0.5')
    """
    return "0" if value == 0 else f"{value:.2f}" if value < 0.005 else f"{float(f'{value:.2f}'):g}"
