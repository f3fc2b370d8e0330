r"""Bradley-Terry: a reward for each item from votes between pairs of items.

$P(a \succ b) = \sigma(r_a - r_b)$, with rewards that are a number for each item, or linear in its features, $r = \Phi w$.

Ralph Bradley and Milton Terry (1952), Rank analysis of incomplete block designs: the method of paired comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import expit

ROUNDS = 100  # of Newton's method, which needs about ten
ENOUGH = 1e-12  # a smaller gradient is 0
MOST = 20.0  # rewards that differ by more are not finite: one side won every vote


@dataclass(frozen=True)
class Votes:
    """Of each pair (a, b) of items the number of votes for a, and of votes in all."""

    pairs: tuple[tuple[int, int], ...]
    won: tuple[float, ...]
    of: tuple[float, ...]

    @property
    def shares(self) -> np.ndarray:
        """The share of votes for the first item of each pair, (P,)."""
        return np.array(self.won) / np.array(self.of)


def fit_bradley_terry(votes: Votes, features: np.ndarray) -> np.ndarray:
    """Return the weights w, (F,), that make the votes most probable where item i has the reward features[i] · w.

    `features` is (N, F); the identity gives each item a reward of its own. Weights that the votes leave open (a number that
    all rewards share) are as short as can be. Raises ValueError where one side wins every vote, so that no finite
    weights are best.

    >>> votes = Votes(((0, 1),), (3,), (4,))
    >>> r = fit_bradley_terry(votes, np.eye(2))
    >>> round(float(expit(r[0] - r[1])), 6)
    0.75
    """
    X = feature_differences(votes, features)
    won, of = np.array(votes.won, dtype=np.float64), np.array(votes.of, dtype=np.float64)
    w = np.zeros(X.shape[1])
    for _ in range(ROUNDS):
        p = expit(X @ w)
        gradient = X.T @ (won - of * p)
        if np.abs(gradient).max() < ENOUGH * of.sum() or np.abs(X @ w).max() > MOST:
            break
        w = w + np.linalg.pinv(information(X, of, p)) @ gradient
    if np.abs(X @ w).max() > MOST:
        raise ValueError("One side wins every vote, so no finite rewards fit. Add a vote for the other side.")
    return w


def standard_errors(votes: Votes, features: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the standard error of each weight that `fit_bradley_terry` found, (F,), from the curvature of the likelihood.

    >>> votes = Votes(((0, 1),), (50,), (100,))
    >>> standard_errors(votes, np.array([[1.0], [0.0]]), np.zeros(1)).round(3).tolist()
    [0.2]
    """
    X = feature_differences(votes, features)
    curvature = information(X, np.array(votes.of), expit(X @ weights))
    return np.sqrt(np.diag(np.linalg.pinv(curvature)))


def feature_differences(votes: Votes, features: np.ndarray) -> np.ndarray:
    """Return the features of a less the features of b, for each pair (a, b), (P, F)."""
    a, b = np.array(votes.pairs).T
    return features[a] - features[b]


def information(X: np.ndarray, of: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return Xᵀ diag(n p (1 - p)) X, (F, F): minus the second derivative of the log-likelihood by the weights."""
    return X.T @ (X * (of * p * (1 - p))[:, None])


def draw_votes(scores: Sequence[float], of: int, seed: int) -> Votes:
    """Return simulated votes of every pair: each voter prefers a to b with probability sigmoid(scores[a] - scores[b]).

    >>> draw_votes([9.0, -9.0], 5, seed=1).won
    (5,)
    """
    draws = np.random.default_rng(seed)
    pairs = all_pairs(len(scores))
    won = tuple(int(draws.binomial(of, expit(scores[a] - scores[b]))) for a, b in pairs)
    return Votes(pairs, won, (of,) * len(pairs))


def rank_votes(n: int, sure: float) -> Votes:
    """Return the votes of a ranking, the best item first: of each pair the better one has the share `sure`.

    >>> rank_votes(3, 0.9).pairs
    ((0, 1), (0, 2), (1, 2))
    """
    pairs = all_pairs(n)
    return Votes(pairs, (sure,) * len(pairs), (1.0,) * len(pairs))


def all_pairs(n: int) -> tuple[tuple[int, int], ...]:
    """Return every pair of n items once.

    >>> all_pairs(3)
    ((0, 1), (0, 2), (1, 2))
    """
    return tuple(combinations(range(n), 2))
