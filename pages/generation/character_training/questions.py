"""Exercises on training a character model: a step of the parameters, how often a text is read, a counting baseline."""

from __future__ import annotations

from collections import Counter
from math import log2

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.language_model import bits_per_token
from core.models.n_grams.ngram import maximum_likelihood
from core.models.n_grams.ngram_counts import count_ngrams

LETTERS = ("a", "e", "n", "o", "t")


def draw_step(draws: Draws, difficulty: int) -> Draw | None:
    """A parameter after a step; mistakes: add the gradient, add up the windows, leave out the learning rate."""
    B = difficulty + 1
    theta, rate = draws.decimal(-2, 2), draws.choose((0.1, 0.2, 0.5))
    gradients = np.array([draws.decimal(-2, 2) for _ in range(B)])
    mean = gradients.mean()
    if abs(mean) < 0.05:
        return None
    return Draw(
        given={"theta": theta, "rate": rate, "gradients": gradients, "B": B},
        answer=theta - rate * mean,
        mistakes={
            "added": theta + rate * mean,
            "sum": theta - rate * gradients.sum(),
            "rate": theta - mean,
        },
        steps={"mean": mean, "total": gradients.sum()},
    )


def draw_reading(draws: Draws, difficulty: int) -> Draw:
    """How often the training part is read; mistakes: count windows only, forget the batch, read the held-out tenth too."""
    B, T = draws.choose((8, 16, 32)), draws.choose((32, 64))
    steps, characters = 100 * draws.integer(1, 20) * difficulty, 10_000 * draws.integer(3, 18)
    part = characters * 9 // 10
    return Draw(
        given={"B": B, "T": T, "n": steps, "characters": characters},
        answer=steps * B * T / part,
        mistakes={
            "windows": steps * B / part,
            "batch": steps * T / part,
            "all": steps * B * T / characters,
        },
        steps={"read": steps * B * T, "part": part, "each": B * T},
        digits=2,
    )


def draw_baseline(draws: Draws, difficulty: int) -> Draw | None:
    """Bits of a 1-gram model on held-out characters; mistakes: guess blindly, count the held-out text, use base e."""
    letters = LETTERS[: 2 + difficulty]
    counted = [*letters, *(draws.choose(letters) for _ in range(8 + 2 * difficulty))]
    held = [draws.choose(letters) for _ in range(3 + difficulty)]
    counts = Counter(counted)
    p = probabilities(counted, held, letters)
    own = probabilities(held, held, letters)
    return Draw(
        given={
            "table": Table(("c",), letters, [[counts[letter] for letter in letters]]),
            "held": " ".join(held),
            "V": len(letters),
        },
        answer=bits_per_token(np.log(p)),
        mistakes={
            "blind": log2(len(letters)),
            "held_out": bits_per_token(np.log(own)),
            "nats": float(-np.log(p).mean()),
        },
        steps={
            "factors": [
                (letter, counts[letter], float(-np.log2(each))) for letter, each in zip(held, p, strict=True)
            ],
            "n": len(counted),
            "m": len(held),
            "first": held[0],
            "own": held.count(held[0]),
        },
    )


def probabilities(counted: list[str], read: list[str], letters: tuple[str, ...]) -> np.ndarray:
    """Return what a 1-gram model of some characters gives to those of another text."""
    model = maximum_likelihood(count_ngrams([letters.index(each) for each in counted], letters, 1), 1)
    return np.array([model.scores([])[letters.index(each)] for each in read])


MAKERS = (Maker(draw_step), Maker(draw_reading), Maker(draw_baseline))
