"""Examples of every kind of figure, for the gallery: all of them on the counts of one line of words."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from core.figures.arrow import add_arrow
from core.figures.blank import blank, enlarge, write_axes
from core.figures.card import card, small
from core.figures.figure import Figure, FigurePart, bar, heatmap, scatter, scatter3d, subplots, waterfall
from core.figures.heat_map import write_in_cells
from core.figures.palette import BLUE, SEQUENTIAL, VERMILLION
from core.figures.share_bars import share_bars
from core.figures.share_line import share_line
from core.models.documents.held_out import wilson
from core.models.translation.bottleneck import Estimate

HEIGHT = 260
WORDS = "the cat sat on the mat and the dog sat by the cat".split()


def counts() -> tuple[list[str], list[int]]:
    """Return the different words of the line, the most frequent first, and how often each occurs."""
    words, numbers = zip(*Counter(WORDS).most_common(), strict=True)
    return list(words), list(numbers)


def growth() -> list[int]:
    """Return how many different words there are after each word."""
    return [len(set(WORDS[:n])) for n in range(1, len(WORDS) + 1)]


def pairs() -> np.ndarray:
    """Return how often a word (row) is followed by another (column)."""
    words, _ = counts()
    table = np.zeros((len(words), len(words)), dtype=int)
    for one, other in pairwise(WORDS):
        table[words.index(one), words.index(other)] += 1
    return table


def counted() -> Figure:
    """Return the counts as bars."""
    words, numbers = counts()
    return Figure(bar(x=words, y=numbers))


def cells() -> Figure:
    """Return the pairs as a heat map, without numbers in its cells."""
    words, _ = counts()
    trace = heatmap(
        x=words,
        y=words,
        z=pairs().tolist(),
        text=pairs().astype(str).tolist(),
        colorscale=SEQUENTIAL,
        zmin=0,
        zmax=2,
        showscale=False,
    )
    return blank(HEIGHT, "next word", "word").add_trace(trace)


def numbered() -> Figure:
    """Return the pairs as a heat map with their numbers."""
    figure = cells()
    write_in_cells(figure)
    return figure


def panels() -> Figure:
    """Return two panels: the counts and the growth."""
    words, numbers = counts()
    figure = subplots(1, 2, ("counts", "different words"))
    return figure.add_trace(bar(x=words, y=numbers), 1, 1).add_trace(scatter(y=growth()), 1, 2)


def shares() -> dict[str, Estimate]:
    """Return each word's share of the line, with its interval."""
    n = len(WORDS)
    return {word: Estimate(k / n, *wilson(k, n), n) for word, k in zip(*counts(), strict=True)}


def on_blank(trace: FigurePart, x: str = "", y: str = "") -> Figure:
    """Return a trace on a blank figure with titled axes."""
    return blank(HEIGHT, x, y).add_trace(trace)


FIGURES: dict[str, Callable[[], Figure]] = {
    "core.figures.arrow.add_arrow": lambda: add_arrow(
        on_blank(scatter(x=[0, 2], y=[0, 1], mode="markers")), (0, 0), (2, 1), VERMILLION
    ),
    "core.figures.blank.blank": lambda: blank(HEIGHT, "words read", "different words"),
    "core.figures.blank.enlarge": lambda: enlarge(counted()),
    "core.figures.blank.write_axes": lambda: write_axes(counted()),
    "core.figures.card.card": lambda: card(on_blank(bar(x=counts()[0], y=counts()[1]))),
    "core.figures.card.small": lambda: small(on_blank(bar(x=counts()[0], y=counts()[1]), "word", "count")),
    "core.figures.figure.bar": lambda: on_blank(
        bar(x=counts()[0], y=counts()[1], marker_color=BLUE), "word", "count"
    ),
    "core.figures.figure.heatmap": cells,
    "core.figures.figure.scatter": lambda: on_blank(
        scatter(x=list(range(1, len(WORDS) + 1)), y=growth(), mode="lines+markers"), "words read", "different"
    ),
    "core.figures.figure.scatter3d": lambda: Figure(
        scatter3d(x=list(range(len(WORDS))), y=growth(), z=list(map(len, WORDS)), text=WORDS, mode="markers")
    ),
    "core.figures.figure.subplots": panels,
    "core.figures.figure.waterfall": lambda: on_blank(
        waterfall(x=counts()[0], y=counts()[1]), "word", "words so far"
    ),
    "core.figures.heat_map.write_in_cells": numbered,
    "core.figures.share_bars.share_bars": lambda: share_bars(
        [("share of the line", dict(zip(*counts(), strict=True)), len(WORDS), BLUE)], "share", height=HEIGHT
    ),
    "core.figures.share_line.share_line": lambda: on_blank(
        share_line("share of the line", shares(), BLUE), "word", "share"
    ),
}
