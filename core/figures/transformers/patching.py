"""Activation patching drawn: what each place, and each head, restores of A's answer; in a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap
from core.figures.heat_map import write_in_cells
from core.figures.n_grams.ngram import plain
from core.figures.palette import DIVERGING, OCHRE
from core.figures.worked import number, signed
from core.models.transformers.patching import STREAM, Contrast

ROUNDING = 1e-5  # smaller shares are what 32 bits leave of nothing
WRITTEN_AT_MOST = 12  # columns: in more the numbers would overlap


def restored_figure(
    shares: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    y: str,
    x: str = "",
    chosen: tuple[int, int] | None = None,
    height: int = 335,
) -> Figure:
    """Return shares (rows, columns) as a heat map, the last row on top, one cell framed; nan stays blank."""
    figure = blank(height, x, y)
    reach = max(1.0, float(np.nanmax(np.abs(shares), initial=0.0)))
    known = [[None if np.isnan(each) else float(each) for each in row] for row in shares]
    figure.add_trace(
        heatmap(
            x=list(range(len(columns))),
            y=list(range(len(rows))),
            z=known,
            text=[[written(each) for each in row] for row in known],
            colorscale=DIVERGING,
            zmin=-reach,
            zmax=reach,
            showscale=False,
            hoverongaps=False,
            xgap=1,
            ygap=1,
            hovertemplate="%{y}, %{x}: %{text}<extra></extra>",
        )
    )
    if len(columns) <= WRITTEN_AT_MOST:
        write_in_cells(figure, min(FONT_SIZE, 90 / len(columns)) if len(columns) > 6 else FONT_SIZE - 1)
    ticks = {"showgrid": False, "zeroline": False, "tickfont": {"size": FONT_SIZE}}
    figure.update_xaxes(
        tickvals=list(range(len(columns))),
        ticktext=[plain(each) for each in columns],
        tickangle=-60 if sum(map(len, columns)) > 3 * len(columns) else 0,
        **ticks,
    )
    figure.update_yaxes(tickvals=list(range(len(rows))), ticktext=list(rows), **ticks)
    if chosen:
        row, column = chosen
        box = {"x0": column - 0.48, "x1": column + 0.48, "y0": row - 0.46, "y1": row + 0.46}
        figure.add_shape(type="rect", line={"color": OCHRE, "width": 4}, **box)
    return figure


def written(share: float | None) -> str:
    """Return a share as its cell has it: nothing, or what rounding leaves of it, is 0.

    >>> written(1e-8), written(0.001), written(-0.25), written(None)
    ('0', '0.00', '−0.25', '')
    """
    return "" if share is None else "0" if abs(share) < ROUNDING else signed(share)


def layer_names(kind: str, layers: int) -> list[str]:
    """Return the names of the heat map's rows.

    >>> layer_names(STREAM, 2)
    ['0', '1', '2']
    """
    return [str(layer) for layer in range(0 if kind == STREAM else 1, layers + 1)]


def restored_table(
    found: Contrast,
    shares: np.ndarray,
    rows: Sequence[str],
    into: Sequence[str],
    donor: Sequence[str],
    partner: Mapping[int, int],
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return every patch with its difference of logits and what it restores; `into` are B's tokens."""
    low, high = found.ends
    cells = [(r, t) for r in range(len(shares)) for t in partner]
    restored = np.array([shares[cell] for cell in cells])
    table = pd.DataFrame(
        {
            "layer": [rows[r] for r, _ in cells],
            "place": [t + 1 for _, t in cells],
            "token of B": [into[t] for _, t in cells],
            "taken from": [donor[partner[t]] for _, t in cells],
            "z_a − z_b": low + restored * (high - low),
            "restored": restored,
        }
    )

    def formula(row: int, column: str) -> str | None:
        if column != "restored":
            return None
        d = float(table["z_a − z_b"][row])
        return (
            rf"\frac{{d - d_B}}{{d_A - d_B}} = \frac{{{number(d)} - ({number(low)})}}"
            rf"{{{number(high)} - ({number(low)})}} = {number(float(restored[row]))}"
        )

    return table, formula
