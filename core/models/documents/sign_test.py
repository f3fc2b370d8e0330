"""Whether one classifier is better than another on the same documents, or merely luckier.

Documents on which both are right, or both wrong, tell nothing. Of the others each is right on about half if both are
equally good. Quinn McNemar (1947), Note on the sampling error of the difference between correlated proportions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.stats import binomtest


@dataclass(frozen=True)
class SignTest:
    """On how many documents only the one is right, and only the other; `p`: how often luck splits them so unevenly."""

    one: int
    other: int

    @cached_property
    def p(self) -> float:
        """Return how likely a split at least so uneven is, of so many documents by throws of a fair coin."""
        return split_by_luck(self.one, self.one + self.other)


@lru_cache(maxsize=1024)
def split_by_luck(one: int, n: int) -> float:
    """Return how likely n throws of a fair coin split at least as unevenly as into `one` and the others.

    >>> split_by_luck(4, 5), split_by_luck(0, 0)
    (0.375, 1.0)
    """
    return float(binomtest(one, n).pvalue) if n else 1.0


def sign_test(one_right: np.ndarray, other_right: np.ndarray) -> SignTest:
    """Return the test on which documents (N,) each is right.

    >>> found = sign_test(np.array([1, 1, 1, 1, 0, 1], bool), np.array([1, 0, 0, 0, 1, 0], bool))
    >>> found.one, found.other, found.p
    (4, 1, 0.375)
    """
    return SignTest(int((one_right & ~other_right).sum()), int((other_right & ~one_right).sum()))
