"""A hidden Markov model's tables, what an ending says, and a confusion matrix, each as a heat map with its numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap
from core.figures.heat_map import write_in_cells
from core.figures.hidden_markov_models import WORDS
from core.figures.label import label
from core.figures.palette import SEQUENTIAL
from core.models.hidden_markov_models.suffix_model import SuffixGuess


def format_table_probability(p: float) -> str:
    """Return a probability as a cell of a narrow table writes it: 0.00 is nearly 0, 0 is exactly 0.

    >>> format_table_probability(0.0094), format_table_probability(0.0)
    ('0.01', '0')
    """
    return f"{p:.0f}" if p in (0, 1) else f"{p:.2f}"


def table_figure(
    values: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    form: str = ".2f",
    texts: Sequence[Sequence[str]] | None = None,
    measure: str = "",
) -> Figure:
    """Return a table of probabilities or counts as a heat map with each number, or text, written in its cell.

    `measure` says what is written there, for who hears it; a probability by default.
    """
    texts = [[f"{value:{form}}" for value in row] for row in values] if texts is None else texts
    lines = 1 + texts[0][0].count("<br>")
    figure = blank(54 + (14 + 18 * lines) * len(rows))
    figure.add_trace(
        heatmap(
            x=[label(column) for column in columns],
            y=[label(row) for row in rows],
            z=values / (values.max() or 1),
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=4,  # the largest stays light enough to read the number in it
            showscale=False,
            text=texts,
            name=measure or WORDS.label("tables.measure"),
            hovertemplate="%{y} → %{x}: %{text}<extra></extra>",
        )
    )
    figure.update_xaxes(side="top", type="category", tickfont={"size": FONT_SIZE}, showgrid=False)
    figure.update_yaxes(autorange="reversed", type="category", tickfont={"size": FONT_SIZE}, showgrid=False)
    write_in_cells(figure)
    return figure


def name_shape(shape: str) -> str:
    """Return what a shape of words is called.

    >>> name_shape("digit")
    'digit'
    """
    return WORDS.label(f"tables.shape.{shape}")


def suffix_figure(guess: SuffixGuess, states: Sequence[str]) -> Figure:
    """Return p(tag | ending) as a heat map, one row an ending, from knowing nothing to the longest ending."""
    names = [
        WORDS.label("tables.rare"),
        *(f"{name_shape(step.shape)} …{label(step.suffix)}" for step in guess.steps[1:]),
    ]
    figure = blank(90 + 34 * len(names))
    values = np.array([step.probabilities for step in guess.steps])
    figure.add_trace(
        heatmap(
            x=list(states),
            y=names,
            z=values,
            zmin=0,
            zmax=1,
            colorscale=SEQUENTIAL,
            showscale=False,
            text=[[f"{value:.2f}" if value >= 0.005 else "" for value in row] for row in values],
            customdata=np.array([step.counts for step in guess.steps]),
            hovertemplate=WORDS.label("tables.ending.hover") + "<extra></extra>",
        )
    )
    figure.update_xaxes(side="top")
    figure.update_yaxes(autorange="reversed")
    write_in_cells(figure)
    return figure


def confusion_figure(confusion: np.ndarray, states: Sequence[str], height: int = 520) -> Figure:
    """Return a confusion matrix (K true, K given) as a heat map of the share of each true tag's words.

    Shares are coloured by their square root, so that the rare confusions can be seen at all.
    """
    shares = confusion / np.maximum(confusion.sum(axis=1, keepdims=True), 1)
    figure = blank(height, WORDS.label("tables.given"), WORDS.label("tables.true"))
    figure.add_trace(
        heatmap(
            x=list(states),
            y=list(states),
            z=np.sqrt(shares),
            zmin=0,
            zmax=1,
            colorscale=SEQUENTIAL,
            showscale=False,
            text=[
                [f"{share:.1%}" if count else "" for share, count in zip(*row, strict=True)]
                for row in zip(shares, confusion, strict=True)
            ],
            customdata=confusion,
            hovertemplate=WORDS.label("tables.confusion.hover") + "<extra></extra>",
        )
    )
    figure.update_xaxes(side="top", type="category", tickfont={"size": FONT_SIZE}, showgrid=False)
    figure.update_yaxes(autorange="reversed", type="category", tickfont={"size": FONT_SIZE}, showgrid=False)
    write_in_cells(figure)
    return figure
