"""Exercises on the tree of texts: how often a path is written, its mean ln p, and a forced token against the favourite."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.language_model import bits_per_token

WORDS = ("I", "have", "seen", "the", "king")


def draw_path(draws: Draws, difficulty: int) -> Draw:
    """The probability of a path; mistakes: add the tokens, divide by their number, leave out the first."""
    words = WORDS[: difficulty + 2]
    p = np.array([draws.decimal(0.1, 0.9, 1 + (difficulty == 3)) for _ in words])
    return Draw(
        given={"table": Table(("p",), words, [p.tolist()])},
        answer=p.prod(),
        mistakes={"sum": p.sum(), "divided": p.prod() / len(p), "first": p[1:].prod()},
        steps={"p": p, "n": len(p)},
        digits=4,
    )


def draw_per_token(draws: Draws, difficulty: int) -> Draw:
    """ln p per token; mistakes: give the sum, use logarithms to base 2, take the logarithm of the mean."""
    words = WORDS[: difficulty + 2]
    p = np.array([draws.decimal(0.05, 0.9, 2) for _ in words])
    ln_p = np.log(p)
    return Draw(
        given={"table": Table(("p",), words, [p.tolist()])},
        answer=ln_p.mean(),
        mistakes={"sum": ln_p.sum(), "bits": -bits_per_token(ln_p), "mean": float(np.log(p.mean()))},
        steps={"ln_p": ln_p, "n": len(p), "average": float(p.mean()), "sum": float(ln_p.sum())},
    )


def draw_forced(draws: Draws, difficulty: int) -> Draw | None:
    """How many times as probable a forced text is; mistakes: compare first tokens, compare what follows, turn it round."""
    n = difficulty + 1
    favourite, forced = ([draws.decimal(0.1, 0.9) for _ in range(n)] for _ in range(2))
    favourite[0], forced[0] = draws.decimal(0.3, 0.6), draws.decimal(0.1, 0.25, 2)
    one, other = np.prod(favourite), np.prod(forced)
    if other < 1.1 * one:
        return None
    columns = [f"y{'₁₂₃₄'[i]}" for i in range(n)]
    return Draw(
        given={"table": Table(("A", "B"), columns, [favourite, forced])},
        answer=other / one,
        mistakes={
            "fork": forced[0] / favourite[0],
            "after": np.prod(forced[1:]) / np.prod(favourite[1:]),
            "turned": one / other,
        },
        steps={"a": favourite, "b": forced, "one": float(one), "other": float(other)},
        digits=2,
    )


MAKERS = (Maker(draw_path), Maker(draw_per_token), Maker(draw_forced))
