"""Exercises on next-token prediction: the target of a position, the mean loss of a text, and what a better guess saves."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.language_model import bits_per_token

LINES = (
    "to be or not",
    "my lord the king",
    "speak the speech",
    "good night sweet",
    "who is there now",
    "words words words",
)
SPACE = "␣"
STEPS = {
    "right": 1,
    "same": 0,
    "before": -1,
    "after": 2,
}  # from the last character that is read to the one named


def draw_target(draws: Draws, difficulty: int) -> Draw | None:
    """The target of a position; mistakes: the same character, the one before it, one place too far."""
    line = draws.choose(LINES)[draws.integer(0, 2) :].strip().replace(" ", SPACE)
    t = draws.integer(2 + difficulty, len(line) - 4)
    found = {name: line[t - 1 + step] for name, step in STEPS.items()}
    return Draw(
        given={"text": " ".join(line), "t": t},
        answer=found.pop("right"),
        mistakes=found,
        steps={"context": " ".join(line[:t])},
    )


def draw_loss(draws: Draws, difficulty: int) -> Draw:
    """The mean loss; mistakes: add only, use logarithms to base 2, take the logarithm of the mean probability."""
    word = draws.choose(LINES).split()[-1][: difficulty + 2].ljust(difficulty + 2, "s")
    p = np.array([draws.decimal(0.05, 0.95, 2) for _ in word])
    ln_p = np.log(p)
    return Draw(
        given={
            "table": Table(
                ("p",), tuple(f"y{'₁₂₃₄₅'[i]} = {each}" for i, each in enumerate(word)), [p.tolist()]
            )
        },
        answer=-ln_p.mean(),
        mistakes={"sum": -ln_p.sum(), "bits": bits_per_token(ln_p), "mean": float(-np.log(p.mean()))},
        steps={"losses": -ln_p, "n": len(p), "total": float(-ln_p.sum()), "average": float(p.mean())},
    )


def draw_saving(draws: Draws, difficulty: int) -> Draw | None:
    """How far the mean loss falls when one guess improves; mistakes: do not divide, subtract probabilities, use base 2."""
    T = draws.integer(2, 4) * (1, 2, 5)[difficulty - 1]
    before, after = draws.decimal(0.01, 0.3, 2), draws.decimal(0.4, 0.95, 2)
    ln_p = np.log([before, after])
    saved = float(ln_p[1] - ln_p[0])
    return Draw(
        given={"T": T, "before": before, "after": after},
        answer=saved / T,
        mistakes={"whole": saved, "difference": (after - before) / T, "bits": saved / np.log(2) / T},
        steps={"losses": -ln_p, "saved": saved, "gain": after - before},
    )


MAKERS = (Maker(draw_target), Maker(draw_loss), Maker(draw_saving))
