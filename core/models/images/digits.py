"""The handwritten digits of scikit-learn, 8 by 8 pixels, and which of them are held out.

A picture is (1, 8, 8), ink from 0 to 1 (the data set counts sixteenths). Of the 1,797 half is learnt from and half held
out, each digit in its share, drawn with a fixed seed.

Source: Alpaydin and Kaynak (1998), Optical Recognition of Handwritten Digits, UCI; its test part, in scikit-learn (BSD-3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

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
    learnt, held_out = train_test_split(
        np.arange(len(data.target)), test_size=0.5, stratify=data.target, random_state=0
    )
    return tuple(Digits(pictures[rows], data.target[rows]) for rows in (learnt, held_out))
