"""The learning curve: how often two methods are right, by how many documents they have learnt from."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.documents import WORDS
from core.figures.figure import Figure, scatter
from core.figures.palette import BLUE, GREY, OCHRE
from core.figures.worked import number, worked_wilson
from core.models.documents.learning_curve import LearningCurve

COLOURS = {"naive Bayes": BLUE, "logistic regression": OCHRE}
COLUMNS = ("learning_curve.x", "learning_curve.method", *(f"held_out.{key}" for key in ("right", "of")))
COLUMNS = (*COLUMNS, "learning_curve.share", "held_out.low", "held_out.high")
BESIDE = 1.03  # so that two intervals at one number do not lie on each other


def name_method(method: str) -> str:
    """Return what a method of a curve is called.

    >>> name_method("naive Bayes")
    'naive Bayes'
    """
    return WORDS.label(f"learning_curve.{method.replace(' ', '_')}")


def learning_curve_figure(curve: LearningCurve) -> Figure:
    """Return a line for each method, with 95% intervals, and a dotted one for always naming the most frequent class."""
    figure = blank(330, WORDS.label("learning_curve.x"), WORDS.label("learning_curve.y"))
    for place, (name, judged) in enumerate(curve.judged.items()):
        shares = np.array([each.accuracy for each in judged])
        ends = np.array([each.interval for each in judged])  # (n, 2)
        colour = COLOURS[name]
        figure.add_trace(
            scatter(
                x=np.array(curve.numbers) * BESIDE**place,
                y=shares,
                name=name_method(name),
                mode="lines+markers",
                line={"color": colour, "width": 3},
                marker={"size": 9},
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": ends[:, 1] - shares,
                    "arrayminus": shares - ends[:, 0],
                    "color": colour,
                    "thickness": 1.5,
                },
                customdata=[[n, *each.interval] for n, each in zip(curve.numbers, judged, strict=True)],
                hovertemplate=WORDS.label("learning_curve.hover") + "<extra></extra>",
            )
        )
    largest = next(iter(curve.judged.values()))[0].largest
    figure.add_hline(largest, line_dash="dot", line_color=GREY)
    figure.update_yaxes(tickformat=".0%")
    ticks = [f"{n:,}" for n in curve.numbers]
    return figure.update_xaxes(type="log", tickvals=list(curve.numbers), ticktext=ticks)


def learning_curve_table(curve: LearningCurve) -> tuple:
    """Return the numbers of the figure, and the formula of a cell."""
    points = [
        (n, name, judged)
        for name, each in curve.judged.items()
        for n, judged in zip(curve.numbers, each, strict=True)
    ]
    names = [WORDS.label(key) for key in COLUMNS]
    rows = [
        (n, name_method(name), judged.right, judged.documents, judged.accuracy, *judged.interval)
        for n, name, judged in points
    ]
    table = pd.DataFrame(rows, columns=names)

    def formula(row: int, column: str) -> str | None:
        judged = points[row][2]
        if column == names[4]:
            return rf"\frac{{{judged.right}}}{{{judged.documents}}} = {number(judged.accuracy)}"
        if column in names[5:]:
            return worked_wilson(judged.right, judged.documents, *judged.interval)
        return None

    return table, formula


def said_of_curve(curve: LearningCurve) -> str:
    """Return the sentence on how far both come with the fewest and with all documents.

    >>> from scipy.sparse import csr_matrix
    >>> from core.models.documents.bag_of_words import Bags
    >>> from core.models.documents.learning_curve import learning_curve
    >>> bags = Bags(("a", "b"), ("x", "y"), csr_matrix([[2.0, 0.0], [0.0, 1.0]] * 10), np.array([0, 1] * 10))
    >>> said_of_curve(learning_curve(bags, bags))
    'From 10 documents to 20, naive Bayes goes from 100.0% to 100.0% and logistic regression from 100.0% to 100.0%.'
    """
    methods = [
        {"name": name_method(name), "first": judged[0].accuracy, "last": judged[-1].accuracy}
        for name, judged in curve.judged.items()
    ]
    first, last = curve.numbers[0], curve.numbers[-1]
    return WORDS.label("learning_curve.said", first=first, last=last, methods=methods)
