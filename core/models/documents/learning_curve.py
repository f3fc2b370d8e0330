"""The learning curve: how often a classifier is right on held-out documents, by how many documents it has learnt from.

Each number of documents holds those of the smaller ones, drawn at random; all are judged on the same held-out ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import expit

from core.models.documents.bag_of_words import Bags
from core.models.documents.held_out import Judged, judge
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import NaiveBayes

LEAST, DOCUMENTS_AT_MOST = 10, 2_000
STEPS = 60  # of L-BFGS for a class's weights: enough for what is right, if not for the last digit of J
CLASSES_AT_MOST = 6  # with more, logistic regression would take too long for a page

Learner = Callable[[csr_matrix, np.ndarray, csr_matrix], np.ndarray]  # X, y, held X -> posteriors


@dataclass(frozen=True)
class LearningCurve:
    """Numbers of documents learnt from, and how each method did with so many on the held-out ones."""

    numbers: tuple[int, ...]
    judged: dict[str, tuple[Judged, ...]]


def numbers_of(N: int) -> tuple[int, ...]:
    """Return the numbers of documents to learn from: 10, 20, 40, ... and the last one all of them.

    >>> numbers_of(70), numbers_of(7)
    ((10, 20, 40, 70), (7,))
    """
    doubled = [n for n in (LEAST << power for power in range(N.bit_length())) if n <= 0.8 * N]
    return (*doubled, N)


def naive_bayes_posterior(X: csr_matrix, y: np.ndarray, held: csr_matrix) -> np.ndarray:
    """Return naive Bayes' posteriors of held-out bags, with alpha 1."""
    return NaiveBayes(1.0).fit(X, y).posterior(held)


def regression_posterior(X: csr_matrix, y: np.ndarray, held: csr_matrix) -> np.ndarray:
    """Return logistic regression's probabilities of held-out bags, penalty 1: each class against the rest, then shared out.

    >>> X, y = csr_matrix([[3.0, 0.0], [0.0, 2.0], [2.0, 0.0]]), np.array([0, 1, 0])
    >>> regression_posterior(X, y, csr_matrix([[1.0, 0.0], [0.0, 4.0]])).argmax(axis=1)
    array([0, 1])
    """
    C = int(y.max()) + 1
    ones = [1] if C == 2 else range(C)
    z = [LogisticRegression(1.0, STEPS).fit(X, (y == c).astype(int)).decision(held) for c in ones]
    p = expit(np.array(z)).T  # (N, C), of two classes (N, 1)
    return np.hstack([1 - p, p]) if C == 2 else p / p.sum(axis=1, keepdims=True)


LEARNERS = {"naive Bayes": naive_bayes_posterior, "logistic regression": regression_posterior}


def learning_curve(learnt: Bags, rest: Bags, seed: int = 0) -> LearningCurve:
    """Return how both methods do on the held-out documents `rest`, learnt from more and more of `learnt`.

    A class that is not among the first documents cannot be named yet. Of more than 2,000 documents 2,000 are the most.

    >>> bags = Bags(("a", "b"), ("x", "y"), csr_matrix([[2.0, 0.0], [0.0, 1.0]] * 20), np.array([0, 1] * 20))
    >>> curve = learning_curve(bags, bags)
    >>> curve.numbers, [each.right for each in curve.judged["naive Bayes"]]
    ((10, 20, 40), [40, 40, 40])
    """
    order = np.random.default_rng(seed).permutation(len(learnt.y))[:DOCUMENTS_AT_MOST]
    numbers, C = numbers_of(len(order)), len(learnt.classes)
    judged: dict[str, list[Judged]] = {}
    for name, posterior in LEARNERS.items():
        if name != "naive Bayes" and C > CLASSES_AT_MOST:
            continue
        judged[name] = [
            judge(estimate_posteriors(posterior, learnt, order[:n], rest.X, C), rest.y) for n in numbers
        ]
    return LearningCurve(numbers, {name: tuple(each) for name, each in judged.items()})


def estimate_posteriors(
    posterior: Learner, learnt: Bags, places: np.ndarray, held: csr_matrix, C: int
) -> np.ndarray:
    """Return the posteriors (N, C) of held-out bags by what is learnt from some documents; nought for a class not seen."""
    seen, y = np.unique(learnt.y[places], return_inverse=True)
    found = np.zeros((held.shape[0], C))
    found[:, seen] = posterior(learnt.X[places], y, held) if len(seen) > 1 else 1.0
    return found
