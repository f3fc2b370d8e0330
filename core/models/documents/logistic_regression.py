r"""Logistic regression: a weight for every word, learnt so that the labels become as likely as they can.

    z = b + sum_v w_v x_v          p(y = 1 | x) = sigma(z) = 1 / (1 + e^-z)
    J(w, b) = sum_d -ln p(y_d | x_d) + lambda / 2 |w|^2
    dJ/dw_v = sum_d (p_d - y_d) x_dv + lambda w_v          dJ/db = sum_d (p_d - y_d)

J is convex: with lambda > 0 it has one minimum, which scikit-learn's LogisticRegression with C = 1 / lambda finds too.
Jurafsky and Martin, Speech and Language Processing (3rd edition draft), chapter 5; D. R. Cox (1958), The regression
analysis of binary sequences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

ITERATIONS_AT_MOST = 1000
SLOPE_AT_MOST = 1e-6  # of J at its minimum, in every direction


def loss_and_gradient(
    w: np.ndarray, b: float, X: csr_matrix, y: np.ndarray, l2: float
) -> tuple[float, np.ndarray, float]:
    """Return J(w, b), its gradient by w (V,) and its slope by b, for bags X (N, V) of labels y (N,), 0 or 1.

    With w = 0 and b = 0 every p is 1/2. Each document costs ln 2, and pulls at its words by 1/2:

    >>> X, y = csr_matrix([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]]), np.array([1, 1, 0])
    >>> J, by_w, by_b = loss_and_gradient(np.zeros(2), 0.0, X, y, l2=1.0)
    >>> round(float(J / np.log(2)), 6), by_w, by_b
    (3.0, array([-1.5,  1. ]), -0.5)
    """
    z = X @ w + b  # (N,)
    error = expit(z) - y  # (N,)
    J = np.logaddexp(0, np.where(y == 1, -z, z)).sum() + l2 / 2 * (w @ w)
    return float(J), X.T @ error + l2 * w, float(error.sum())


class LogisticRegression:
    """Logistic regression of two classes, 0 and 1; `l2` is lambda, 0 for no penalty."""

    def __init__(self, l2: float = 1.0, iterations: int = ITERATIONS_AT_MOST):
        self.l2 = l2
        self.iterations = iterations

    def fit(self, X: csr_matrix, y: np.ndarray) -> LogisticRegression:
        """Learn weights `coef_` (V,) and `intercept_`, and keep the length |w| after every step in `lengths_`.

        By L-BFGS, which goes down J as gradient descent does but learns from its last steps how it is curved.

        >>> X, y = csr_matrix([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]]), np.array([1, 1, 0])
        >>> model = LogisticRegression(l2=1.0).fit(X, y)
        >>> model.coef_.round(3), round(model.intercept_, 3)
        (array([ 0.415, -0.741]), 1.496)
        """
        lengths: list[float] = []

        def loss(v: np.ndarray) -> tuple[float, np.ndarray]:
            J, by_w, by_b = loss_and_gradient(v[:-1], v[-1], X, y, self.l2)
            return J, np.append(by_w, by_b)

        found = minimize(
            loss,
            np.zeros(X.shape[1] + 1),
            jac=True,
            method="L-BFGS-B",
            callback=lambda v: lengths.append(float(np.linalg.norm(v[:-1]))),
            options={"maxiter": self.iterations, "maxfun": 10**6, "ftol": 0.0, "gtol": SLOPE_AT_MOST},
        )
        self.coef_, self.intercept_ = found.x[:-1], float(found.x[-1])
        self.loss_, self.lengths_ = float(found.fun), np.array(lengths)
        return self

    def decision(self, X: csr_matrix) -> np.ndarray:
        """Return z (N,) of bags X (N, V)."""
        return X @ self.coef_ + self.intercept_

    def posterior(self, X: csr_matrix) -> np.ndarray:
        """Return p(y | x) (N, 2) of bags X (N, V)."""
        p = expit(self.decision(X))
        return np.column_stack([1 - p, p])


@dataclass(frozen=True)
class GradientDescent:
    """Gradient descent on J: weights (steps + 1, V), b (steps + 1,) and J (steps + 1,), the start first."""

    w: np.ndarray
    b: np.ndarray
    losses: np.ndarray


def gradient_descent(X: csr_matrix, y: np.ndarray, l2: float, rate: float, steps: int) -> GradientDescent:
    """Go down J from w = 0 and b = 0: w <- w - rate dJ/dw, b <- b - rate dJ/db, all weights at once.

    >>> X, y = csr_matrix([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]]), np.array([1, 1, 0])
    >>> down = gradient_descent(X, y, l2=1.0, rate=0.1, steps=1)
    >>> down.w.round(3), down.losses.round(2)
    (array([[ 0.  ,  0.  ],
           [ 0.15, -0.1 ]]), array([2.08, 1.77]))
    """
    w, b = np.zeros((steps + 1, X.shape[1])), np.zeros(steps + 1)
    losses = np.zeros(steps + 1)
    for k in range(steps + 1):
        losses[k], by_w, by_b = loss_and_gradient(w[k], b[k], X, y, l2)
        if k < steps:
            w[k + 1], b[k + 1] = w[k] - rate * by_w, b[k] - rate * by_b
    return GradientDescent(w, b, losses)


def safe_rate(X: csr_matrix, l2: float) -> float:
    """Return 2 / L: with a smaller learning rate no step of gradient descent on J goes up.

    L, the largest curvature of J, is at most the largest eigenvalue of [X 1]'[X 1] / 4 plus lambda (Nesterov, 2004,
    Introductory Lectures on Convex Optimization, section 1.2.3).

    >>> round(safe_rate(csr_matrix([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]]), l2=1.0), 3)
    0.486
    """
    columns = np.column_stack([X.toarray(), np.ones(X.shape[0])])
    return float(2 / (np.linalg.eigvalsh(columns.T @ columns)[-1] / 4 + l2))


@dataclass(frozen=True)
class WorkedDocument:
    """One document through the model: its different words, their counts x, weights w and terms w x; z, p, loss."""

    tokens: tuple[str, ...]  # n
    x: np.ndarray  # (n,)
    w: np.ndarray  # (n,)
    b: float
    y: int

    @property
    def terms(self) -> np.ndarray:
        """Return w_v x_v (n,)."""
        return self.w * self.x

    @property
    def z(self) -> float:
        """Return b plus all terms."""
        return self.b + float(self.terms.sum())

    @property
    def p(self) -> float:
        """Return the probability of class 1."""
        return float(expit(self.z))

    @property
    def loss(self) -> float:
        """Return -ln p(y)."""
        return float(np.logaddexp(0, -self.z if self.y else self.z))

    @property
    def gradient(self) -> np.ndarray:
        """Return (p - y) x_v (n,): what this document adds to the gradient by its words' weights."""
        return (self.p - self.y) * self.x


def work_document(
    model: LogisticRegression, index: dict[str, int], tokens: list[str], y: int
) -> WorkedDocument:
    """Return a document's way through a model; words that the model does not know are left out.

    >>> X = csr_matrix([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]])
    >>> model = LogisticRegression(l2=1.0).fit(X, np.array([1, 1, 0]))
    >>> worked = work_document(model, {"a": 0, "b": 1}, ["b", "a", "a", "?"], y=0)
    >>> worked.tokens, worked.terms.round(3), round(worked.z, 3), round(worked.p, 3)
    (('b', 'a'), array([-0.741,  0.83 ]), 1.585, 0.83)
    """
    known = tuple(dict.fromkeys(token for token in tokens if token in index))
    x = np.array([tokens.count(token) for token in known], dtype=float)
    return WorkedDocument(known, x, model.coef_[[index[t] for t in known]], model.intercept_, y)
