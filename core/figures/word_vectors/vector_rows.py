"""Vectors as what they are: rows of numbers, and the cosines of every two words as a square."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap, subplots
from core.figures.palette import DIVERGING
from core.figures.worked import signed
from core.models.word_vectors.word_vectors import WordVectors

WRITTEN = 12  # numbers of a row that fit in writing; the others are colours
NAMED = 40  # words whose names fit beside a square


def vector_rows(rows: Mapping[str, np.ndarray], height: int = 190) -> Figure:
    """Return the vectors of some words as rows of numbers, the first of them written out, all as colours."""
    names, values = list(rows), np.array(list(rows.values()), dtype=float)[:, :WRITTEN]
    reach = float(np.abs(values).max()) or 1.0
    figure = blank(height)
    figure.add_trace(
        heatmap(
            z=values,
            x=[f"{place}" for place in range(1, values.shape[1] + 1)],
            y=names,
            text=[[signed(float(value)) for value in row] for row in values],
            texttemplate="%{text}",
            textfont={"size": FONT_SIZE},
            colorscale=faint(),
            zmin=-reach,
            zmax=reach,
            showscale=False,
            hovertemplate="%{y}, dimension %{x}: %{z:.4f}<extra></extra>",
            xgap=2,
            ygap=6,
        )
    )
    figure.update_xaxes(type="category", title="dimension", side="top")
    figure.update_yaxes(autorange="reversed", type="category")
    return figure


def faint() -> list:
    """Return the diverging scale at half its strength, so that ink written upon it stays readable."""
    return [[place, colour.replace("1.0)", "0.45)")] for place, colour in DIVERGING]


def cosine_squares(sets: Mapping[str, WordVectors], height: int = 520) -> Figure:
    """Return for each named set the cosine of every word with every other, as squares beside each other."""
    figure = subplots(1, len(sets), tuple(sets), horizontal_spacing=0.12)
    figure.update_layout(blank(height).layout)
    for column, vectors in enumerate(sets.values(), 1):
        words: Sequence[str] = vectors.words[:NAMED]
        units = vectors.units[: len(words)]
        figure.add_trace(
            heatmap(
                z=np.round(units.astype(float) @ units.T.astype(float), 6),
                x=list(words),
                y=list(words),
                coloraxis="coloraxis",
                hovertemplate="%{y}, %{x}: %{z:.3f}<extra></extra>",
            ),
            row=1,
            col=column,
        )
    figure.update_layout(coloraxis={"colorscale": DIVERGING, "cmin": -1, "cmax": 1}, margin={"t": 40})
    figure.update_xaxes(type="category", tickfont={"size": 10}, dtick=1)
    figure.update_yaxes(type="category", autorange="reversed", tickfont={"size": 10}, dtick=1)
    return figure
