"""The loss of logistic regression as a surface over two words' weights, all others fixed, and descent on it.

    w <- w - eta dJ/dw          eta: the learning rate

J's curvature in any direction is at most L, the larger eigenvalue of X'X / 4 + lambda I for the two columns of X. A rate
below 2 / L goes down at every step (Y. Nesterov, 2004, Introductory Lectures on Convex Optimization, section 1.2.3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import expit

from core.models.documents.logistic_regression import LogisticRegression

GRID = 41  # places along either weight at which the surface is measured
UNMOVED = 1e-9  # of J: less is the computer's rounding
FARTHEST = 1e6  # a weight beyond this is not followed


@dataclass(frozen=True)
class TwoWeights:
    """J over two weights: documents with either word, x (n, 2), what else adds to their z (n,), and the rest of J."""

    x: np.ndarray  # (n, 2)
    y: np.ndarray  # (n,)
    others: np.ndarray  # (n,)
    constant: float
    l2: float

    def loss(self, w: np.ndarray) -> np.ndarray:
        """Return J (...) at weights w (..., 2)."""
        z = w @ self.x.T + self.others  # (..., n)
        return (
            np.logaddexp(0, np.where(self.y == 1, -z, z)).sum(axis=-1)
            + self.l2 / 2 * (w**2).sum(axis=-1)
            + self.constant
        )

    def gradient(self, w: np.ndarray) -> np.ndarray:
        """Return J's gradient (2,) at weights w (2,)."""
        return (expit(self.x @ w + self.others) - self.y) @ self.x + self.l2 * w

    @property
    def safe_rate(self) -> float:
        """Return 2 / L: a learning rate below it goes down at every step."""
        L = np.linalg.eigvalsh(self.x.T @ self.x)[-1] / 4 + self.l2
        return float(2 / L) if L else float("inf")


def two_weights(
    model: LogisticRegression, X: csr_matrix, y: np.ndarray, pair: tuple[int, int], l2: float
) -> TwoWeights:
    """Return J over the weights of two words (columns of X), the others and b as the model has them.

    >>> X, y = csr_matrix([[2.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]]), np.array([1, 1, 0, 0])
    >>> surface = two_weights(LogisticRegression(1.0).fit(X, y), X, y, (0, 1), 1.0)
    >>> surface.x.tolist(), surface.y.tolist()
    ([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]], [1, 1, 0])
    """
    x = X[:, list(pair)].toarray()  # (N, 2)
    fixed = model.coef_.copy()
    fixed[list(pair)] = 0
    z = X @ fixed + model.intercept_
    moved = x.any(axis=1)
    rest = np.logaddexp(0, np.where(y == 1, -z, z))[~moved].sum() + l2 / 2 * (fixed @ fixed)
    return TwoWeights(x[moved], y[moved], z[moved], float(rest), l2)


def minimum_of(surface: TwoWeights, steps: int = 100) -> np.ndarray | None:
    """Return the weights (2,) of the least loss, by Newton's method; None where there are none.

    >>> surface = TwoWeights(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([1, 0]), np.zeros(2), 0.0, l2=1.0)
    >>> minimum_of(surface).round(3)
    array([ 0.276, -0.455])
    """
    w = np.zeros(2)
    for _ in range(steps):
        p = expit(surface.x @ w + surface.others)
        curvature = (surface.x * (p * (1 - p))[:, None]).T @ surface.x + surface.l2 * np.eye(2)
        slope = surface.gradient(w)
        if np.abs(slope).max() < 1e-9:
            return w
        step = np.linalg.lstsq(curvature, slope, rcond=None)[0]
        while surface.loss(w - step) > surface.loss(w) + 1e-12 and np.abs(step).max() > 1e-12:
            step /= 2
        w = w - step
        if np.abs(w).max() > 30:  # p is 1 to ten digits: the loss falls on for ever
            return None
    return w


def descend(surface: TwoWeights, start: np.ndarray, rate: float, steps: int) -> np.ndarray:
    """Return the weights (steps + 1, 2) of gradient descent; fewer rows where they leave all bounds.

    >>> surface = TwoWeights(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([1, 0]), np.zeros(2), 0.0, l2=1.0)
    >>> descend(surface, np.zeros(2), rate=0.5, steps=2).round(3)  # the slope at nought is (-1/2, 1/2)
    array([[ 0.   ,  0.   ],
           [ 0.25 , -0.25 ],
           [ 0.253, -0.375]])
    """
    path = [np.asarray(start, dtype=float)]
    for _ in range(steps):
        w = path[-1] - rate * surface.gradient(path[-1])
        if not np.abs(w).max() < FARTHEST:
            break
        path.append(w)
    return np.array(path)


def measured_surface(surface: TwoWeights, reach: np.ndarray) -> np.ndarray:
    """Return J (GRID, GRID) at weights evenly spread over a box, reach (2, 2): from and to of the first, the second.

    A row holds one second weight, a column one first weight.

    >>> surface = TwoWeights(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([1, 0]), np.zeros(2), 0.0, l2=1.0)
    >>> measured_surface(surface, np.array([[-1.0, 1.0], [-2.0, 2.0]])).shape
    (41, 41)
    """
    first, second = (np.linspace(*ends, GRID) for ends in reach)
    grid = np.stack(np.meshgrid(first, second), axis=-1)  # (GRID, GRID, 2)
    return np.array([surface.loss(row) for row in grid])
