"""Documents as vectors in pictures: ranked scenes, weights and terms as bars; the lab's map, figures and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.documents.worked_tf_idf import worked_idf, write_tf_idf
from core.figures.figure import Figure, bar, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION
from core.figures.word_vectors.map_view import map_view
from core.figures.worked import number, word, worked_wilson
from core.models.documents.document_vectors import Parts
from core.models.documents.nearest_documents import LeftOut
from core.models.documents.sign_test import sign_test
from core.models.word_vectors.projection import Projection
from core.words.numbers import signed
from pages.documents.document_vectors import LESSON

WORDS = LESSON.words
LETTERS = 18  # of a document's beginning, as its name
LABELS_COLOURED = 4  # the other labels' documents share a mark
BARS = 12
TERMS = 6  # of a sum, written out
COLUMNS = 4  # of a word's vector in the table
QUALITY = ("vectors", "right", "of", "share", "low", "high", "neighbours")
WEIGHTS = ("word", "times", "documents", "idf", "weight", "divided")


# The story.


def draw_bars(
    title: str,
    rows: Sequence[tuple[str, str, float, str]],
    most: float,
    best: Sequence[str] = (),
    told: bool = True,
    sum_: str = "",
) -> dict:
    """Return bars from 0: for each its key, its name, its value and the text at its end; the `best` stand out."""
    return join_panels(
        make_panel(
            title,
            most,
            [
                make_row(
                    name,
                    f"row.{key}",
                    value if told else 0,
                    text if told else "?",
                    kind="best" if told and key in best else "plain",
                    hue="vermillion" if told and key in best else "blue",
                )
                for key, name, value, text in rows
            ],
        ),
        sum_=sum_,
    )


# The lab.


def names_of(texts: Sequence[str]) -> list[str]:
    """Return a name for each document: its number, and how it begins.

    >>> names_of(["A dull lid", "My Norva lamp: the handle is not sturdy"])
    ['1 A dull lid', '2 My Norva lamp: the…']
    """
    cut = [" ".join(text[: 4 * LETTERS].split()) for text in texts]
    return [
        f"{i} {each if len(each) <= LETTERS else each[:LETTERS].rstrip() + '…'}"
        for i, each in enumerate(cut, 1)
    ]


def name_typed() -> str:
    """Return the name of the point of what is typed; that of a document begins with its number."""
    return WORDS.label("asked.typed")


def document_map_view(
    names: Sequence[str],
    labels: Sequence[str],
    projection: Projection,
    turn: np.ndarray,
    yours: np.ndarray | None = None,
    chosen: str = "",
    neighbours: Sequence[str] = (),
) -> dict:
    """Return the data of the view "map": documents as points with their labels' marks; `yours` is placed among them."""
    largest = sorted(Counter(labels).items(), key=lambda pair: (-pair[1], pair[0]))
    shown = {label for label, _ in largest[:LABELS_COLOURED]}
    theme_of = {name: label for name, label in zip(names, labels, strict=True) if label in shown}
    if yours is not None:
        names = [*names, name_typed()]
        projection = replace(projection, coordinates=np.vstack([projection.coordinates, yours]))
    about = WORDS.label("map_drawn.alt", N=len(labels))
    return map_view(
        names,
        projection,
        about,
        turn=turn,
        chosen=chosen,
        neighbours=neighbours,
        theme_of=lambda name: theme_of.get(name, ""),
        clickable=True,
        noun=WORDS.label("document"),
        height=340,
    )


def map_picture(labels: Sequence[str], projection: Projection) -> Figure:
    """Return every third document as a point in its label's colour, without names."""
    figure = blank(300)
    labels, points = labels[::3], projection.coordinates[::3]
    for label, colour in zip(sorted(set(labels)), (VERMILLION, BLUE, OCHRE, GREY), strict=False):
        places = points[[each == label for each in labels]]
        figure.add_trace(
            scatter(x=places[:, 0], y=places[:, 1], mode="markers", marker={"color": colour, "size": 6})
        )
    return figure


