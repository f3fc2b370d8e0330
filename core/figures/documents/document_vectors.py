"""Documents as points: the map, what each word adds to a cosine, how often labels keep together, tables with formulas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION
from core.figures.word_vectors.map_view import map_view
from core.figures.worked import number, signed, word, worked_wilson
from core.models.documents.document_vectors import Parts
from core.models.documents.nearest_documents import LeftOut
from core.models.documents.sign_test import sign_test
from core.models.word_vectors.projection import Projection

YOURS = "your text"
LETTERS = 18  # of a document's beginning, as its name
LABELS_COLOURED = 4  # the other labels' documents share a mark
BARS = 12
TERMS = 6  # of a sum, written out
COLUMNS = 4  # of a word's vector in the table


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
        names = [*names, YOURS]
        projection = replace(projection, coordinates=np.vstack([projection.coordinates, yours]))
    about = f"A map of {len(labels):,} documents; those of one label have one mark"
    return map_view(
        names,
        projection,
        about,
        turn=turn,
        chosen=chosen,
        neighbours=neighbours,
        theme_of=lambda name: theme_of.get(name, ""),
        clickable=True,
        noun="document",
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
        names.append(f"{len(rest)} other words")
        values.append(float(terms[rest].sum()))
    return names, values


def terms_figure(parts: Parts, terms: np.ndarray, measure: str) -> Figure:
    """Return a bar for what each of a document's words adds to the cosine (or dot product) with another."""
    names, values = largest_terms(parts, terms, BARS)
    figure = blank(70 + 30 * max(1, len(names)), f"added to the {measure}")
    figure.add_trace(
        bar(
            x=values,
            y=[f"{escape(name[:24], quote=False)} " for name in names],
            orientation="h",
            marker={"color": [VERMILLION if value < 0 else BLUE for value in values]},
            text=[signed(value, 3) for value in values],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{text}<extra></extra>",
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


def said_nearest(number: int, labels: Sequence[str], value: float, measure: str, what: str) -> str:
    """Return the sentence on the nearest documents: the first one's number, all their labels, the first one's measure.

    >>> said_nearest(3, ["good", "bad"], 0.25, "cosine", "your text")
    'Nearest to your text is document 3, good, cosine 0.250. Of the 2 nearest 1 is good.'
    """
    label, n = labels[0], len(labels)
    same = list(labels).count(label)
    of = "" if n == 1 else f" Of the {n} nearest {same} {'is' if same == 1 else 'are'} {label}."
    return f"Nearest to {what} is document {number}, {label}, {measure} {signed(value, 3)}.{of}"


def said_apart(found: Mapping[str, LeftOut], kind: str) -> str:
    """Return the sentence on which other kinds of vectors the one chosen is better than, and worse than.

    >>> found = {"counts": LeftOut(np.zeros(8), np.zeros(8, bool)), "tf-idf": LeftOut(np.zeros(8), np.arange(8) > 0)}
    >>> said_apart(found, "tf-idf")[:56]
    'On these same documents “tf-idf” is better than “counts”'
    >>> said_apart(found, "counts")[:55]
    'On these same documents “counts” is worse than “tf-idf”'
    """
    tests = {each: sign_test(found[kind].same, found[each].same) for each in found if each != kind}
    clear = {each: test.one > test.other for each, test in tests.items() if test.p < 0.05}
    sides = {
        "better": [f"“{each}”" for each, better in clear.items() if better],
        "worse": [f"“{each}”" for each, better in clear.items() if not better],
    }
    if not clear:
        return "On these same documents luck alone could set it as far apart from each of the others."
    apart = " and ".join(
        f"{side} than {', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}"
        for side, names in sides.items()
        if names
    )
    return f"On these same documents “{kind}” is {apart}: luck alone would set two so far apart in fewer than 5% of cases."


def quality_figure(found: Mapping[str, LeftOut], chosen: str, largest: float) -> Figure:
    """Return how often the nearest document has the same label, for each kind of vector, with its 95% interval."""
    names = list(found)
    shares = np.array([found[name].share for name in names])
    ends = np.array([found[name].interval for name in names])  # (kinds, 2)
    figure = blank(80 + 44 * len(names), "documents whose nearest has their label")
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
            customdata=ends,
            hovertemplate="%{y}: %{x:.1%}, 95% interval %{customdata[0]:.1%} to %{customdata[1]:.1%}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_vline(
        largest, line_dash="dot", line_color=GREY, annotation={"text": f"drawn at random: {largest:.0%}"}
    )
    low, high = min(largest, float(ends.min())), max(largest, float(ends.max()))
    figure.update_xaxes(tickformat=".0%", range=[low - 0.08, high + 0.06])
    return figure.update_yaxes(autorange="reversed", type="category")


def quality_table(found: Mapping[str, LeftOut]) -> tuple:
    """Return the numbers of the figure, and the formula of a cell."""
    kinds = list(found.values())
    table = pd.DataFrame(
        {
            "vectors": list(found),
            "right": [each.right for each in kinds],
            "of": [len(each.same) for each in kinds],
            "share": [each.share for each in kinds],
            "95% from": [each.interval[0] for each in kinds],
            "95% to": [each.interval[1] for each in kinds],
            "documents that are nearest to some other": [each.neighbours for each in kinds],
        }
    )

    def formula(row: int, column: str) -> str | None:
        right, n = kinds[row].right, len(kinds[row].same)
        if column == "share":
            return rf"\frac{{{right}}}{{{n}}} = {number(kinds[row].share)}"
        return worked_wilson(right, n, *kinds[row].interval) if column.startswith("95%") else None

    return table, formula


def weights_table(parts: Parts, df: Sequence[int], N: int, inverse: bool) -> tuple:
    """Return a document's words with count, document frequency and weight, and the formula of its cells.

    `inverse`: the counts are multiplied by idf; else the weights are the counts.
    """
    df = np.asarray(df)
    weights, length = parts.added.sum(axis=1), parts.length  # a word has but one number that is not 0
    idf = np.log((1 + N) / (1 + df)) + 1 if inverse else np.ones(len(df))
    table = pd.DataFrame(
        {
            "word": parts.words,
            "times here": parts.counts.astype(int),
            "documents with it": df,
            **({"idf": idf} if inverse else {}),
            "weight": weights,
            "divided by the length": weights / (length or 1),
        }
    )

    def formula(row: int, column: str) -> str | None:
        if column == "idf":
            return worked_idf(parts.words[row], int(df[row]), N)
        if column == "weight" and inverse:
            return worked_weight(parts.words[row], int(parts.counts[row]), int(df[row]), N)
        if column == "divided by the length":
            return rf"\frac{{{number(weights[row])}}}{{{number(length)}}} = {number(weights[row] / length)}"
        return None

    return table, formula


def worked_idf(name: str, df: int, N: int) -> str:
    r"""Return LaTeX of a word's idf.

    >>> worked_idf("lid", 3, 9)
    '\\text{idf}(\\text{lid}) = \\ln \\frac{1 + 9}{1 + 3} + 1 = 1.916'
    """
    idf = number(float(np.log((1 + N) / (1 + df)) + 1))
    return rf"\text{{idf}}({word(name[:24])}) = \ln \frac{{1 + {N}}}{{1 + {df}}} + 1 = {idf}"


def worked_weight(name: str, times: int, df: int, N: int) -> str:
    r"""Return LaTeX of one cell of tf-idf: the count times the idf.

    >>> worked_weight("lid", 2, 3, 9)
    '\\text{tf-idf}(\\text{lid}) = 2 \\cdot \\Big(\\ln \\frac{1 + 9}{1 + 3} + 1\\Big) = 2 \\cdot 1.916 = 3.833'
    """
    idf = float(np.log((1 + N) / (1 + df)) + 1)
    return (
        rf"\text{{tf-idf}}({word(name[:24])}) = {times} \cdot \Big(\ln \frac{{1 + {N}}}{{1 + {df}}} + 1\Big) = "
        rf"{times} \cdot {number(idf)} = {number(times * idf)}"
    )


def mean_table(parts: Parts) -> tuple:
    """Return the first numbers of the vectors of a document's words, in the last row their mean, and its formula."""
    n = parts.counts.sum()
    vectors = parts.added * n / parts.counts[:, None]  # (k, m)
    table = pd.DataFrame(
        {"word": [*parts.words, "(the mean)"], "times here": [*parts.counts.astype(int), int(n)]}
    )
    for j in range(min(COLUMNS, vectors.shape[1])):
        table[f"number {j + 1}"] = [*vectors[:, j], float(parts.vector[j])]

    def formula(row: int, column: str) -> str | None:
        if row < len(parts.words) or not column.startswith("number"):
            return None
        j = int(column.split()[1]) - 1
        pairs = [
            rf"{int(c)} \cdot ({number(v, 3)})"
            for c, v in zip(parts.counts[:TERMS], vectors[:TERMS, j], strict=True)
        ]
        rest = r" + \dots" if len(parts.words) > TERMS else ""
        return rf"\frac{{{' + '.join(pairs)}{rest}}}{{{int(n)}}} = {number(float(parts.vector[j]))}"

    return table, formula
