"""Exercises on semantic axes: a word's place on a line, how far that is, and the more similar end."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.word_vectors.word_axis import AxisSpread, axis
from core.models.word_vectors.word_vectors import WordVectors

WORDS = ("nurse", "coach", "boss", "judge", "poet")
NONE = np.zeros(0)  # the positions of all words, which are not asked for


def draw_position(draws: Draws, difficulty: int) -> Draw | None:
    """A word's position on the line from he to she; mistakes: no division, from he on, towards he."""
    d = difficulty + 1
    he, she, x = (np.array([float(draws.integer(-4, 4)) for _ in range(d)]) for _ in range(3))
    apart = float(np.linalg.norm(she - he))
    if apart == 0 or not all(each.any() for each in (he, she, x)):
        return None
    word = draws.choose(WORDS)
    vectors = WordVectors(["he", "she", word], np.array([he, she, x]))
    right = float(axis(vectors, ["he"], ["she"]).positions(vectors)[2])
    turned = float(axis(vectors, ["she"], ["he"]).positions(vectors)[2])
    middle = (he + she) / 2
    return Draw(
        given={
            "word": word,
            "vectors": Table(vectors.words, [f"x{'₁₂₃₄'[i]}" for i in range(d)], vectors.vectors.astype(int)),
        },
        answer=right,
        mistakes={
            "undivided": float((x - middle) @ (she - he)),
            "start": float((x - he) @ (she - he)) / apart,
            "turned": turned,
        },
        steps={
            "way": (she - he).astype(int),
            "apart": apart,
            "from_middle": x - middle,
            "middle": middle,
            "dot": float((x - middle) @ (she - he)),
        },
        digits=2,
    )


def draw_from_cosines(draws: Draws, difficulty: int) -> Draw:
    """The place from two cosines; mistakes: the plain difference, the sum, he before she."""
    to_she, to_he = draws.decimal(-0.2, 0.9, 2), draws.decimal(-0.2, 0.9, 2)
    between = draws.decimal(0.3, 0.9, 2)
    apart = float(np.sqrt(2 - 2 * between))
    if difficulty < 3:
        apart = round(apart, 3)
    return Draw(
        given={
            "word": draws.choose(WORDS),
            "she": to_she,
            "he": to_he,
            "apart": apart,
            "between": between,
            "told": difficulty < 3,
        },
        answer=(to_she - to_he) / apart,
        mistakes={
            "undivided": to_she - to_he,
            "added": (to_she + to_he) / apart,
            "turned": (to_he - to_she) / apart,
        },
    )


def draw_standard(draws: Draws, difficulty: int) -> Draw:
    """A place in standard deviations from the mean; mistakes: from 0, not divided, divided by the variance."""
    mean, deviation = draws.decimal(-0.3, 0.3, 2), draws.decimal(0.15, 0.4, 2)
    place = draws.decimal(-0.8, 0.8, 2)
    spread = AxisSpread(NONE, mean, deviation)
    return Draw(
        given={"word": draws.choose(WORDS), "mean": mean, "deviation": deviation, "place": place},
        answer=float(spread.standard(place)),
        mistakes={
            "zero": float(AxisSpread(NONE, 0.0, deviation).standard(place)),
            "undivided": place - mean,
            "variance": float(AxisSpread(NONE, mean, deviation**2).standard(place)),
        },
        steps={"gap": place - mean},
        digits=2,
    )


MAKERS = (Maker(draw_position), Maker(draw_from_cosines), Maker(draw_standard))
