"""Codes of tokens: an id as a one-hot row, as long as the vocabulary, or as a binary number of ceil(log2 V) bits.

One-hot: x_j = 1 where j is the id, 0 elsewhere. Rows of different tokens are at right angles and sqrt(2) apart, and a
sum of rows counts tokens. Binary: b = ceil(log2 V) bits, the highest first; a sum of two codes may be a third token's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np


def bits_needed(V: int) -> int:
    """Return ceil(log2 V), the bits that tell V tokens apart; at least one.

    >>> [bits_needed(V) for V in (1, 2, 5, 8, 9)]
    [1, 1, 3, 3, 4]
    """
    return max(1, (V - 1).bit_length())


def one_hot(ids: Sequence[int], V: int) -> np.ndarray:
    """Return the one-hot rows of ids, (T, V).

    >>> one_hot([2, 0], 3)
    array([[0, 0, 1],
           [1, 0, 0]], dtype=uint8)
    """
    rows = np.zeros((len(ids), V), dtype=np.uint8)
    rows[np.arange(len(ids)), list(ids)] = 1
    return rows


def binary(ids: Sequence[int], V: int) -> np.ndarray:
    """Return the binary codes of ids, (T, b), the highest bit first.

    >>> binary([6, 1], 7)
    array([[1, 1, 0],
           [0, 0, 1]])
    """
    places = np.arange(bits_needed(V))[::-1]
    return np.array(list(ids), dtype=np.int64)[:, None] >> places & 1


def different_bits(codes: np.ndarray) -> np.ndarray:
    """Return in how many bits each two codes (T, b) differ, (T, T): Hamming's distance.

    >>> different_bits(binary([6, 1, 5], 7))
    array([[0, 3, 2],
           [3, 0, 1],
           [2, 1, 0]])
    """
    return (codes[:, None] != codes[None]).sum(axis=-1)


def third_token(ids: Sequence[int], V: int) -> tuple[int, int, int] | None:
    """Return the first two of some ids whose binary codes add up, bit by bit, to the code of a third token, and that.

    No bit may be 1 in both; id 0 is left out, for it adds nothing. None where there are no such two.

    >>> third_token([6, 2, 4, 1], 8)
    (6, 1, 7)
    """
    different = dict.fromkeys(i for i in ids if i)
    return next(((i, j, i + j) for i, j in combinations(different, 2) if not i & j and i + j < V), None)
