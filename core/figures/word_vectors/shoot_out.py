"""The shoot-out's board: each method's neighbours with how many methods share them, its scores, who agrees with whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, Part, heatmap, scatter, subplots
from core.figures.heat_map import write_in_cells
from core.figures.palette import BLUE, GREY, SEQUENTIAL
from core.figures.worked import cosine, number
from core.models.word_vectors.shoot_out import METHODS
from core.models.word_vectors.shoot_out_board import FEW, MEASURES, Score, named_by
from core.models.word_vectors.vector_tests import spearman_interval
from core.models.word_vectors.word_vectors import WordVectors

HUES = ("grey", "ochre", "pink", "sky", "blue")  # of a word that one method names, two, three, four, all five
TITLES = {"similarity": "Spearman", "analogies": "analogies", "seconds": "seconds"}
LEARNS_FROM = {
    "PPMI-SVD": "cells of the matrix, once",
    "CBOW": "windows, again and again",
    "skip-gram": "windows, again and again",
    "fastText": "windows, and n-grams of each word",
    "GloVe": "cells of the matrix, again and again",
}


def board_view(near: Mapping[str, Sequence[str]], word: str) -> dict:
    """Return the data of the view "tagged_text": a line a method, the words it names, below each by how many it is named.

    >>> board_view({"CBOW": ["queen"], "GloVe": ["queen"]}, "king")["sentences"][1][0]["tag"]
    '2 of 2'
    """
    n, counts = len(near), named_by(near)
    plain = {"unseen": False, "differs": ""}
    return {
        "names": list(near),
        "label": f"The words nearest to {word} by {n} methods; choose one to look it up.",
        "sentences": [
            [{"word": each, "tag": f"{counts[each]} of {n}", **plain} for each in line]
            for line in near.values()
        ],
        "chosen": -1,
        "colours": {
            f"{count} of {n}": f"var(--{HUES[count * len(HUES) // n - 1]})" for count in range(1, n + 1)
        },
    }


def scores_figure(scores: Sequence[Score], beside: Sequence[Score] = (), height: int = 370) -> Figure:
    """Return a row a method, and two panels: of rank correlation, analogies and seconds the first two that are known.

    `beside` are the scores before something was taken away, in grey.
    """
    shown = [name for name, (_, known) in MEASURES.items() if all(map(known, (*scores, *beside)))][:2]
    figure = subplots(
        1, len(shown), tuple(TITLES[name] for name in shown), horizontal_spacing=0.1, shared_yaxes=True
    )
    figure.update_layout(blank(height).layout, margin={"t": 30}, showlegend=False)
    for some, colour, size in ((beside, GREY, 10), (scores, BLUE, 13)):
        for column, name in enumerate(shown if some else (), 1):
            figure.add_trace(dots(some, name, colour, size), 1, column)
    for column, name in enumerate(shown, 1):
        form = ".0%" if name == "analogies" else ""
        figure.update_xaxes(
            1, column, nticks=4, rangemode="tozero", tickformat=form, tickfont={"size": FONT_SIZE}
        )
    return figure.update_annotations(font_size=FONT_SIZE).update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=list(METHODS),
        range=[len(METHODS) - 0.5, -0.5],
        tickfont={"size": FONT_SIZE},
    )


def dots(scores: Sequence[Score], name: str, colour: str, size: int) -> Part:
    """Return a dot a method for one of MEASURES, with its interval where it is a rank correlation."""
    told = {
        "analogies": [f"{each.right:,} of {each.asked:,}" for each in scores],
        "seconds": [f"{each.seconds:.1f} s" for each in scores],
    }
    x, reach = [abs(MEASURES[name][0](each)) for each in scores], None
    if name == "similarity":
        x, ends = [each.similarity.spearman for each in scores], [each.interval for each in scores]
        told[name] = [f"{rho:.3f}, {low:.2f} to {high:.2f}" for rho, (low, high) in zip(x, ends, strict=True)]
        reach = {
            "type": "data",
            "symmetric": False,
            "color": colour,
            "array": [high - rho for rho, (_, high) in zip(x, ends, strict=True)],
            "arrayminus": [rho - low for rho, (low, _) in zip(x, ends, strict=True)],
        }
    return scatter(
        x=x,
        y=[each.method for each in scores],
        mode="markers",
        marker={"color": colour, "size": size},
        error_x=reach,
        cliponaxis=False,
        customdata=told[name],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
    )


def overlap_figure(shares: np.ndarray, names: Sequence[str], height: int = 320) -> Figure:
    """Return how many of their nearest words each two methods share on average, shares (n, n); the diagonal is empty."""
    cells = [[None if i == j else float(shares[i, j]) for j in range(len(names))] for i in range(len(names))]
    figure = blank(height)
    figure.add_trace(
        heatmap(
            z=cells,
            x=list(names),
            y=list(names),
            text=[["" if each is None else f"{each:.0%}" for each in row] for row in cells],
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=1,
            showscale=False,
            hovertemplate="%{y} and %{x}: %{z:.1%}<extra></extra>",
            xgap=2,
            ygap=2,
        )
    )
    write_in_cells(figure)
    figure.update_xaxes(type="category", side="top")
    return figure.update_yaxes(type="category", autorange="reversed")


def methods_table(scores: Sequence[Score]) -> pd.DataFrame:
    """Return the board in numbers, a row a method."""
    rows = [
        {
            "method": each.method,
            "learns from": LEARNS_FROM[each.method],
            "examples": each.examples,
            "parameters": each.parameters,
            "seconds": each.seconds,
            "Spearman": each.similarity.spearman if each.similarity.pairs >= FEW else np.nan,
            "from": each.interval[0] if each.similarity.pairs >= FEW else np.nan,
            "to": each.interval[1] if each.similarity.pairs >= FEW else np.nan,
            "pairs": each.similarity.pairs,
            "analogies": each.solved if each.asked else np.nan,
            "solved": each.right,
            "asked": each.asked,
        }
        for each in scores
    ]
    return pd.DataFrame(rows)


def worked_method(each: Score, column: str) -> str | None:
    r"""Return the formula of a cell of `methods_table`; None for what was counted or timed.

    >>> from core.models.word_vectors.vector_tests import SimilarityScore
    >>> worked_method(Score("GloVe", SimilarityScore(0.6, 100, 0), 3, 4, 1.0, 1, 1), "from")
    '\\tanh\\left(\\operatorname{artanh} 0.6 - 1.96 \\sqrt{\\frac{1 + 0.6^2 / 2}{100 - 3}}\\right) = 0.4438'
    >>> worked_method(Score("GloVe", SimilarityScore(0.6, 100, 0), 3, 4, 1.0, 1, 1), "analogies")
    '\\frac{3}{4} = 0.75'
    """
    if column == "analogies" and each.asked:
        return rf"\frac{{{each.right}}}{{{each.asked}}} = {number(each.solved)}"
    rho, n = each.similarity.spearman, each.similarity.pairs
    if column in ("from", "to") and n >= FEW:
        sign, end = dict(zip(("from", "to"), zip("-+", spearman_interval(rho, n), strict=True), strict=True))[
            column
        ]
        return (
            rf"\tanh\left(\operatorname{{artanh}} {number(rho)} {sign} 1.96 "
            rf"\sqrt{{\frac{{1 + {number(rho)}^2 / 2}}{{{n} - 3}}}}\right) = {number(end)}"
        )
    return None


def rated_table(vectors: WordVectors, rated: Sequence[tuple[str, str, float]]) -> tuple:
    """Return the rated pairs whose words are known with both their ranks, and the formula of each cosine.

    Spearman's correlation is the ordinary one of the two columns of ranks, in which equal values share their mean rank.
    """
    known = [pair for pair in rated if pair[0] in vectors and pair[1] in vectors]
    cosines = [vectors.similarity(one, other) for one, other, _ in known]
    table = pd.DataFrame(known, columns=["word", "other word", "people's rating"])
    table["rank of the rating"] = rankdata(table["people's rating"]) if known else []
    table["cosine"] = cosines
    table["rank of the cosine"] = rankdata(cosines) if known else []

    def formula(row: int, column: str) -> str | None:
        one, other, _ = known[row]
        return cosine(vectors[one], vectors[other], one, other) if column == "cosine" else None

    return table, formula
