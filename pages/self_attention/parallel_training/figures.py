"""Pictures of one window as many examples: the story's staircase, and the lab's steps, formulas and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import exp

import pandas as pd

from core.figures.self_attention.parallel_training import format_cell_probability
from core.figures.worked import number, word
from pages.self_attention.parallel_training import LESSON

WORDS = LESSON.words

# The view "staircase".


def draw_staircase(
    rows: Sequence[dict],
    sides: Sequence[dict] = (),
    widths: Sequence[float] = (),
    links: Iterable[tuple[tuple[int, int], tuple[int, int]]] = (),
    key: Sequence[str] = (),
    sum: str = "",
) -> dict:
    """Return the data of the view "staircase"; `key` are the kinds of cell that it names."""
    return {
        "widths": list(widths) or [1] * len(rows[0]["cells"]),
        "rows": list(rows),
        "links": [[list(start), list(end)] for start, end in links],
        "sides": list(sides),
        "key": [{"text": WORDS.label(f"kind.{kind}"), "kind": kind} for kind in key],
        "sum": sum,
    }


def row(name: str, cells: Iterable[tuple[str, str]], lit: bool = False) -> dict:
    """Return one row of cells (text, kind)."""
    return {"name": name, "lit": lit, "cells": [{"text": text, "kind": kind} for text, kind in cells]}


def example_rows(
    tokens: Sequence[str], lit: int | None = None, kind_of: Callable[[int, int], str] | None = None
) -> list[dict]:
    """Return the T examples of T + 1 tokens: in row t what it reads, the token that it must predict, and the rest.

    `kind_of(t, s)` is the kind of a token that row t need not read; without it such cells are not drawn. Only what is
    read, or must be predicted, is written.
    """

    def cell(t: int, s: int) -> tuple[str, str]:
        kind = "seen" if s <= t else "target" if s == t + 1 else "none"
        if s > t and kind_of:
            kind = kind_of(t, s)
        return (tokens[s] if kind in ("seen", "target", "leak") else "", kind)

    return [
        row(str(t + 1), [cell(t, s) for s in range(len(tokens))], t == lit) for t in range(len(tokens) - 1)
    ]


def side(
    title: str,
    texts: Sequence[str],
    hue: str = "grey",
    bars: Sequence[float] | None = None,
    mark: float | None = None,
) -> dict:
    """Return what stands right of the rows: numbers, with bars (shares of the longest possible) where they are given."""
    shares = None if bars is None else [round(min(1.0, max(0.0, each)), 4) for each in bars]
    return {"title": title, "hue": hue, "texts": list(texts), "bars": shares, "mark": mark}


def probability_side(losses: Sequence[float]) -> dict:
    """Return p of each example's target as bars."""
    chances = [exp(-loss) for loss in losses]
    return side(WORDS.label("side.p"), [format_cell_probability(p) for p in chances], "green", chances)


def loss_side(losses: Sequence[float], mean: float | None = None) -> dict:
    """Return each example's loss as bars; `mean` is marked across them."""
    most = max([*losses, 1e-9])
    texts = [f"{loss:.2f}" for loss in losses]
    mark = None if mean is None else round(mean / most, 4)
    title = WORDS.label("side.loss") if mean is None else WORDS.label("side.loss_mean", mean=f"{mean:.2f}")
    return side(title, texts, "ochre", [loss / most for loss in losses], mark)


# The lab.


def shared_examples(tokens: Sequence[str], losses: Sequence[float], peek: bool = False) -> dict:
    """Return what all steps share: T + 1 tokens, and each example's p and -ln p as they are shown.

    >>> shared_examples(["a", "b"], [0.0])["losses"]
    ['0.00']
    """
    return {
        "tokens": list(tokens),
        "probabilities": [format_cell_probability(exp(-loss)) for loss in losses],
        "losses": [f"{loss:.2f}" for loss in losses],
        "peek": peek,
    }


def examples_table(tokens: Sequence[str], one_pass: Sequence[float], passes: Sequence[float]) -> pd.DataFrame:
    """Return the T examples of T + 1 tokens with p(target) and the loss, computed in one pass and one by one."""
    T = len(one_pass)
    columns = {
        "place": range(1, T + 1),
        "prefix": [" ".join(tokens[: t + 1]) for t in range(T)],
        "target": list(tokens[1:]),
        "p": [exp(-loss) for loss in one_pass],
        "one": list(one_pass),
        "alone": list(passes),
    }
    return pd.DataFrame({WORDS.label(f"column.{name}"): values for name, values in columns.items()})


def worked_example(tokens: Sequence[str], loss: float, t: int, peek: bool = False) -> str:
    r"""Return LaTeX of one example's loss; a row that may `peek` is given all of x, not only its prefix.

    >>> worked_example(["a", "b"], 0.0, 0)
    '-\\ln p(\\text{b} \\mid \\text{a}) = -\\ln 1 = 0'
    """
    seen = tokens[:-1] if peek else tokens[: t + 1]
    given = r"\ ".join([*([r"\dots"] if len(seen) > 6 else []), *map(word, seen[-6:])])
    return rf"-\ln p({word(tokens[t + 1])} \mid {given}) = -\ln {number(exp(-loss))} = {number(loss) if loss else 0}"


def worked_mean(losses: Sequence[float], done: int) -> str:
    r"""Return LaTeX of the window's loss, the mean of the examples' losses, as far as it has been added up.

    >>> worked_mean([1.0, 3.0], 2)
    'L = \\frac{1}{2}\\left(1 + 3\\right) = 2'
    """
    T = len(losses)
    terms = " + ".join(number(loss, 3) for loss in losses[:done])
    rest = "" if done == T else r" + \dots"
    mean = f" = {number(sum(losses) / T)}" if done == T else ""
    return rf"L = \frac{{1}}{{{T}}}\left({terms}{rest}\right){mean}"
