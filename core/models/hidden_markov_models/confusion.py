"""What a tagger mistakes for what: its confusion matrix (K true, K given), read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def share_right(confusion: np.ndarray) -> float:
    """Return the share of the words that lie on the diagonal: those tagged right.

    >>> share_right(np.array([[3, 1], [0, 4]]))
    0.875
    """
    return float(np.trace(confusion) / confusion.sum())


def commonest_mistake(confusion: np.ndarray, states: Sequence[str], true: str) -> str:
    """Return the wrong tag that the words of a true tag are given most often.

    >>> commonest_mistake(np.array([[9, 1, 2], [0, 4, 1], [5, 2, 7]]), ["A", "B", "C"], "C")
    'A'
    """
    row = confusion[states.index(true)].copy()
    row[states.index(true)] = 0
    return states[int(row.argmax())]
