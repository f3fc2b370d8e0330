"""Pictures of byte-pair encoding: pairs by their counts, a merge as a step, tokens by vocabulary size, a word's encoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.frame import bars
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, GREEN, GREY, VERMILLION
from core.figures.token_label import label_token
from core.figures.worked import made_by, word
from core.models.tokens.byte_pairs import BytePairs, Pair, learn_merges
from core.models.tokens.merge_steps import EncodeStep, MergeStep, merges_made
from core.models.tokens.three_ways import Token
from core.words.numbers import how_often
from pages.tokens.byte_pairs import LESSON

WORDS = LESSON.words
POINTS = 400
STORY_FONT = 17
COLUMNS = ("merge", "left", "right", "id", "counted", "made", "after")


def named(pairs: BytePairs, *ids: int) -> str:
    """Return tokens side by side, white space as signs.

    >>> named(BytePairs(()), 32, 97)
    '␣ + a'
    """
    return " + ".join(map(label_token, pairs.names(ids)))


def tokens_of(pairs: BytePairs, ids: Sequence[int]) -> list[Token]:
    """Return ids as tokens that a row can show."""
    return [Token(name, i, pairs.pieces[i]) for name, i in zip(pairs.names(ids), ids, strict=True)]


# The story.


def draw_pairs(
    pairs: BytePairs,
    counts: Sequence[tuple[Pair, int]],
    title: str,
    best: Pair | None = None,
    notes: Mapping[Pair, str] | None = None,
) -> dict:
    """Return pairs as bars as long as their counts; a count of 0 is not told yet."""
    most = max(max(count for _, count in counts), 3000)
    rows = [
        make_row(
            named(pairs, *pair),
            f"pair.{pair[0]}.{pair[1]}",
            count,
            f"{count:,}" if count else WORDS.label("hidden"),
            note=(notes or {}).get(pair, ""),
            kind="best" if pair == best else "plain",
            hue="vermillion" if pair == best else "blue",
        )
        for pair, count in counts
    ]
    return join_panels(make_panel(title, 1.25 * most, rows))


def length_figure(N: np.ndarray, at: Sequence[int]) -> Figure:
    """Return the tokens of a text after each merge, large, with the numbers of tokens after some merges."""
    figure = blank(520, WORDS.label("axis.merges"), WORDS.label("axis.tokens"))
    line = {"color": GREEN, "width": 4, "simplify": False}
    figure.add_trace(scatter(x=np.arange(len(N)), y=N, mode="lines", line=line, hoverinfo="skip"))
    figure.add_trace(
        scatter(
            x=list(at),
            y=N[list(at)],
            mode="markers+text",
            text=[f"{N[each]:,}" for each in at],
            textposition="top right",
            marker={"color": VERMILLION, "size": 13},
            hoverinfo="skip",
        )
    )
    figure.update_yaxes(range=[0, 1.15 * N[0]], tickformat=",")
    figure.update_xaxes(range=[-0.02 * len(N), 1.32 * len(N)], tickvals=list(at), tickformat=",")
    figure.update_layout(
        font={"size": STORY_FONT}, showlegend=False, margin={"l": 90, "r": 20, "t": 20, "b": 60}
    )
    return figure.update_traces(textfont={"size": STORY_FONT})


# The lab.


def cut_after(steps: Sequence[EncodeStep], merges: int) -> tuple[int, ...]:
    """Return a piece's ids when only so many merges have been learned, from all its steps.

    >>> cut_after([EncodeStep((1, 2, 3), ((0, 5),), 5), EncodeStep((261, 3), (), None)], 5)
    (1, 2, 3)
    """
    return next(step.ids for step in steps if step.made is None or step.made >= merges)


def merging_picture(
    pairs: BytePairs,
    passage: Sequence[Sequence[EncodeStep]],
    merges: int,
    step: MergeStep | None,
    counted: str,
) -> dict:
    """Return a passage, the steps of each of its pieces, after so many merges, and the counts that the last was chosen by.

    What the last merge has made is marked by its place among all tokens; without a `step` nothing is. `counted` says
    where.
    """
    cut = [cut_after(steps, merges) for steps in passage]
    flat = [i for ids in cut for i in ids]
    rivals = None
    if step:
        times = [count for _, count in step.rivals]
        names = [named(pairs, *pair) for pair, _ in step.rivals]
        rivals = bars(names, [(counted, times, [f"{count:,}" for count in times])], 0)
    return {
        "kind": "merging",
        "words": [list(map(label_token, pairs.names(ids))) for ids in cut],
        "fresh": [place for place, i in enumerate(flat) if step and i == 255 + merges],
        "rivals": rivals,
    }


def tokens_figure(
    lengths: Mapping[str, np.ndarray], floor: int, at: int | None = None, height: int = 340, where: str = ""
) -> Figure:
    """Return the tokens of a text by the vocabulary's size, for its "own" merges and "other" ones; `floor`: its pieces."""
    figure = blank(height, WORDS.label("axis.vocabulary"), WORDS.label("axis.text"))
    longest = max(map(len, lengths.values()))
    for (name, N), colour in zip(lengths.items(), (BLUE, VERMILLION), strict=False):
        k = np.unique(np.linspace(0, len(N) - 1, POINTS).round().astype(int))
        called = WORDS.label(f"curve.{name}", where=where)
        figure.add_trace(
            scatter(
                x=256 + k,
                y=N[k],
                mode="lines" if len(k) > 1 else "markers",
                name=called,
                line={"color": colour, "width": 3},
                hovertemplate=f"V = %{{x:,}}: %{{y:,}}<extra>{called}</extra>",
            )
        )
    figure.add_trace(
        scatter(
            x=[256, 255 + max(2, longest)],
            y=[floor, floor],
            mode="lines",
            name=WORDS.label("curve.pieces"),
            line={"color": GREY, "dash": "dash"},
            hovertemplate="%{y:,}<extra></extra>",
        )
    )
    if at is not None:
        N = next(iter(lengths.values()))
        figure.add_trace(
            scatter(
                x=[256 + at],
                y=[N[at]],
                mode="markers",
                name=WORDS.label("curve.at", k=at),
                marker={"color": GREEN, "size": 12},
            )
        )
    return figure.update_yaxes(rangemode="tozero", tickformat=",")


