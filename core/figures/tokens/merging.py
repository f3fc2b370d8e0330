"""Pictures of byte pairs: a merge as a step in the browser, tokens by the vocabulary's size, a word's encoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.frame import bars
from core.figures.palette import BLUE, GREEN, GREY, VERMILLION
from core.figures.tokens.token_rows import shown
from core.figures.worked import word
from core.models.tokens.byte_pairs import BytePairs
from core.models.tokens.merge_steps import EncodeStep, MergeStep

POINTS = 400


def named(pairs: BytePairs, *ids: int) -> str:
    """Return tokens side by side, white space as signs.

    >>> named(BytePairs(()), 32, 97)
    '␣ + a'
    """
    return " + ".join(map(shown, pairs.names(ids)))


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
        "words": [list(map(shown, pairs.names(ids))) for ids in cut],
        "fresh": [place for place, i in enumerate(flat) if step and i == 255 + merges],
        "rivals": rivals,
    }


def tokens_figure(
    lengths: Mapping[str, np.ndarray], floor: int, at: int | None = None, height: int = 340
) -> Figure:
    """Return the tokens of a text by the vocabulary's size, a curve for each name; `floor` are its pieces."""
    figure = blank(height, "vocabulary: 256 bytes and the merges", "tokens of the text")
    longest = max(map(len, lengths.values()))
    for (name, N), colour in zip(lengths.items(), (BLUE, VERMILLION), strict=False):
        k = np.unique(np.linspace(0, len(N) - 1, POINTS).round().astype(int))
        figure.add_trace(
            scatter(
                x=256 + k,
                y=N[k],
                mode="lines" if len(k) > 1 else "markers",
                name=name,
                line={"color": colour, "width": 3},
                hovertemplate=f"%{{x:,}} in the vocabulary: %{{y:,}} tokens<extra>{name}</extra>",
            )
        )
    figure.add_trace(
        scatter(
            x=[256, 255 + max(2, longest)],
            y=[floor, floor],
            mode="lines",
            name="pieces, which no merge crosses",
            line={"color": GREY, "dash": "dash"},
            hovertemplate="%{y:,} pieces<extra></extra>",
        )
    )
    if at is not None:
        N = next(iter(lengths.values()))
        figure.add_trace(
            scatter(
                x=[256 + at],
                y=[N[at]],
                mode="markers",
                name=f"after {at:,} {'merge' if at == 1 else 'merges'}",
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
    left, right = (word(shown(pairs.names([i])[0])) for i in step.pair)
    most = ",\\; ".join([*(f"{count}" for _, count in step.rivals[:4]), r"\dots"])
    return [
        rf"c({left}, {right}) = \max({most}) = {step.count}",
        rf"N_{{{number + 1}}} = N_{{{number}}} - {made} = {before} - {made} = {before - made}",
    ]


def why_made(pairs: BytePairs, step: EncodeStep) -> str:
    """Return which merge is made next in a word, and why.

    >>> why_made(BytePairs(((104, 101),)), EncodeStep((116, 104, 101), ((1, 0),), 0))
    'merge 1: h + e, the only one that is possible'
    """
    if step.made is None:
        return "no merge is possible any more: these are its tokens"
    numbers = sorted({number for _, number in step.possible})
    later = ", ".join(f"{number + 1:,}" for number in numbers[1:4]) + (", …" if len(numbers) > 4 else "")
    why = f"learned before {later}" if later else "the only one that is possible"
    return f"merge {step.made + 1:,}: {named(pairs, *pairs.merges[step.made])}, {why}"
