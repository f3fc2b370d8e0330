"""Search: passages with their scores as bars, what occurrences are worth as curves, and the tables of the lab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, GREY, VERMILLION
from core.models.documents.bm25 import saturate
from core.words.numbers import format_number
from pages.documents.search import LESSON

WORDS = LESSON.words
SHOWN = 5  # passages of a ranking
MOST_TIMES, LONGEST = 10, 4.0  # of the curves: occurrences, and lengths in mean lengths
ROOM = 1.25  # beside the longest bar, for its number


def draw_ranking(
    titles: Sequence[str], scores: np.ndarray, answers: Sequence[int], title: str, digits: int = 2
) -> dict:
    """Return the first passages of a ranking as bars, and below them the best answer where it is not among them."""
    order = [int(each) for each in np.argsort(-scores, kind="stable")[:SHOWN]]
    best = max(answers, key=lambda each: scores[each]) if answers else None
    if best is not None and best not in order:
        order = [*order[:-1], best]
    rows = [
        make_row(
            titles[each],
            f"row.{place}",
            max(float(scores[each]), 0.0),
            format_number(scores[each], digits),
            hue="green" if each in answers else "blue",
        )
        for place, each in enumerate(order)
    ]
    return join_panels(make_panel(title, ROOM * max(float(scores.max()), 1e-9), rows))


def draw_parts(words: Sequence[str], weights: Sequence[float], worths: Sequence[float], title: str) -> dict:
    """Return what each word of a query adds to a passage's score, weight times worth, and their sum."""
    parts = [weight * worth for weight, worth in zip(weights, worths, strict=True)]
    rows = [
        make_row(
            word,
            f"part.{place}",
            part,
            WORDS.label("part", weight=format_number(weights[place]), worth=format_number(worths[place])),
        )
        for place, (word, part) in enumerate(zip(words, parts, strict=True))
    ]
    terms = " + ".join(map(format_number, parts))
    total = f"{terms} = {format_number(sum(parts))}"
    return join_panels(make_panel(title, 1.9 * max(*parts, 1e-9), rows), sum_=total)


def draw_means(title: str, means: Mapping[str, float]) -> dict:
    """Return a bar from 0 to 1 for each way to search."""
    best = max(means.values())
    rows = [
        make_row(
            WORDS.label(f"way.{way}"),
            f"way.{way}",
            value,
            format_number(value),
            kind="best" if value == best else "plain",
        )
        for way, value in means.items()
    ]
    return join_panels(make_panel(title, ROOM, rows))


def draw_bits(title: str, bits: Mapping[str, float]) -> dict:
    """Return a bar of bits for each passage that the reader was given."""
    rows = [
        make_row(
            WORDS.label(f"given.{name}"),
            f"given.{name}",
            value,
            format_number(value, 1),
            hue="green" if name == "right" else "blue",
        )
        for name, value in bits.items()
    ]
    return join_panels(make_panel(title, ROOM * max(bits.values()), rows))


def draw_saturation(k1: float, named: bool = True) -> Figure:
    """Return what tf occurrences are worth in a passage of mean length: with k1, and each as much as the first."""
    times = np.arange(MOST_TIMES + 1)
    figure = blank(
        420, WORDS.label("axis.times") if named else "", WORDS.label("axis.worth") if named else ""
    )
    for name, y, hue in (("straight", times, GREY), ("bm25", saturate(times, 1.0, k1, 0.0), BLUE)):
        figure.add_trace(
            scatter(
                x=times,
                y=y,
                mode="lines+markers",
                line_color=hue,
                line_width=3,
                marker_size=8,
                name=WORDS.label(f"curve.{name}"),
                showlegend=named,
            )
        )
    return figure.update_yaxes(range=[0, MOST_TIMES / 2 + 0.2])


def draw_length(tf: int, k1: float, b: float, lengths: Mapping[str, float]) -> Figure:
    """Return what tf occurrences are worth by the passage's length, with passages {title: length} as dots."""
    x = np.linspace(0.2, LONGEST, 60)
    figure = blank(420, WORDS.label("axis.length"), WORDS.label("axis.worth"))
    figure.add_trace(
        scatter(x=x, y=saturate(tf, x, k1, b), mode="lines", line_color=GREY, line_width=3, showlegend=False)
    )
    for title, length in lengths.items():
        hue = VERMILLION if length > 1.5 else BLUE
        figure.add_trace(
            scatter(
                x=[length],
                y=[float(saturate(tf, length, k1, b))],
                mode="markers+text",
                marker_color=hue,
                marker_size=16,
                text=[title],
                textposition="top left" if length > LONGEST / 2 else "top right",
                textfont_color=hue,
                showlegend=False,
            )
        )
    return figure.update_yaxes(range=[0, 2.4]).update_xaxes(range=[0, LONGEST + 0.1])


def scores_table(
    titles: Sequence[str], words: Sequence[str], parts: np.ndarray, columns: Mapping[str, np.ndarray]
) -> pd.DataFrame:
    """Return each passage with its score by every way, and what each word adds to its BM25 score."""
    table = {WORDS.label("column.passage"): list(titles)}
    table |= {WORDS.label(f"way.{way}"): scores for way, scores in columns.items()}
    table |= {WORDS.label("column.adds", word=word): parts[i] for i, word in enumerate(words)}
    return pd.DataFrame(table)


def ranks_table(queries: Sequence[str], ranks: Mapping[str, Sequence[float]]) -> pd.DataFrame:
    """Return of each query the rank of its answer by every way, empty where it is not found."""
    table: dict[str, list] = {WORDS.label("column.query"): list(queries)}
    for way, found in ranks.items():
        table[WORDS.label(f"way.{way}")] = [int(rank) if isfinite(rank) else None for rank in found]
    return pd.DataFrame(table)
