"""A line of measured shares with their 95% intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from core.figures import WORDS
from core.figures.figure import FigurePart, scatter
from core.figures.worked import worked_wilson
from core.models.translation.bottleneck import Estimate


def share_line(
    name: str,
    estimates: Mapping[int | str, Estimate],
    colour: str,
    symbol: str = "circle",
    dash: str = "solid",
    hollow: bool = False,
) -> FigurePart:
    """Return shares against the number of words, {words: estimate}, numbers in their order, names as they come.

    >>> line = share_line("model", {"3–7": Estimate(0.5, 0.2, 0.8, 10)}, "#0072B2")
    >>> line.x, line.y, [round(each, 3) for each in line.error_y.array]
    (['3–7'], [0.5], [0.3])
    """
    lengths = list(estimates) if any(isinstance(length, str) for length in estimates) else sorted(estimates)
    found = [estimates[length] for length in lengths]
    return scatter(
        x=lengths,
        y=[estimate.value for estimate in found],
        mode="lines+markers",
        name=name,
        line={"color": colour, "dash": "dot" if hollow else dash, "width": 2.5},
        marker={"symbol": f"{symbol}-open" if hollow else symbol, "size": 11},
        error_y={
            "array": [estimate.high - estimate.value for estimate in found],
            "arrayminus": [estimate.value - estimate.low for estimate in found],
            "thickness": 1.5,
        },
        text=[WORDS.label("share_line.interval", low=estimate.low, high=estimate.high) for estimate in found],
        customdata=[[estimate.n, estimate.low, estimate.high] for estimate in found],
        hovertemplate=f"{WORDS.label('share_line.hover')}<extra>{name}</extra>",
    )


COLUMNS = {"share right": "share", "95% from": "from", "95% to": "to", "words kept": "kept"}


def table_of_lengths(
    rows: Sequence[Mapping[str, object]],
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return rows of lengths as a table, its columns by their heads, and the formula of its cells."""
    heads = {column: WORDS.label(f"share_line.column.{COLUMNS.get(column, column)}") for column in rows[0]}
    column_of = {head: column for column, head in heads.items()}
    return (
        pd.DataFrame(rows).rename(columns=heads),
        lambda row, head: worked_length(rows[row], column_of[head]),
    )


def worked_length(row: Mapping[str, float], column: str) -> str | None:
    """Return LaTeX of a cell in the table of lengths: the share of sentences right, or an end of its interval."""
    k, n = row["right"], row["sentences"]
    if column == "share right":
        return rf"p = \frac{{k}}{{n}} = \frac{{{k}}}{{{n}}} = {row[column]:.4f}"
    return worked_wilson(k, n, row["95% from"], row["95% to"]) if column.startswith("95%") else None
