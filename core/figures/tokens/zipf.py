"""Pictures of Zipf's and Heaps' laws: counts by rank, the share of the text covered, types by tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, FigurePart, scatter
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, VERMILLION
from core.figures.tokens import WORDS
from core.figures.worked import made_by, number, word
from core.models.tokens.zipf import (
    HeapsFit,
    RankedWords,
    ZipfFit,
    heaps_places,
    rank_words,
    type_growth,
    zipf_probabilities,
)

POINTS = 400  # places drawn along a curve at most: a screen's pixels tell no more
NAMED = (1, 3, 10, 40, 200, 1000, 5000)  # ranks whose words stand in the picture
LETTERS = 12  # of a word in the picture; all of it is at the pointer


def drawn_places(n: int, named: Sequence[int] = ()) -> np.ndarray:
    """Return the places 1 ... n that are drawn on a logarithmic axis: the first all, the last, POINTS, and the named.

    >>> drawn_places(3).tolist(), int(drawn_places(10**6)[-1])
    ([1, 2, 3], 1000000)
    """
    spread = np.geomspace(1, n, POINTS).round().astype(int)
    return np.union1d(spread, [place for place in named if place <= n]).astype(int)


def rank_figure(
    ranked: RankedWords,
    fit: ZipfFit,
    k: int,
    beside: RankedWords | None = None,
    name: str = "",
    height: int = 350,
) -> Figure:
    """Return counts against ranks with the law's line; the top k stand out, `beside` is a text's curve of that name."""
    figure = blank(height, WORDS.label("zipf.rank"), WORDS.label("zipf.times"))
    if beside is not None:
        r = drawn_places(len(beside.counts))
        figure.add_trace(scatter(x=r, y=beside.counts[r - 1], mode="lines", name=name, line={"color": OCHRE}))
    r = drawn_places(len(ranked.counts), NAMED)
    law = ranked.counts.sum() * fit.probabilities
    figure.add_trace(_words(ranked, law, r[r <= k], WORDS.label("zipf.top", k=k), BLUE))
    if (r > k).any():
        figure.add_trace(_words(ranked, law, r[r > k], WORDS.label("zipf.others"), GREY))
    figure.add_trace(
        scatter(
            x=r,
            y=law[r - 1],
            mode="lines",
            name=WORDS.label("zipf.law.fitted", s=float(fit.exponent)),
            line={"color": VERMILLION, "width": 2},
            hovertemplate=WORDS.label("zipf.law.hover") + "<extra></extra>",
        )
    )
    figure.update_xaxes(type="log", dtick=1)
    drawn = np.log10(np.concatenate([trace["y"] for trace in figure.data]))
    room = 0.1 * max(1, np.ptp(drawn))  # the first word stands above its dot
    return figure.update_yaxes(
        type="log",
        dtick=1,
        exponentformat="none",
        tickformat=",",
        range=[float(drawn.min() - room / 2), float(drawn.max() + 1.5 * room)],
    )


def _words(ranked: RankedWords, law: np.ndarray, r: np.ndarray, name: str, colour: str) -> FigurePart:
    types = [ranked.types[rank - 1] for rank in r]
    return scatter(
        x=r,
        y=ranked.counts[r - 1],
        mode="markers+text",
        cliponaxis=False,
        name=name,
        marker={"color": colour, "size": 6},
        text=[
            escape(each[:LETTERS], quote=False) if rank in NAMED else ""
            for rank, each in zip(r, types, strict=True)
        ],
        # A word stands on that side of its dot on which the law's line does not run.
        textposition=["top right" if ranked.counts[i] >= law[i] else "bottom left" for i in r - 1],
        textfont={"size": FONT_SIZE},
        customdata=[escape(each[:80], quote=False) for each in types],
        hovertemplate=WORDS.label("zipf.word.hover") + "<extra></extra>",
    )


def covered_figure(ranked: RankedWords, fit: ZipfFit, k: int, height: int = 340) -> Figure:
    """Return the share of the text that the top r words cover, beside the law's; the widest gap is D."""
    figure = blank(height, WORDS.label("zipf.most"), WORDS.label("zipf.share"))
    r = drawn_places(len(ranked.counts))
    by_law = fit.probabilities.cumsum()
    for key, share, colour in (("text", ranked.covered, BLUE), ("law", by_law, VERMILLION)):
        name = WORDS.label(f"zipf.{key}")
        figure.add_trace(
            scatter(
                x=r,
                y=share[r - 1],
                mode="lines",
                name=name,
                line={"color": colour},
                hovertemplate=f"{WORDS.label('zipf.share.hover')}<extra>{name}</extra>",
            )
        )
    at = fit.farthest
    figure.add_trace(
        scatter(
            x=[at, at],
            y=[ranked.covered[at - 1], by_law[at - 1]],
            mode="lines",
            name=f"D = {fit.distance:.3f}",
            line={"color": GREEN, "width": 4},
        )
    )
    figure.add_trace(
        scatter(
            x=[k],
            y=[ranked.covered[k - 1]],
            mode="markers",
            name=WORDS.label("zipf.top.share", k=k, share=f"{ranked.covered[k - 1]:.0%}"),
            marker={"color": BLUE, "size": 12},
        )
    )
    figure.update_xaxes(type="log", dtick=1, range=[-0.05, np.log10(len(ranked.counts)) + 0.05])
    return figure.update_yaxes(tickformat=".0%", range=[0, 1.03])


