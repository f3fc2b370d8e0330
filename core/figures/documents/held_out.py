"""What held-out documents were taken for: a confusion matrix with its counts, and its cells' formulas."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.documents import WORDS
from core.figures.figure import Figure, heatmap
from core.figures.heat_map import write_in_cells
from core.figures.palette import SEQUENTIAL
from core.figures.worked import number, worked_wilson
from core.models.documents.held_out import Confusion

LETTERS = 16


def no_class() -> str:
    """Return what stands in place of a class where every class has probability 0."""
    return WORDS.label("held_out.no_class")


def class_confusion_figure(judged: Confusion, classes: Sequence[str]) -> Figure:
    """Return how many held-out documents of each class (row) were given which class (column)."""
    columns = judged.confusion if judged.undecided else judged.confusion[:, :-1]
    shares = columns / np.maximum(judged.confusion.sum(axis=1, keepdims=True), 1)
    names = short_names(classes)
    figure = blank(90 + 44 * len(classes), WORDS.label("held_out.given"), WORDS.label("held_out.true"))
    figure.add_trace(
        heatmap(
            x=[*names, no_class()][: columns.shape[1]],
            y=names,
            z=np.sqrt(shares),
            zmin=0,
            zmax=1,
            colorscale=SEQUENTIAL,
            showscale=False,
            text=[[f"{n:,}" for n in row] for row in columns.tolist()],
            customdata=shares,
            hovertemplate=WORDS.label("held_out.hover") + "<extra></extra>",
        )
    )
    figure.update_xaxes(side="top", type="category", tickfont={"size": FONT_SIZE}, showgrid=False)
    figure.update_yaxes(autorange="reversed", type="category", tickfont={"size": FONT_SIZE}, showgrid=False)
    write_in_cells(figure)
    return figure


def short_names(classes: Sequence[str]) -> list[str]:
    """Return names that fit beside a picture, each another.

    >>> short_names(["sports", "a very long name of a class"])
    ['sports', 'a very long nam…']
    """
    cut = [name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…" for name in classes]
    return [
        escape(name if cut.count(name) == 1 else f"{place + 1} {name}", quote=False)
        for place, name in enumerate(cut)
    ]


def accuracy_table(judged: Confusion) -> tuple:
    """Return the accuracy with its interval, and the formula of its cells."""
    low, high = judged.interval
    n = judged.documents
    names = [WORDS.label(f"held_out.{what}") for what in ("right", "of", "accuracy", "low", "high")]
    row = [judged.right, n, judged.accuracy, low, high]
    table = pd.DataFrame({name: [value] for name, value in zip(names, row, strict=True)})

    def formula(_row: int, column: str) -> str | None:
        if column == names[2]:
            return rf"\frac{{{judged.right}}}{{{n}}} = {number(judged.accuracy)}"
        return worked_wilson(judged.right, n, low, high) if column in names[3:] else None

    return table, formula
