"""The handwritten digits of scikit-learn, 8 by 8 pixels, and which of them are held out.

A picture is (1, 8, 8), ink from 0 to 1 (the data set counts sixteenths). Of the 1,797 the first half is learnt from and
the second is held out. They stand writer by writer, so at most the writer in the middle is in both halves; a random
split has every writer in both and measures too well.

Source: Alpaydin and Kaynak (1998), Optical Recognition of Handwritten Digits, UCI; its test part, in scikit-learn (BSD-3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.datasets import load_digits

SIDE = 8  # pixels
NAMES = tuple("0123456789")


@dataclass(frozen=True)
class Digits:
    """Pictures (N, 1, 8, 8) with their classes (N,)."""

    pictures: np.ndarray
    y: np.ndarray


@cache
def digits() -> tuple[Digits, Digits]:
    """Return the digits to learn from and those held out.

    >>> [len(half.y) for half in digits()]
    [898, 899]
    """
    data = load_digits()
    pictures = (data.images / 16).astype(np.float32)[:, None]  # (N, 1, 8, 8)
    half = len(data.target) // 2
    return tuple(Digits(pictures[rows], data.target[rows]) for rows in (slice(half), slice(half, None)))
