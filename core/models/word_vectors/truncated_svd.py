r"""The truncated singular-value decomposition: a matrix restored from its k largest singular values.

M = U Σ V^T        M_k = U_k Σ_k V_k^T        ||M - M_k||_F^2 = σ_{k+1}^2 + ... + σ_V^2

No matrix of rank k is nearer to M. The rows of U_k Σ_k, k numbers each, have the very cosines that the rows of M_k
have, for the rows of V_k^T are at right angles and of length 1. The decomposition is numpy's.

C. Eckart and G. Young (1936), The approximation of one matrix by another of lower rank; S. Deerwester, S. Dumais,
G. Furnas, T. Landauer and R. Harshman (1990), Indexing by Latent Semantic Analysis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Places = Sequence[int] | slice


@dataclass(frozen=True, eq=False)
class SingularFactors:
    """A matrix M (n, m) in its factors: U (n, r), the singular values sigma (r,), largest first, and Vt (r, m)."""

    U: np.ndarray
    sigma: np.ndarray
    Vt: np.ndarray

    def vectors(self, k: int) -> np.ndarray:
        """Return U_k Σ_k, (n, k): each row of M in k numbers."""
        return self.U[:, :k] * self.sigma[:k]

    def restored(self, k: int, rows: Places = slice(None), columns: Places = slice(None)) -> np.ndarray:
        """Return M_k, (n, m), the matrix of rank k that is nearest to M, or some rows and columns of it."""
        return self.vectors(k)[rows] @ self.Vt[:k][:, columns]

    def kept(self, k: int) -> float:
        """Return the share of the squared singular values that the first k are; 1 for a matrix of zeros."""
        squares = self.sigma**2
        return float(squares[:k].sum() / squares.sum()) if squares.any() else 1.0

    def error(self, k: int) -> float:
        """Return ||M - M_k||_F, the root of the sum of all squared differences."""
        return float(np.sqrt((self.sigma[k:] ** 2).sum()))


def factorise(M: np.ndarray) -> SingularFactors:
    """Return the singular-value decomposition of M (n, m).

    >>> found = factorise(np.array([[2.0, 0.0], [0.0, 3.0], [0.0, 4.0]]))
    >>> found.sigma, found.kept(1).__round__(4), found.error(1)
    (array([5., 2.]), 0.8621, 2.0)
    >>> np.abs(found.restored(1)).round(6)
    array([[0., 0.],
           [0., 3.],
           [0., 4.]])
    """
    return SingularFactors(*np.linalg.svd(M, full_matrices=False))
