"""How often a classifier is right on documents that it has not learnt from, how sure that is, and where it is wrong.

Accuracy k / n, with Wilson's interval at 95%: E. B. Wilson (1927), Probable inference, the law of succession, and
statistical inference. A document for which every class has probability nought is decided by none, and is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.stats import binomtest

Z_95 = 1.96  # of a normal distribution: 95% of it is nearer to its mean


@dataclass(frozen=True)
class Confusion:
    """How many held-out documents of each class were given which class (C true, C + 1 given; the last is none)."""

    confusion: np.ndarray  # (C, C + 1)

    @property
    def documents(self) -> int:
        """Return how many documents were held out."""
        return int(self.confusion.sum())

    @property
    def largest(self) -> float:
        """Return the share of the most frequent class: how often one is right who always names it."""
        return float(self.confusion.sum(axis=1).max()) / self.documents

    @property
    def right(self) -> int:
        """Return how many documents were given their own class."""
        return int(np.trace(self.confusion[:, :-1]))

    @property
    def accuracy(self) -> float:
        """Return the share of the documents that were given their own class."""
        return self.right / self.documents

    @property
    def interval(self) -> tuple[float, float]:
        """Return the ends of Wilson's interval at 95% of the accuracy."""
        return wilson(self.right, self.documents)

    @property
    def undecided(self) -> int:
        """Return how many documents no class could have written."""
        return int(self.confusion[:, -1].sum())


@dataclass(frozen=True)
class Judged(Confusion):
    """Held-out documents judged: beside the confusion each one's class, the class given, and its posterior."""

    y: np.ndarray  # (N,)
    posteriors: np.ndarray  # (N, C)
    given: np.ndarray  # (N,), C where no class is possible

    def most_misread(self, most: int) -> np.ndarray:
        """Return the places of the wrong documents, those first whose own class was given the least."""
        wrong = np.flatnonzero(self.given != self.y)
        own = np.nan_to_num(self.posteriors[wrong, self.y[wrong]])
        return wrong[np.argsort(own, kind="stable")][:most]


def judge(posteriors: np.ndarray, y: np.ndarray) -> Judged:
    """Return documents' posteriors (N, C) judged by their classes y (N,).

    >>> judged = judge(np.array([[0.9, 0.1], [0.3, 0.7], [0.8, 0.2]]), np.array([0, 1, 1]))
    >>> judged.confusion, judged.right, judged.most_misread(5)
    (array([[1, 0, 0],
           [1, 1, 0]]), 2, array([2]))
    """
    C = posteriors.shape[1]
    possible = ~np.isnan(posteriors).any(axis=1)
    given = np.where(possible, np.nan_to_num(posteriors).argmax(axis=1), C)
    confusion = np.zeros((C, C + 1), dtype=int)
    np.add.at(confusion, (y, given), 1)
    return Judged(confusion, y, posteriors, given)


@lru_cache(maxsize=1024)
def wilson(right: int, of: int) -> tuple[float, float]:
    """Return the ends of Wilson's interval at 95% of a share.

    >>> tuple(round(end, 3) for end in wilson(8, 10))
    (0.49, 0.943)
    """
    ends = binomtest(right, of).proportion_ci(0.95, method="wilson")
    return float(ends.low), float(ends.high)


def compare_shares(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Return 1 where the share of `one`, so many of so many, is clearly above that of the `other`, -1 below, else 0.

    The test of two proportions at 5%: two shares can differ although their intervals overlap.

    >>> compare_shares((90, 100), (50, 100)), compare_shares((50, 100), (90, 100)), compare_shares((50, 100), (52, 100))
    (1, -1, 0)
    >>> compare_shares((1146, 1600), (530, 800))  # 71.6% and 66.3%, whose 95% intervals meet
    1
    """
    (k, n), (j, m) = one, other
    share = (k + j) / (n + m)
    spread = (share * (1 - share) * (1 / n + 1 / m)) ** 0.5
    z = (k / n - j / m) / spread if spread else 0.0
    return int(z > Z_95) - int(z < -Z_95)
