"""An axis of meaning between two lists of words, and where other words lie along it.

Source: Bolukbasi, Chang, Zou, Saligrama and Kalai (2016), Man is to Computer Programmer as Woman is to
Homemaker? Debiasing Word Embeddings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.word_vectors import WORDS
from core.models.word_vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class Placement:
    """Where a word lies on an axis.

    position: in units of the vectors; standard: in standard deviations from the mean of all words
    as_far:   the share of all words that lie as far from that mean or further, to either side
    cosine:   with the axis
    """

    word: str
    position: float
    standard: float
    as_far: float
    cosine: float


@dataclass(frozen=True, eq=False)
class AxisSpread:
    """Where all words of a set lie on an axis: their positions (V,), with mean and standard deviation.

    Halfway between the two lists is not where an average word lies: the lists are a few words of many.
    """

    positions: np.ndarray
    mean: float
    deviation: float

    def standard(self, positions: np.ndarray | float) -> np.ndarray | float:
        """Return (position - mean) / deviation."""
        return (positions - self.mean) / self.deviation


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

    def positions(self, vectors: WordVectors) -> np.ndarray:
        """Return the position of every word, (x - midpoint) . direction, as (V,)."""
        return (vectors.vectors - self.midpoint) @ self.direction

    def spread(self, vectors: WordVectors) -> AxisSpread:
        """Return where all words of a set lie."""
        positions = self.positions(vectors).astype(float)
        return AxisSpread(positions, float(positions.mean()), float(positions.std()))

    def place(
        self, vectors: WordVectors, words: Iterable[str], spread: AxisSpread | None = None
    ) -> list[Placement]:
        """Return some words' places among all of `vectors`, whose `spread` may be known already."""
        some, spread = vectors.subset(words), spread or self.spread(vectors)
        distances = np.sort(np.abs(spread.positions - spread.mean))
        placed = []
        for word, unit in zip(some.words, some.units, strict=True):
            position = float(spread.positions[vectors.row(word)])
            nearer = int(np.searchsorted(distances, abs(position - spread.mean)))
            as_far = 1 - nearer / len(distances)
            cosine = float(unit @ self.direction)
            placed.append(Placement(word, position, float(spread.standard(position)), as_far, cosine))
        return placed


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
        raise ValueError(WORDS.label("word_axis.empty"))
    low, high = vectors.subset(negative), vectors.subset(positive)
    low_mean, high_mean = low.vectors.mean(axis=0), high.vectors.mean(axis=0)
    width = float(np.linalg.norm(high_mean - low_mean))
    if width <= 1e-5 * np.linalg.norm(high_mean):  # what rounding leaves of two equal means
        raise ValueError(WORDS.label("word_axis.same"))
    return Axis(low.words, high.words, (low_mean + high_mean) / 2, (high_mean - low_mean) / width, width / 2)


def mean_shift(before: Sequence[Placement], after: Sequence[Placement]) -> float:
    """Return how far the same words moved from one placing to another, in standard deviations, on average.

    mean over words of |standard_after - standard_before|

    >>> here, there = Placement("a", 0, 1.0, 0.3, 0), Placement("a", 0, -0.5, 0.6, 0)
    >>> mean_shift([here], [there])
    1.5
    """
    shifts = [abs(now.standard - was.standard) for was, now in zip(before, after, strict=True)]
    return sum(shifts) / len(shifts)