def growth_figure(growth: np.ndarray, heaps: HeapsFit, height: int = 340) -> Figure:
    """Return the types V(n) among the first n tokens, growth (N,), with Heaps' line."""
    figure = blank(height, WORDS.label("zipf.tokens"), WORDS.label("zipf.types"))
    n = drawn_places(len(growth))
    figure.add_trace(
        scatter(
            x=n,
            y=growth[n - 1],
            mode="lines",
            name=WORDS.label("zipf.text"),
            line={"color": BLUE, "width": 3},
        )
    )
    figure.add_trace(
        scatter(
            x=n,
            y=heaps.at(n),
            mode="lines",
            name=WORDS.label("zipf.heaps", b=float(heaps.exponent)),
            line={"color": VERMILLION},
        )
    )
    figure.update_xaxes(type="log", dtick=1)
    return figure.update_yaxes(type="log", dtick=1, exponentformat="none", tickformat=",")


def worked_rank(ranked: RankedWords, fit: ZipfFit, row: int, column: str) -> str | None:
    r"""Return the formula of a cell of the words' table, its column by key, with its numbers filled in; None for a label.

    >>> from core.models.tokens.zipf import fit_zipf
    >>> ranked = rank_words("a b a".split())
    >>> worked_rank(ranked, fit_zipf(ranked.counts), 0, "share")
    '\\frac{c(\\text{a})}{N} = \\frac{2}{3} = 0.6667'
    """
    counts, r, s = ranked.counts, row + 1, fit.exponent
    N, c, p = counts.sum(), counts[row], fit.probabilities[row]
    shown = word(ranked.types[row][:40])
    summed = " + ".join(f"{each}" for each in counts[: min(r, 3)]) + (r" + \dots" if r > 3 else "")
    H = 1 / fit.probabilities[0]
    return {
        "times": rf"{made_by(rank_words)} c({shown}) = {c}",
        "share": rf"\frac{{c({shown})}}{{N}} = \frac{{{c}}}{{{N}}} = {number(c / N)}",
        "covered": rf"\frac{{c_1 + \dots + c_{{{r}}}}}{{N}} = \frac{{{summed} = {counts[:r].sum()}}}{{{N}}} "
        rf"= {number(ranked.covered[row])}",
        "law": rf"{made_by(zipf_probabilities)} N \frac{{r^{{-s}}}}{{H}} = {N} \cdot "
        rf"\frac{{{r}^{{-{number(s)}}}}}{{{number(H)}}} = {number(N * p)}",
    }.get(column)


def worked_growth(n: int, V: int, heaps: HeapsFit, column: str) -> str | None:
    r"""Return the formula of a cell of the growth's table: `V` types among the first `n` tokens.

    >>> worked_growth(100, 30, HeapsFit(3.0, 0.5), "heaps")
    'K n^{b} = 3 \\cdot 100^{0.5} = 30'
    """
    return {
        "types": rf"{made_by(type_growth)} V({n}) = {V}",
        "heaps": rf"K n^{{b}} = {number(heaps.K)} \cdot {n}^{{{number(heaps.exponent)}}} = "
        f"{number(float(heaps.at(n)))}",
    }.get(column)


def growth_table(growth: np.ndarray, heaps: HeapsFit) -> tuple[pd.DataFrame, object]:
    """Return the table of types among the first tokens, growth (N,), and the formula of its cells."""
    n = heaps_places(len(growth))
    columns = {"tokens": n, "types": growth[n - 1], "heaps": heaps.at(n)}
    names = name_columns(columns)

    def formula(row: int, column: str) -> str | None:
        return worked_growth(int(n[row]), int(growth[n[row] - 1]), heaps, names[column])

    return pd.DataFrame(dict(zip(names, columns.values(), strict=True))), formula


def words_table(ranked: RankedWords, fit: ZipfFit, rows: int) -> tuple[pd.DataFrame, object]:
    """Return the table of the first words' ranks, counts and shares, and the formula of its cells."""
    N, V = int(ranked.counts.sum()), len(ranked.types)
    columns = {
        "rank": np.arange(1, V + 1),
        "word": ranked.types,
        "times": ranked.counts,
        "share": ranked.counts / N,
        "covered": ranked.covered,
        "law": N * fit.probabilities,
    }
    names = name_columns(columns)
    table = pd.DataFrame(dict(zip(names, columns.values(), strict=True)))[:rows]
    return table, lambda row, column: worked_rank(ranked, fit, row, names[column])


def name_columns(keys: Iterable[str]) -> dict[str, str]:
    """Return the key of each column of a table by its head."""
    return {WORDS.label(f"zipf.column.{key}"): key for key in keys}
