"""Two sums side by side: what each word adds to naive Bayes's and to logistic regression's, and a word said often."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.palette import BLUE, GREY, VERMILLION
from core.figures.worked import number, word
from core.models.documents.naive_bayes import NaiveBayes
from core.models.documents.tug_of_war import Pulls

METHODS = ("naive Bayes", "logistic regression")
COLOURS = (BLUE, VERMILLION)
LETTERS = 14
TALL = 330  # pixels, at most, of the bars


def pulls_figure(pulled: Pulls, class_name: str) -> Figure:
    """Return bars of what each word adds to both sums, where both begin, and both sums."""
    names = [
        "begin",
        *(_named(token, n) for token, n in zip(pulled.tokens, pulled.x, strict=True)),
        "the sum",
    ]
    rows = np.column_stack([pulled.begin, pulled.terms, pulled.z])  # (2, n + 2)
    places = list(range(len(names)))
    figure = blank(
        80 + min(TALL, 26 * len(names)), f"against ← → for {escape(class_name[:LETTERS], quote=False)}"
    )
    for values, method, colour in zip(rows, METHODS, COLOURS, strict=True):
        figure.add_trace(
            bar(
                x=values,
                y=places,
                orientation="h",
                name=method,
                marker={"color": colour},
                hovertemplate=f"%{{x:.3f}}<extra>{method}</extra>",
            )
        )
    figure.add_hline(len(names) - 1.5, line={"color": GREY, "width": 1})
    figure.update_layout(barmode="group", bargap=0.25)
    figure.update_xaxes(zeroline=True, zerolinewidth=2)
    return figure.update_yaxes(tickvals=places, ticktext=names, autorange="reversed", showgrid=False)


def _named(token: str, n: float) -> str:
    name = escape(token[:LETTERS], quote=False)
    return name if n == 1 else f"{name} ×{int(n)}"


def repeated_figure(times: np.ndarray, p: np.ndarray, class_name: str, token: str) -> Figure:
    """Return both probabilities (2, T) against how many times (T,) a word is said."""
    said = escape(token[:LETTERS], quote=False)
    figure = blank(290, f"times that “{said}” is said", f"p({escape(class_name[:LETTERS], quote=False)})")
    for values, method, colour in zip(p, METHODS, COLOURS, strict=True):
        line = {"color": colour, "width": 3}
        figure.add_trace(scatter(x=times, y=values, mode="lines+markers", name=method, line=line))
    return figure.update_yaxes(range=[-0.05, 1.05], tickvals=[0, 0.5, 1])


def pulls_table(
    pulled: Pulls, bayes: NaiveBayes, index: dict[str, int], both: Sequence[str], copies: int
) -> tuple:
    """Return what each word adds to both sums, and the formula of the cells."""
    table = pd.DataFrame(
        {
            "word": ["(begin)", *pulled.tokens, "(the sum)"],
            "times": [None, *pulled.x.astype(int).tolist(), None],
            **{
                method: [pulled.begin[place], *pulled.terms[place], pulled.z[place]]
                for place, method in enumerate(METHODS)
            },
        }
    )

    def formula(row: int, column: str) -> str | None:
        if column not in METHODS:
            return None
        place, n = METHODS.index(column), len(pulled.tokens)
        if row == n + 1:
            added = " + ".join(f"({number(value)})" for value in [pulled.begin[place], *pulled.terms[place]])
            return f"z = {added} = {number(pulled.z[place])}"
        if row == 0:
            prior = rf"\ln \frac{{{int(bayes.documents_[1])}}}{{{int(bayes.documents_[0])}}} = "
            return (prior if place == 0 else "b = ") + number(pulled.begin[place])
        token, each, x = pulled.tokens[row - 1], pulled.each[place, row - 1], pulled.x[row - 1]
        if place:
            name = word(token[:LETTERS])
            return rf"{number(x)} \cdot w_{{{name}}} = {number(x)} \cdot {number(each)} = {number(x * each)}"
        v = index[token]
        ratio = "".join(_share(bayes, c, v) + (r" \Big/ " if c else "") for c in (1, 0))
        many = rf"{copies} \cdot " if copies > 1 else ""
        return rf"{number(x)} \cdot {many}\ln \left( {ratio} \right) = {number(x * each)} \qquad {_for(both)}"

    return table, formula


def _share(bayes: NaiveBayes, c: int, v: int) -> str:
    n, total, a = int(bayes.counts_[c, v]), int(bayes.counts_[c].sum()), number(bayes.alpha)
    return rf"\frac{{{n} + {a}}}{{{total} + {a} \cdot {bayes.counts_.shape[1]}}}"


def _for(both: Sequence[str]) -> str:
    return rf"({word(both[1][:LETTERS])} \text{{ over }} {word(both[0][:LETTERS])})"
