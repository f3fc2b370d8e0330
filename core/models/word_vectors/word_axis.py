"""An axis of meaning between two lists of words, and where other words lie along it.

Source: Bolukbasi, Chang, Zou, Saligrama and Kalai (2016), Man is to Computer Programmer as Woman is to
Homemaker? Debiasing Word Embeddings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.word_vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class Placement:
    """Where a word lies on an axis: its position in units of the vectors, and its cosine with the axis."""

    word: str
    position: float
    cosine: float


@dataclass(frozen=True, eq=False)
class Axis:
    """A directed line through two lists of words.

    negative, positive: the words of either end, as they are spelt in the vocabulary
    midpoint:   (d,), halfway between the means of the two lists; position 0
    direction:  (d,), of length 1, from the negative mean to the positive mean
    half_width: the positive mean lies at +half_width, the negative mean at -half_width
    """

    negative: tuple[str, ...]
    positive: tuple[str, ...]
    midpoint: np.ndarray
    direction: np.ndarray
    half_width: float

    def place(self, vectors: WordVectors, words: Iterable[str]) -> list[Placement]:
        """Return each word's position (x - midpoint) . direction and cosine x . direction / |x|."""
        some = vectors.subset(words)
        positions = (some.vectors - self.midpoint) @ self.direction
        cosines = some.units @ self.direction
        return [Placement(*row) for row in zip(some.words, positions.tolist(), cosines.tolist(), strict=True)]


def axis(vectors: WordVectors, negative: Sequence[str], positive: Sequence[str]) -> Axis:
    """Return the axis from the mean of the negative words to the mean of the positive words.

    direction = (mean(positive) - mean(negative)) / |mean(positive) - mean(negative)|

    Raises UnknownWordError, and ValueError when a list is empty or both have the same mean.

    >>> people = WordVectors(["he", "she", "nurse"], np.float32([[0, 0], [4, 0], [3, 5]]))
    >>> line = axis(people, ["he"], ["she"])
    >>> line.half_width, line.place(people, ["nurse"])[0].position
    (2.0, 1.0)
    """
    if not negative or not positive:
        raise ValueError("An axis needs at least one word at either end: add a word to the empty list.")
    low, high = vectors.subset(negative), vectors.subset(positive)
    low_mean, high_mean = low.vectors.mean(axis=0), high.vectors.mean(axis=0)
    width = float(np.linalg.norm(high_mean - low_mean))
    if width <= 1e-5 * np.linalg.norm(high_mean):  # what rounding leaves of two equal means
        raise ValueError("Both ends of the axis are the same point: use different words for them.")
    return Axis(low.words, high.words, (low_mean + high_mean) / 2, (high_mean - low_mean) / width, width / 2)
