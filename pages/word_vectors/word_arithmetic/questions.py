"""Exercises on word analogies: the sum of unit vectors, its answer by the rule, and the angle of two steps."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.word_vectors.word_arithmetic import arithmetic
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.shared.small_vectors import cosine_of, show_vectors

QUESTION = ("king", "man", "woman")
OTHERS = ("queen", "prince", "crown", "ship", "boy")
SUM = "king - man + woman"
WHOLE = ((3, 4), (4, 3), (6, 8), (8, 6), (5, 12), (12, 5), (0, 2), (3, 0))  # of whole lengths


def draw_sum(draws: Draws, difficulty: int) -> Draw | None:
    """King − man + woman; mistakes: lengths kept, the signs exchanged, the last term left out."""
    signs = 1 if difficulty == 1 else -1
    X = [[draws.choose((1, signs)) * each for each in draws.choose(WHOLE)] for _ in QUESTION]
    vectors = WordVectors(list(QUESTION), np.array(X, dtype=float))
    scaled, units = vectors.normalised(), vectors.units.astype(float)
    if directions(units) < 3:
        return None
    return Draw(
        given={"vectors": show_vectors(vectors)},
        answer=arithmetic(scaled, SUM).result.astype(float),
        mistakes={
            "lengths": arithmetic(vectors, SUM).result.astype(float),
            "exchanged": arithmetic(scaled, "king + man - woman").result.astype(float),
            "early": arithmetic(scaled, "king - man").result.astype(float),
        },
        steps={"units": units, "sizes": [round(float(np.linalg.norm(row))) for row in X]},
        table=Table(("sum",), ("x₁", "x₂"), [[None, None]]),
        digits=2,
    )


def directions(units: np.ndarray) -> int:
    """Return how many lines through 0 the vectors are on.

    >>> directions(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]))
    2
    """
    return len({tuple((0.0 + row * np.sign(row[np.flatnonzero(row)[0]])).round(5).tolist()) for row in units})


def draw_answer(draws: Draws, difficulty: int) -> Draw | None:
    """The nearest word; mistakes: the question's words may answer, the step turned around."""
    words = [*QUESTION, *OTHERS[: 2 + difficulty]]
    X = np.array([[draws.integer(-5, 5) for _ in range(2)] for _ in words], dtype=float)
    if not X.any(axis=1).all():
        return None
    vectors = WordVectors(words, X)
    scaled, units = vectors.normalised(), vectors.units.astype(float)
    if directions(units[:3]) < 3:
        return None
    found = arithmetic(scaled, SUM).result.astype(float)
    turned = arithmetic(scaled, "king + man - woman").result.astype(float)
    if min(np.linalg.norm(found), np.linalg.norm(turned)) < 0.2:
        return None
    cosines, other = (units @ each / np.linalg.norm(each) for each in (found, turned))
    if any(np.diff(np.sort(each))[-1] < 0.02 for each in (cosines, cosines[3:], other[3:])):
        return None
    best = 3 + int(cosines[3:].argmax())
    if cosines[best] < 0.3:
        return None
    return Draw(
        given={"sum_": found, "words": Table(words, ("x₁", "x₂"), X.astype(int))},
        answer=words[best],
        mistakes={"rule": words[int(cosines.argmax())], "turned": words[3 + int(other[3:].argmax())]},
        steps={
            "cosines": list(zip(words[3:], cosines[3:].tolist(), strict=True)),
            "best": float(cosines[best]),
            "free": float(cosines.max()),
            "worse": float(cosines[3 + int(other[3:].argmax())]),
        },
    )


def draw_steps(draws: Draws, difficulty: int) -> Draw | None:
    """The cosine of two steps; mistakes: one turned around, the words instead of the steps, not divided."""
    d = 2 if difficulty < 3 else 3
    man, woman, king, queen = (np.array([float(draws.integer(-4, 4)) for _ in range(d)]) for _ in range(4))
    one, other = woman - man, queen - king
    if not all(each.any() for each in (one, other, king, queen)) or not one @ other:
        return None
    names = ("man", "woman", "king", "queen")
    return Draw(
        given={"vectors": show_vectors(WordVectors(list(names), np.array([man, woman, king, queen])))},
        answer=cosine_of(one, other),
        mistakes={
            "turned": cosine_of(one, -other),
            "words": cosine_of(king, queen),
            "undivided": float(one @ other),
        },
        steps={
            "one": one.astype(int),
            "other": other.astype(int),
            "dot": int(one @ other),
            "lengths": [float(np.linalg.norm(one)), float(np.linalg.norm(other))],
        },
        digits=2,
    )


MAKERS = (Maker(draw_sum), Maker(draw_answer), Maker(draw_steps))
