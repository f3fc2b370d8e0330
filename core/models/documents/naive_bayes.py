"""Naive Bayes: a document's class by counting, as if its words were drawn one by one from a bag that the class owns.

    c* = argmax_c  ln p(c) + sum_i ln p(w_i | c)          p(w | c) = (n(w, c) + alpha) / (n(c) + alpha V)

where p(c) is the share of the documents that are of class c, n(w, c) how often their words are w, and n(c) how many
words they have. Binary naive Bayes counts a word once a document, when it learns and when it reads.
Jurafsky and Martin, Speech and Language Processing (3rd edition draft), chapter 4; A. McCallum and K. Nigam (1998),
A comparison of event models for naive Bayes text classification.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import logsumexp


class NaiveBayes:
    """Multinomial naive Bayes with `alpha` added to every count; learnt by `fit`."""

    def __init__(self, alpha: float = 1.0):
        self.alpha = alpha

    def fit(self, X: csr_matrix, y: np.ndarray) -> NaiveBayes:
        """Learn from bags X (N, V) of classes y (N,), 0 ... C - 1, each of which occurs.

        Two documents "a a b" and "b c" of two classes, alpha 1, V = 3: p(a | first) = (2 + 1) / (3 + 3) = 1/2.

        >>> model = NaiveBayes(alpha=1.0).fit(csr_matrix([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]), np.array([0, 1]))
        >>> np.exp(model.log_likelihood_).round(3)
        array([[0.5  , 0.333, 0.167],
               [0.2  , 0.4  , 0.4  ]])
        """
        return self.fit_counts(*class_counts(X, y))

    def fit_counts(self, counts: np.ndarray, documents: np.ndarray) -> NaiveBayes:
        """Learn from n(w, c) (C, V) and each class's number of documents (C,): all that naive Bayes remembers."""
        self.counts_, self.documents_ = counts, documents
        smoothed = counts + self.alpha  # (C, V)
        with np.errstate(divide="ignore", invalid="ignore"):
            self.log_prior_ = np.log(documents / documents.sum())
            self.log_likelihood_ = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
        # A class without a single word, and nothing added: it says no word at all.
        self.log_likelihood_[np.isnan(self.log_likelihood_)] = -np.inf
        return self

    def joint_log_probability(self, X: csr_matrix) -> np.ndarray:
        """Return ln p(c) + ln p(document | c) for bags X (N, V), (N, C); what multiplies words' orders is left out."""
        return self.log_prior_ + X @ self.log_likelihood_.T

    def posterior(self, X: csr_matrix) -> np.ndarray:
        """Return p(c | document) (N, C); a row of nan where every class has probability nought.

        >>> model = NaiveBayes(alpha=1.0).fit(csr_matrix([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]), np.array([0, 1]))
        >>> model.posterior(csr_matrix([[1.0, 1.0, 0.0]])).round(3)  # 1/2 1/3 against 1/5 2/5
        array([[0.676, 0.324]])
        """
        return normalised(self.joint_log_probability(X))


def class_counts(X: csr_matrix, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how often each class has each word, (C, V), and how many documents it has, (C,).

    >>> class_counts(csr_matrix([[2.0, 1.0], [0.0, 1.0], [3.0, 0.0]]), np.array([0, 1, 0]))
    (array([[5., 1.],
           [0., 1.]]), array([2, 1]))
    """
    N, C = len(y), int(y.max()) + 1
    member = csr_matrix((np.ones(N), (y, np.arange(N))), shape=(C, N))
    return (member @ X).toarray(), np.bincount(y, minlength=C)


def normalised(joint: np.ndarray) -> np.ndarray:
    """Return the shares exp(joint) / sum over the last axis; nan where all are nought.

    >>> normalised(np.log([[0.2, 0.6]])).round(2), normalised(np.array([[-np.inf, -np.inf]]))
    (array([[0.25, 0.75]]), array([[nan, nan]]))
    """
    with np.errstate(invalid="ignore"):
        return np.exp(joint - logsumexp(joint, axis=-1, keepdims=True))


class LearntVocabulary(Protocol):
    """What knows the words that were learnt: bags of words, or stored counts."""

    index: Mapping[str, int]


@dataclass(frozen=True)
class NaiveBayesReading:
    """A document read word by word: the known words in order, and what each says of every class."""

    tokens: tuple[str, ...]  # n
    columns: np.ndarray  # (n,), of the vocabulary
    log_prior: np.ndarray  # (C,)
    log_likelihoods: np.ndarray  # (n, C)
    unknown: tuple[str, ...]  # left out

    @property
    def sums(self) -> np.ndarray:
        """Return the sums (n + 1, C) after the prior and after each word: the last is the document's."""
        return np.vstack([self.log_prior, self.log_likelihoods]).cumsum(axis=0)

    @property
    def posteriors(self) -> np.ndarray:
        """Return the posterior (n + 1, C) after the prior and after each word."""
        return normalised(self.sums)


def explain_words(
    model: NaiveBayes, learnt: LearntVocabulary, tokens: Sequence[str], binary: bool = False
) -> NaiveBayesReading:
    """Return what a model says of a document's tokens, one by one; `binary` reads each word once.

    `learnt` knows the column of each word that was learnt.

    >>> from core.models.documents.bag_of_words import Bags
    >>> bags = Bags(("a", "b", "c"), ("x", "y"), csr_matrix([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]), np.array([0, 1]))
    >>> reading = explain_words(NaiveBayes(1.0).fit(bags.X, bags.y), bags, ["a", "b", "?"])
    >>> reading.posteriors[:, 0].round(3), reading.unknown
    (array([0.5  , 0.714, 0.676]), ('?',))
    """
    once = dict.fromkeys(tokens) if binary else tokens
    known = tuple(token for token in once if token in learnt.index)
    columns = np.array([learnt.index[token] for token in known], dtype=int)
    unknown = tuple(dict.fromkeys(token for token in tokens if token not in learnt.index))
    return NaiveBayesReading(known, columns, model.log_prior_, model.log_likelihood_[:, columns].T, unknown)