def largest_terms(parts: Parts, terms: np.ndarray, most: int) -> tuple[list[str], list[float]]:
    """Return the words that add most to a cosine and what they add, and in a last row what all others add together.

    >>> parts = Parts(("a", "b", "c", "d"), np.ones(4), np.eye(4))
    >>> largest_terms(parts, np.array([0.25, -0.5, 0.125, 0.0]), 1)
    (['b', '2 other words'], [-0.5, 0.375])
    """
    order = [int(i) for i in np.argsort(-abs(terms), kind="stable") if terms[i]]
    most += len(order) == most + 1  # a single word that is left over has room for its name
    shown, rest = order[:most], order[most:]
    names, values = [parts.words[i] for i in shown], [float(terms[i]) for i in shown]
    if rest:
        names.append(WORDS.label("others", n=len(rest)))
        values.append(float(terms[rest].sum()))
    return names, values


def terms_figure(parts: Parts, terms: np.ndarray, measure: str) -> Figure:
    """Return a bar for what each of a document's words adds to the cosine (or dot product) with another."""
    names, values = largest_terms(parts, terms, BARS)
    figure = blank(70 + 30 * max(1, len(names)), WORDS.label("axis.added", measure=measure))
    figure.add_trace(
        bar(
            x=values,
            y=[f"{escape(name[:24], quote=False)} " for name in names],
            orientation="h",
            marker={"color": [VERMILLION if value < 0 else BLUE for value in values]},
            text=[signed(value, 3) for value in values],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{text}<extra></extra>",
            showlegend=False,
        )
    )
    low, high = min([0.0, *values]), max([1e-9, *values])
    figure.update_xaxes(range=[low - 0.18 * (high - low) * (low < 0), high + 0.15 * (high - low)])
    return figure.update_yaxes(autorange="reversed", type="category")


def worked_sum(parts: Parts, terms: np.ndarray, measure: str) -> str:
    r"""Return LaTeX of a cosine as the sum of what the words add.

    >>> worked_sum(Parts(("a", "b"), np.ones(2), np.eye(2)), np.array([0.25, 0.5]), "cosine")
    '\\text{cosine} = \\underbrace{0.5}_{\\text{b}} + \\underbrace{0.25}_{\\text{a}} = 0.75'
    """
    names, values = largest_terms(parts, terms, TERMS)
    added = " + ".join(
        rf"\underbrace{{{f'({number(v)})' if v < 0 else number(v)}}}_{{{word(name[:24])}}}"
        for name, v in zip(names, values, strict=True)
    )
    return rf"\text{{{measure}}} = {added or '0'} = {number(float(terms.sum()))}"


def apart(found: Mapping[str, LeftOut], kind: str) -> dict[str, list[str]]:
    """Return the other kinds of vectors than which the one chosen is "better", and "worse" (sign test, p < 0.05).

    >>> found = {"counts": LeftOut(np.zeros(8), np.zeros(8, bool)), "tf-idf": LeftOut(np.zeros(8), np.arange(8) > 0)}
    >>> apart(found, "tf-idf")
    {'better': ['counts'], 'worse': []}
    """
    tests = {each: sign_test(found[kind].same, found[each].same) for each in found if each != kind}
    clear = {each: test.one > test.other for each, test in tests.items() if test.p < 0.05}
    return {
        "better": [each for each, better in clear.items() if better],
        "worse": [each for each, better in clear.items() if not better],
    }


def quality_figure(found: Mapping[str, LeftOut], chosen: str, largest: float) -> Figure:
    """Return how often the nearest document has the same label, for each kind of vector, with its 95% interval."""
    names = list(found)
    shares = np.array([found[name].share for name in names])
    ends = np.array([found[name].interval for name in names])  # (kinds, 2)
    figure = blank(80 + 44 * len(names), WORDS.label("axis.quality"))
    figure.add_trace(
        scatter(
            x=shares,
            y=[f"{name} " for name in names],
            mode="markers",
            marker={"size": 12, "color": [BLUE if name == chosen else GREY for name in names]},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": ends[:, 1] - shares,
                "arrayminus": shares - ends[:, 0],
                "color": GREY,
                "thickness": 2,
            },
            hovertext=[f"{share:.1%} ({a:.1%}–{b:.1%})" for share, (a, b) in zip(shares, ends, strict=True)],
            hovertemplate="%{hovertext}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_vline(
        largest, line_dash="dot", line_color=GREY, annotation={"text": WORDS.label("chance", share=largest)}
    )
    low, high = min(largest, float(ends.min())), max(largest, float(ends.max()))
    figure.update_xaxes(tickformat=".0%", range=[low - 0.08, high + 0.06])
    return figure.update_yaxes(autorange="reversed", type="category")


