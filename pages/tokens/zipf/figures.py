"""What the story of Zipf's law draws: frequent words as bars, coverage, ranks and counts, classes, and growth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

import numpy as np

from core.figures.blank import blank, enlarge
from core.figures.figure import Figure, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION
from core.figures.tokens.zipf import drawn_places
from core.models.tokens.zipf import RankedWords, ZipfFit
from core.words.numbers import percent

Say = Callable[..., str]
HEIGHT = 520
TOP_RIGHT = {"x": 0.98, "y": 0.98, "xanchor": "right", "yanchor": "top"}
BOTTOM_RIGHT = {"x": 0.98, "y": 0.04, "xanchor": "right", "yanchor": "bottom"}
NAMED = (1, 3, 10, 30, 100, 300, 1000)  # ranks whose words are in the picture
LOG = {"type": "log", "dtick": 1, "exponentformat": "none", "tickformat": ","}


def draw_common(say: Say, ranked: RankedWords, most: int, counted: str) -> dict:
    """Return a bar for each of the most frequent words; a word keeps its mark whatever is counted as one word."""
    rows = [
        make_row(word, f"word.{word}", int(count), f"{count:,}", kind="plain" if i else "best")
        for i, (word, count) in enumerate(zip(ranked.types[:most], ranked.counts[:most], strict=True))
    ]
    return join_panels(make_panel(say(f"title.{counted}"), 1.15 * float(ranked.counts[0]), rows))


def draw_classes(say: Say, names: Sequence[str], classes: Sequence[tuple[int, float]], V: int) -> dict:
    """Return the share of the different words and the share of the text of each class of counts."""
    panels = []
    for key, shares, hue in (
        ("types", [types / V for types, _ in classes], "ochre"),
        ("tokens", [share for _, share in classes], "blue"),
    ):
        rows = [
            make_row(name, f"{key}.{i}", share, percent(share, 0), hue=hue)
            for i, (name, share) in enumerate(zip(names, shares, strict=True))
        ]
        panels.append(make_panel(say(f"title.{key}"), 0.75, rows))
    return join_panels(*panels)


def draw_coverage(
    say: Say, ranked: RankedWords, last: int, marks: Mapping[int, str], law: ZipfFit | None = None
) -> Figure:
    """Return the share of the text that the top r words cover, up to rank `last`; `marks` are points with a text.

    With a law, its share is there too, and where both are farthest apart.
    """
    figure = blank(HEIGHT, say("axis.top"), say("axis.share"))
    r = drawn_places(len(ranked.counts))
    kept = r[r <= last]
    lines = [(say("line.text"), ranked.covered, BLUE)]
    if law is not None:
        lines.append((say("line.law"), law.probabilities.cumsum(), VERMILLION))
    for name, share, colour in lines:
        figure.add_trace(line_of(kept, share[kept - 1], name, colour, legend=law is not None))
    if law is not None:
        at = law.farthest
        ends = [ranked.covered[at - 1], law.probabilities.cumsum()[at - 1]]
        gap = line_of([at, at], ends, say("line.gap"), GREY, legend=True)
        figure.add_trace(gap)
    points = list(marks)
    figure.add_trace(
        scatter(
            x=points,
            y=[ranked.covered[k - 1] for k in points],
            mode="markers+text",
            text=[f"{marks[k]} " for k in points],
            textposition="top left",
            marker={"color": VERMILLION, "size": 13},
            showlegend=False,
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    figure.update_xaxes(**LOG, range=[-0.05, float(np.log10(len(ranked.counts))) + 0.1])
    figure.update_yaxes(tickformat=".0%", range=[0, 1.05])
    return enlarge(figure, legend=BOTTOM_RIGHT)


def draw_ranks(
    say: Say,
    name: str,
    ranked: RankedWords,
    fit: ZipfFit | None = None,
    before: tuple[str, RankedWords] | None = None,
    named: bool = True,
) -> Figure:
    """Return counts against ranks on logarithmic axes, with the law's line, or beside another curve of some name."""
    figure = blank(HEIGHT, say("axis.rank"), say("axis.count"))
    if before is not None:
        other, counts = before[0], before[1].counts
        r = drawn_places(len(counts))
        figure.add_trace(line_of(r, counts[r - 1], other, OCHRE, legend=True))
    r = drawn_places(len(ranked.counts), NAMED if named else ())
    if fit is not None:
        law = ranked.counts.sum() * fit.probabilities
        figure.add_trace(line_of(r, law[r - 1], say("line.law"), VERMILLION, legend=True))
    text = [escape(ranked.types[k - 1][:12], quote=False) if named and k in NAMED else "" for k in r]
    figure.add_trace(
        scatter(
            x=r,
            y=ranked.counts[r - 1],
            mode="markers+text",
            text=text,
            textposition="top right",
            name=name,
            marker={"color": BLUE, "size": 7},
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    drawn = [ranked.counts, *([] if before is None else [before[1].counts])]
    figure.update_xaxes(**LOG, range=[-0.1, float(np.log10(max(map(len, drawn)))) + 0.1])
    tops = [float(counts[0]) for counts in drawn] + ([] if fit is None else [float(law[0])])
    figure.update_yaxes(**LOG, range=[-0.2, float(np.log10(max(tops))) + 0.2])
    return enlarge(figure, legend=TOP_RIGHT)


def draw_growth(say: Say, growth: np.ndarray, last: int) -> Figure:
    """Return the different words among the first n words of the text, up to `last` of them; the middle is dashed."""
    figure = blank(HEIGHT, say("axis.tokens"), say("axis.types"))
    N = len(growth)
    n = np.unique(np.linspace(1, N, 300).round().astype(int))
    n = n[n <= last]
    figure.add_trace(line_of(n, growth[n - 1], say("line.text"), BLUE, legend=False))
    figure.add_vline(x=N // 2, line={"color": GREY, "dash": "dash", "width": 2})
    figure.update_xaxes(range=[0, N], tickformat=",")
    return enlarge(figure.update_yaxes(range=[0, 1.08 * float(growth[-1])], tickformat=","))


def line_of(x: Sequence[float], y: Sequence[float], name: str, colour: str, legend: bool) -> dict:
    """Return a line."""
    return scatter(
        x=x,
        y=y,
        mode="lines",
        name=name,
        showlegend=legend,
        line={"color": colour, "width": 4},
        hoverinfo="skip",
    )
