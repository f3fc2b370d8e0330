"""Naive Bayes against logistic regression: both add up one number a word, so that they can be set side by side.

    naive Bayes          z = ln p(1) / p(0) + sum_v x_v ln p(v | 1) / p(v | 0)
    logistic regression  z = b              + sum_v x_v w_v                          p(1 | x) = sigma(z)

Naive Bayes counts each word as if it came alone: what comes twice for one reason counts twice. Logistic regression
learns all weights together, so two words that always come together share what they are worth.
A. Ng and M. Jordan (2002), On discriminative vs. generative classifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix, hstack
from scipy.special import expit

from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import NaiveBayes


@dataclass(frozen=True)
class Pulls:
    """What each different word of a document adds to both sums, and what both begin with."""

    tokens: tuple[str, ...]  # n
    x: np.ndarray  # (n,), how often each is said
    each: np.ndarray  # (2, n), what it adds every time: of naive Bayes, of logistic regression
    begin: np.ndarray  # (2,)

    @property
    def terms(self) -> np.ndarray:
        """Return what each word adds (2, n)."""
        return self.x * self.each

    @property
    def z(self) -> np.ndarray:
        """Return both sums (2,)."""
        return self.begin + self.terms.sum(axis=1)

    @property
    def p(self) -> np.ndarray:
        """Return both probabilities of class 1 (2,)."""
        return expit(self.z)

    def said(self, place: int, times: np.ndarray) -> np.ndarray:
        """Return both probabilities (2, T) if the word at a place were said so many times (T,)."""
        return expit(self.z[:, None] + (times - self.x[place]) * self.each[:, place][:, None])


def log_ratios(bayes: NaiveBayes) -> tuple[float, np.ndarray]:
    """Return ln p(1) / p(0), and ln p(v | 1) / p(v | 0) of every word (V,).

    >>> X, y = csr_matrix([[2.0, 1.0], [0.0, 1.0], [0.0, 2.0]]), np.array([1, 0, 0])
    >>> prior, ratios = log_ratios(NaiveBayes(1.0).fit(X, y))
    >>> np.exp(prior).round(3), np.exp(ratios).round(3)  # 3/5 against 1/5, 2/5 against 4/5
    (np.float64(0.5), array([3. , 0.5]))
    """
    prior = bayes.log_prior_[1] - bayes.log_prior_[0]
    return float(prior), bayes.log_likelihood_[1] - bayes.log_likelihood_[0]


def pulls(
    bayes: NaiveBayes,
    regression: LogisticRegression,
    index: dict[str, int],
    tokens: Sequence[str],
    copies: int = 1,
) -> Pulls:
    """Return what a document's words add to both sums; of models of copied features, all copies of a word together.

    >>> X, y = csr_matrix([[2.0, 1.0], [0.0, 1.0], [0.0, 2.0]]), np.array([1, 0, 0])
    >>> found = pulls(NaiveBayes(1.0).fit(X, y), LogisticRegression(1.0).fit(X, y), {"a": 0, "b": 1}, list("bab"))
    >>> found.tokens, found.terms.round(3), found.p.round(3)
    (('b', 'a'), array([[-1.386,  1.099],
           [-0.378,  0.818]]), array([0.273, 0.346]))
    """
    known = tuple(dict.fromkeys(token for token in tokens if token in index))
    columns = np.array([index[token] for token in known], dtype=int)
    prior, ratios = log_ratios(bayes)
    V = len(ratios) // copies
    together = np.array(
        [ratios.reshape(copies, V).sum(axis=0), regression.coef_.reshape(copies, V).sum(axis=0)]
    )
    x = np.array([list(tokens).count(token) for token in known], dtype=float)
    return Pulls(known, x, together[:, columns], np.array([prior, regression.intercept_]))


def duplicate_features(X: csr_matrix, copies: int) -> csr_matrix:
    """Return bags (N, V) with every feature so many times, (N, copies V): each word beside its doubles.

    >>> duplicate_features(csr_matrix([[2.0, 1.0]]), 2).toarray()
    array([[2., 1., 2., 1.]])
    """
    return csr_matrix(hstack([X] * copies))


def mean_cross_entropy(p: np.ndarray, y: np.ndarray) -> float:
    """Return the mean of -ln p(y) for probabilities p (N,) of class 1 and classes y (N,), 0 or 1.

    >>> round(mean_cross_entropy(np.array([0.5, 0.8]), np.array([1, 0])), 4)  # (ln 2 + ln 5) / 2
    1.1513
    """
    own = np.where(y == 1, p, 1 - p)
    return float(-np.log(np.maximum(own, np.finfo(float).tiny)).mean())


def how_sure(p: np.ndarray) -> float:
    """Return the mean probability of the class that is chosen: a good judge is right as often as it is sure.

    >>> round(how_sure(np.array([0.9, 0.3])), 6)
    0.8
    """
    return float(np.maximum(p, 1 - p).mean())
