"""The turn that brings one set of points nearest to another of the same names.

Source: Schönemann (1966), A Generalized Solution of the Orthogonal Procrustes Problem.
"""

from __future__ import annotations

import numpy as np


def procrustes(points: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Return the rotation or reflection R (m, m) that brings centred points (n, m) nearest to a reference (n, m).

    R = argmin over orthogonal R of ||points R - reference||_F = U V^T, where U S V^T = points^T reference

    No distance between two points changes. Where the reference is not centred, R is the same as if it were.

    >>> upright = np.array([[0.0, 2.0], [0.0, -2.0]])
    >>> upright @ procrustes(upright, np.array([[3.0, 0.0], [-3.0, 0.0]]))
    array([[ 2.,  0.],
           [-2.,  0.]])
    """
    U, _, Vt = np.linalg.svd(points.T @ reference)  # (m, m)
    return U @ Vt
