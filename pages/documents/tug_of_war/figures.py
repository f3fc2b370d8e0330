"""What both sums draw: the two classifiers as a machine, bars of their terms; the lab's figures and table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.layer_bars import make_panel, make_row
from core.figures.machine import arrow, machine, node
from core.figures.palette import BLUE, GREY, VERMILLION
from core.figures.worked import number, word
from core.models.documents.naive_bayes import NaiveBayes
from core.models.documents.tug_of_war import Pulls
from pages.documents.tug_of_war import LESSON

WORDS = LESSON.words
METHODS = ("bayes", "regression")
COLOURS = (BLUE, VERMILLION)
HUES = {"bayes": "blue", "regression": "vermillion"}
LETTERS = 14
TALL = 330  # pixels, at most, of the bars
SHOWN = 3  # words with a bar of their own in the story


def name_of(method: str) -> str:
    """Return a method's name as a learner reads it."""
    return WORDS.label(f"method.{method}")


# The story.


def draw_classifiers(kind: str, values: Mapping[str, object]) -> dict:
    """Return one text on its way through both classifiers; `kind` names the words in their boxes."""
    places = {
        "text": ((26, 2, 48, 20), (2, 2, 96, 17)),
        "bayes": ((2, 36, 44, 24), (1, 31, 47, 26)),
        "regression": ((54, 36, 44, 24), (52, 31, 47, 26)),
        "bayes.verdict": ((2, 74, 44, 24), (1, 71, 47, 27)),
        "regression.verdict": ((54, 74, 44, 24), (52, 71, 47, 27)),
    }
    nodes = [
        node(
            key,
            "box",
            wide,
            narrow,
            hue=HUES.get(key.split(".")[0], ""),
            title=WORDS.label(f"box.{kind}.{key}", **values),
            note=WORDS.label(f"box.{kind}.{key}.note", **values),
        )
        for key, (wide, narrow) in places.items()
    ]
    arrows = [arrow("text", method, hue=HUES[method], weight=0.25) for method in METHODS]
    arrows += [arrow(method, f"{method}.verdict", hue=HUES[method], weight=0.35) for method in METHODS]
    return machine(nodes, arrows)


Bar = tuple[str, float | None, str]  # of a bar: its name, its value (None: still to come), its text


def draw_panel(title: str, ends: tuple[float, float], rows: Sequence[Bar], hue: str, total: bool) -> dict:
    """Return a panel of the view "layer_bars"; the last row is drawn as a total where there is one."""
    return make_panel(
        title,
        float(ends[1]),
        [
            make_row(
                name,
                f"row.{i}",
                float(value or 0),
                text,
                kind="total" if total and i == len(rows) - 1 else "plain",
                hue=hue,
            )
            for i, (name, value, text) in enumerate(rows)
        ],
        least=float(ends[0]),
    )


def shown_words(pulled: Pulls) -> list[int]:
    """Return the places of the words that add most to either sum, in the order of the text."""
    order = np.argsort(-np.abs(pulled.terms).max(axis=0), kind="stable")[:SHOWN]
    return sorted(order.tolist())


def score_rows(pulled: Pulls, method: int, places: Sequence[int]) -> list[tuple[str, float]]:
    """Return where a score begins, what its words add, those without a bar together, and the score."""
    terms, rest = pulled.terms[method], [i for i in range(len(pulled.tokens)) if i not in places]
    rows = [(WORDS.label("row.start"), float(pulled.begin[method]))]
    rows += [(named(pulled.tokens[i], pulled.x[i]), float(terms[i])) for i in places]
    if rest:
        rows.append((WORDS.label("row.others"), float(terms[rest].sum())))
    return [*rows, (WORDS.label("row.score"), float(pulled.z[method]))]


def named(token: str, n: float) -> str:
    """Return a word, clipped, with how often the document has it."""
    return token[:LETTERS] if n == 1 else f"{token[:LETTERS]} ×{int(n)}"


# The lab.


def pulls_figure(pulled: Pulls, class_name: str) -> Figure:
    """Return bars of what each word adds to both sums, where both begin, and both sums."""
    tokens = [escape(named(*each), quote=False) for each in zip(pulled.tokens, pulled.x, strict=True)]
    names = [WORDS.label("row.start"), *tokens, WORDS.label("row.score")]
    rows = np.column_stack([pulled.begin, pulled.terms, pulled.z])  # (2, n + 2)
    places = list(range(len(names)))
    name = escape(class_name[:LETTERS], quote=False)
    figure = blank(80 + min(TALL, 26 * len(names)), WORDS.label("axis.score", name=name))
    for values, method, colour in zip(rows, map(name_of, METHODS), COLOURS, strict=True):
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


def repeated_figure(times: np.ndarray, p: np.ndarray, class_name: str, token: str) -> Figure:
    """Return both probabilities (2, T) against how many times (T,) the document has a word."""
    axes = WORDS.label("axis.times", token=token[:LETTERS]), f"p({class_name[:LETTERS]})"
    figure = blank(290, *(escape(each, quote=False) for each in axes))
    for values, method, colour in zip(p, map(name_of, METHODS), COLOURS, strict=True):
        line = {"color": colour, "width": 3}
        figure.add_trace(scatter(x=times, y=values, mode="lines+markers", name=method, line=line))
    return figure.update_yaxes(range=[-0.05, 1.05], tickvals=[0, 0.5, 1])


def pulls_table(
    pulled: Pulls, bayes: NaiveBayes, index: dict[str, int], both: Sequence[str], copies: int
) -> tuple:
    """Return what each word adds to both sums, and the formula of the cells."""
    methods = [name_of(method) for method in METHODS]
    table = pd.DataFrame(
        {
            WORDS.label("column.word"): [
                WORDS.label("row.start"),
                *pulled.tokens,
                WORDS.label("row.score"),
            ],
            WORDS.label("column.times"): [None, *pulled.x.astype(int).tolist(), None],
            **{
                method: [pulled.begin[place], *pulled.terms[place], pulled.z[place]]
                for place, method in enumerate(methods)
            },
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in one cell."""
        if column not in methods:
            return None
        place, n = methods.index(column), len(pulled.tokens)
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
    over = WORDS.label("over")
    return rf"({word(both[1][:LETTERS])} \text{{ {over} }} {word(both[0][:LETTERS])})"