def quality_table(found: Mapping[str, LeftOut]) -> tuple:
    """Return the numbers of the figure, and the formula of a cell."""
    kinds = list(found.values())
    columns = [WORDS.label(f"quality.{each}") for each in QUALITY]
    cells = (
        list(found),
        [each.right for each in kinds],
        [len(each.same) for each in kinds],
        [each.share for each in kinds],
        [each.interval[0] for each in kinds],
        [each.interval[1] for each in kinds],
        [each.neighbours for each in kinds],
    )
    table = pd.DataFrame(dict(zip(columns, cells, strict=True)))

    def formula(row: int, column: str) -> str | None:
        right, n = kinds[row].right, len(kinds[row].same)
        if column == columns[3]:
            return rf"\frac{{{right}}}{{{n}}} = {number(kinds[row].share)}"
        return worked_wilson(right, n, *kinds[row].interval) if column in columns[4:6] else None

    return table, formula


def weights_table(parts: Parts, df: Sequence[int], N: int, inverse: bool) -> tuple:
    """Return a document's words with count, document frequency and weight, and the formula of its cells.

    `inverse`: the counts are multiplied by idf; else the weights are the counts.
    """
    df = np.asarray(df)
    weights, length = parts.added.sum(axis=1), parts.length  # a word has but one number that is not 0
    idf = np.log((1 + N) / (1 + df)) + 1 if inverse else np.ones(len(df))
    columns = {each: WORDS.label(f"weights.{each}") for each in WEIGHTS if inverse or each != "idf"}
    cells = {
        "word": parts.words,
        "times": parts.counts.astype(int),
        "documents": df,
        "idf": idf,
        "weight": weights,
        "divided": weights / (length or 1),
    }
    table = pd.DataFrame({name: cells[each] for each, name in columns.items()})

    def formula(row: int, column: str) -> str | None:
        if column == columns.get("idf"):
            return worked_idf(parts.words[row], int(df[row]), N)
        if column == columns["weight"] and inverse:
            return write_tf_idf(parts.words[row], int(parts.counts[row]), int(df[row]), N)
        if column == columns["divided"]:
            return rf"\frac{{{number(weights[row])}}}{{{number(length)}}} = {number(weights[row] / length)}"
        return None

    return table, formula


def mean_table(parts: Parts) -> tuple:
    """Return the first numbers of the vectors of a document's words, in the last row their mean, and its formula."""
    n = parts.counts.sum()
    vectors = parts.added * n / parts.counts[:, None]  # (k, m)
    last = WORDS.label("mean.last")
    table = pd.DataFrame(
        {
            WORDS.label("weights.word"): [*parts.words, last],
            WORDS.label("weights.times"): [*parts.counts.astype(int), int(n)],
        }
    )
    numbered = {WORDS.label("mean.number", j=j + 1): j for j in range(min(COLUMNS, vectors.shape[1]))}
    for name, j in numbered.items():
        table[name] = [*vectors[:, j], float(parts.vector[j])]

    def formula(row: int, column: str) -> str | None:
        if row < len(parts.words) or column not in numbered:
            return None
        j = numbered[column]
        pairs = [
            rf"{int(c)} \cdot ({number(v, 3)})"
            for c, v in zip(parts.counts[:TERMS], vectors[:TERMS, j], strict=True)
        ]
        rest = r" + \dots" if len(parts.words) > TERMS else ""
        return rf"\frac{{{' + '.join(pairs)}{rest}}}{{{int(n)}}} = {number(float(parts.vector[j]))}"

    return table, formula
