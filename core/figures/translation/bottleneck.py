"""Pictures of the bottleneck: accuracy against length, the one vector, what moves it, and how sure each step was."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, Part, bar, heatmap, scatter
from core.figures.label import label
from core.figures.palette import BLUE, DIVERGING, GREY, OCHRE, PINK, VERMILLION, faded
from core.figures.share_line import share_line
from core.figures.worked import worked_wilson
from core.models.translation.bottleneck import Estimate

STYLES = {True: (BLUE, "circle", "solid"), False: (PINK, "square", "dash")}  # with attention, without


def by_range(quality: Mapping[str, float]) -> dict[tuple[int, int], float]:
    """Return the exact match that a card tells for each range of input lengths.

    >>> by_range({"exact_match": 0.9, "exact_match_3_to_7_words": 1.0})
    {(3, 7): 1.0}
    """
    named = {key: re.fullmatch(r"exact_match_(\d+)_to_(\d+)_words", key) for key in quality}
    return {(int(m[1]), int(m[2])): quality[key] for key, m in named.items() if m}


def length_figure(
    measured: Mapping[str, tuple[bool, Mapping[int, Estimate]]],
    stored: Mapping[str, tuple[bool, Mapping[tuple[int, int], float]]] | None = None,
    title: str = "equal to the reference",
    height: int = 390,
) -> Figure:
    """Return shares against the number of input words: points with 95% intervals, over steps from the cards.

    `measured` is {name: (whether it attends, {words: estimate})}, `stored` {name: (..., {(from, to): share})}.
    """
    figure = blank(height, "words of the English sentence", title)
    for name, (attends, ranges) in (stored or {}).items():
        figure.add_trace(_steps(name, ranges, STYLES[attends][0]))
    for name, (attends, estimates) in measured.items():
        if estimates:
            figure.add_trace(share_line(name, estimates, *STYLES[attends], hollow="broken" in name))
    figure.update_xaxes(range=[2, 26], dtick=5, tick0=5)
    return figure.update_yaxes(tickformat=".0%", range=[-0.03, 1.05])


def ends_said(shares: Mapping[str, Mapping[int, Estimate]], title: str) -> str:
    """Return a sentence on each model's shares at the shortest and the longest sentences measured.

    >>> ends_said({"this": {5: Estimate(1, 1, 1, 9), 10: Estimate(0.5, 0, 1, 9)}}, "right")
    'From 5 to 10 words, right: this 100% → 50%.'
    """
    lengths = sorted(next(iter(shares.values())))
    ends = list(dict.fromkeys((lengths[0], lengths[-1])))
    over = f"From {ends[0]} to {ends[1]} words" if len(ends) > 1 else f"Sentences of {ends[0]} words"
    each = [f"{name} {' → '.join(f'{of[end].value:.0%}' for end in ends)}" for name, of in shares.items()]
    return f"{over}, {title}: {'; '.join(each)}."


def _steps(name: str, ranges: Mapping[tuple[int, int], float], colour: str) -> Part:
    ends = [
        (x, share)
        for (first, last), share in ranges.items()
        for x, share in ((first - 0.5, share), (last + 0.5, share), (None, None))
    ]
    return scatter(
        x=[x for x, _ in ends],
        y=[share for _, share in ends],
        mode="lines",
        name=f"{name}, card",
        line={"color": faded(colour, 0.45), "width": 7},
        hovertemplate="%{y:.1%}<extra>" + name + ", card</extra>",
    )


def strip_figure(vector: np.ndarray, height: int = 130) -> Figure:
    """Return a vector (H,) as a strip of cells from -1 to 1; a line parts what the two readers left in it."""
    figure = blank(height, "number in the vector")
    figure.add_trace(
        heatmap(
            z=vector[None, :],
            x=np.arange(1, len(vector) + 1),
            y=["h̄_last"],
            zmin=-1,
            zmax=1,
            colorscale=DIVERGING,
            showscale=False,
            hovertemplate="number %{x}: %{z:.4f}<extra></extra>",
        )
    )
    half = len(vector) // 2 + 0.5
    figure.add_vline(x=half, line={"color": GREY, "width": 4})
    return figure.update_yaxes(showticklabels=False)


def movement_figure(words: Sequence[str], movement: Sequence[float], height: int = 230) -> Figure:
    """Return for each input word how far the vector moves when the word is left out, as bars."""
    figure = blank(height, "", "movement")
    places = list(range(len(words)))
    figure.add_trace(
        bar(x=places, y=list(movement), marker={"color": BLUE}, hovertemplate="%{y:.1%}<extra></extra>")
    )
    figure.update_xaxes(tickvals=places, ticktext=[label(word) for word in words], tickangle=-60)
    return figure.update_yaxes(tickformat=".0%", rangemode="tozero")


def sureness_figure(
    steps: Mapping[str, tuple[bool, Sequence[str], Sequence[float]]], drift: int | None, height: int = 270
) -> Figure:
    """Return how probable each model found the word that it wrote, step by step; `drift` is the first wrong one.

    `steps` is {name: (whether it attends, output words, their probabilities)}.
    """
    figure = blank(height, "output word", "p of the word written")
    for name, (attends, words, probabilities) in steps.items():
        colour, symbol, dash = STYLES[attends]
        figure.add_trace(
            scatter(
                x=list(range(1, len(words) + 1)),
                y=list(probabilities),
                mode="lines+markers",
                name=name,
                line={"color": colour, "dash": dash, "width": 2.5},
                marker={"symbol": symbol, "size": 9},
                text=[label(word) for word in words],
                hovertemplate="%{x}. %{text}: p = %{y:.4f}<extra>" + name + "</extra>",
            )
        )
    if drift is not None:
        line = {"color": OCHRE, "dash": "dot", "width": 2}
        note = {"text": "first wrong word", "font": {"color": VERMILLION}}
        figure.add_vline(x=drift + 1, line=line, annotation=note)
    return figure.update_yaxes(range=[-0.05, 1.3], tickvals=[0, 0.5, 1])


def worked_length(row: Mapping[str, float], column: str) -> str | None:
    """Return LaTeX of a cell in the table of lengths: the share of sentences right, or an end of its interval."""
    k, n = row["right"], row["sentences"]
    if column == "share right":
        return rf"p = \frac{{k}}{{n}} = \frac{{{k}}}{{{n}}} = {row[column]:.4f}"
    return worked_wilson(k, n, row["95% from"], row["95% to"]) if column.startswith("95%") else None
