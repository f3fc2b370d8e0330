"""A document's nearest neighbours, and how often the nearest one has its own label.

Leave one out: each document in turn looks for its nearest among all others. Thomas Cover and Peter Hart (1967), Nearest
neighbor pattern classification. Vectors of length 1 have their cosine as their dot product.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import issparse

from core.models.documents.document_vectors import Matrix
from core.models.documents.held_out import wilson

BLOCK = 250  # documents that are compared with all others at a time


def products(vectors: Matrix, x: np.ndarray) -> np.ndarray:
    """Return the dot product of each vector (N, m) with x (m,), (N,)."""
    return np.asarray(vectors @ x).ravel()


def most_alike(vectors: Matrix, x: np.ndarray, k: int, leave_out: int = -1) -> np.ndarray:
    """Return the places of the k documents with the greatest dot product with x, greatest first.

    A document with which it is nought is no neighbour; `leave_out` is the place of x itself.

    >>> most_alike(np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]), np.array([1.0, 0.0]), 3, leave_out=0)
    array([1])
    """
    found = products(vectors, x)
    order = np.argsort(-found, kind="stable")
    return np.array([place for place in order if place != leave_out and found[place] != 0][:k], dtype=int)


@dataclass(frozen=True)
class LeftOut:
    """Each document's nearest other one, -1 where there is none, and whether both have the same label."""

    nearest: np.ndarray  # (N,)
    same: np.ndarray  # (N,)

    @property
    def right(self) -> int:
        """Return how many documents have their label nearest to them."""
        return int(self.same.sum())

    @property
    def share(self) -> float:
        """Return their share."""
        return self.right / len(self.same)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Return the ends of Wilson's interval at 95% of the share."""
        return wilson(self.right, len(self.same))

    @cached_property
    def neighbours(self) -> int:
        """Return how many different documents are the nearest of some other one."""
        return len(np.unique(self.nearest[self.nearest >= 0]))


def leave_one_out(vectors: Matrix, y: np.ndarray) -> LeftOut:
    """Return for each document its nearest other one, by dot product, and whether it has the same label y (N,).

    >>> found = leave_one_out(np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [0.0, 1.0]]), np.array([0, 0, 1, 0]))
    >>> found.nearest, found.right
    (array([1, 2, 1, 2]), 1)
    """
    N = vectors.shape[0]
    nearest, across = np.full(N, -1), vectors.T
    for start in range(0, N, BLOCK):
        block = vectors[start : start + BLOCK] @ across  # (b, N)
        block = block.toarray() if issparse(block) else block
        rows = np.arange(len(block))
        block[rows, start + rows] = -np.inf  # not itself
        best = block.argmax(axis=1)
        nearest[start + rows] = np.where(block[rows, best] != 0, best, -1)
    return LeftOut(nearest, (nearest >= 0) & (y[nearest] == y))