def merge_formulas(pairs: BytePairs, number: int, step: MergeStep, before: int, made: int) -> list[str]:
    r"""Return the formulas of the merge of a number (from 0): its pair's count, and the tokens that are left.

    >>> pairs = BytePairs(((108, 111),))
    >>> merge_formulas(pairs, 0, MergeStep((108, 111), 4, (((108, 111), 4), ((111, 119), 4))), 31, 4)[1]
    'N_{1} = N_{0} - 4 = 31 - 4 = 27'
    """
    left, right = (word(label_token(pairs.names([i])[0])) for i in step.pair)
    most = ",\\; ".join([*(f"{count}" for _, count in step.rivals[:4]), r"\dots"])
    return [
        rf"c({left}, {right}) = \max({most}) = {step.count}",
        rf"N_{{{number + 1}}} = N_{{{number}}} - {made} = {before} - {made} = {before - made}",
    ]


def why_made(pairs: BytePairs, step: EncodeStep) -> str:
    """Return which merge is made next in a word, and why.

    >>> why_made(BytePairs(((104, 101),)), EncodeStep((116, 104, 101), ((1, 0),), 0))
    'merge 1: h + e. No other learned merge fits.'
    """
    if step.made is None:
        return WORDS.label("why.end")
    numbers = sorted({number for _, number in step.possible})
    later = ", ".join(f"{number + 1:,}" for number in numbers[1:4]) + (", …" if len(numbers) > 4 else "")
    pair = named(pairs, *pairs.merges[step.made])
    return WORDS.label("why.made", k=step.made + 1, pair=pair, later=later)


def merges_table(pairs: BytePairs, N: np.ndarray, made: np.ndarray) -> tuple:
    """Return the table of merges and what each does to a text, and the formula of its cells.

    N (merges + 1,) and made (merges,) are `tokens_by_merges` and `merges_made` of that text.
    """
    both = [[label_token(each) for each in pairs.names(pair)] for pair in pairs.merges]
    cells = (
        range(1, len(both) + 1),
        [left for left, _ in both],
        [right for _, right in both],
        range(256, len(pairs)),
        pairs.counts,
        made,
        N[1:],
    )
    columns = [WORDS.label(f"merges.{each}") for each in COLUMNS]
    table = pd.DataFrame(dict(zip(columns, cells, strict=True)))

    def formula(row: int, column: str) -> str | None:
        return worked_merge(pairs, N, made, row, COLUMNS[columns.index(column)])

    return table, formula


def worked_merge(pairs: BytePairs, N: np.ndarray, made: np.ndarray, row: int, column: str) -> str | None:
    r"""Return the formula of a cell of the table of merges; N and made are `tokens_by_merges` and `merges_made`.

    >>> pairs = learn_merges("aaabdaaabac", merges=1)
    >>> worked_merge(pairs, np.array([11, 9]), np.array([2]), 0, "after")
    'N_{1} = N_{0} - 2 = 11 - 2 = 9'
    """
    left, right = (word(label_token(pairs.names([i])[0])) for i in pairs.merges[row])
    return {
        "id": rf"256 + {row + 1} - 1 = {256 + row}",
        "counted": rf"{made_by(learn_merges)} c({left}, {right}) = {pairs.counts[row]}",
        "made": rf"{made_by(merges_made)} \text{{{how_often(int(made[row]))}}}",
        "after": rf"N_{{{row + 1}}} = N_{{{row}}} - {made[row]} = {N[row]} - {made[row]} = {N[row + 1]}",
    }.get(column)
