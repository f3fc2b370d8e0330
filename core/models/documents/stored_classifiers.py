"""Classifiers of documents that are stored as counts and weights, without a single document.

Naive Bayes needs but n(w, c) and each class's number of documents, so any alpha can be added to them afterwards. The
weights of logistic regression hold for the penalty that they were learnt with: they are stored for some. Of the
held-out documents it is stored how each classifier was right and wrong: they themselves are nowhere in the course.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from core.models.documents.held_out import Confusion
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import NaiveBayes
from core.models.stored import MODELS, load_json, load_weights

ALPHAS = tuple(tenth / 10 for tenth in range(51))  # 0, 0.1, ... 5
PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0)
COPIES = (
    3  # of every feature, where features are doubled: weights of three equal parts pay a third of the penalty
)
LEARNT_AT = (*PENALTIES, *(l2 / COPIES for l2 in PENALTIES))


@dataclass(frozen=True, eq=False)
class StoredClassifiers:
    """Naive Bayes and logistic regression of some documents; of two classes the second is told from the first.

    arrays: counts (2, C, V), of words and of documents with the word; documents (C,); silenced (1,), the held-out documents
    with a word that their class never said; coef (L, K, V) and intercept (L, K), for each penalty of LEARNT_AT, K = 1 for
    two classes and C for more, each against the rest; bayes (2, A, C, C + 1), the held-out documents' confusion for
    every alpha of ALPHAS, the second with words counted once; regression (P, K, 2, 3), for every penalty; bayes_sure (A, 2,
    K, 3) and regression_sure (P, 2, K, 3): the share that is right, how sure, and the mean loss, of features as they are
    and of copied ones.
    """

    name: str
    classes: tuple[str, ...]
    vocabulary: tuple[str, ...]
    arrays: Mapping[str, np.ndarray]
    own = False  # nobody's in particular

    @property
    def digest(self) -> str:
        """Return what tells these classifiers from others."""
        return self.name

    @cached_property
    def index(self) -> dict[str, int]:
        """Return the column of each word."""
        return {word: column for column, word in enumerate(self.vocabulary)}

    @property
    def documents(self) -> np.ndarray:
        """Return how many documents of each class were counted (C,)."""
        return self.arrays["documents"]

    @property
    def held_out(self) -> int:
        """Return how many documents were held out."""
        return self.bayes_confusion(1.0).documents

    @property
    def silenced(self) -> int:
        """Return how many held-out documents have a word that their own class never said."""
        return self.arrays["silenced"].item()

    def naive_bayes(self, alpha: float, binary: bool = False) -> NaiveBayes:
        """Return naive Bayes of the counts, with alpha added to each."""
        counts = self.arrays["counts"][int(binary)].astype(float)
        return NaiveBayes(alpha).fit_counts(counts, self.documents)

    def against_rest(self, c: int, alpha: float, copies: int = 1) -> NaiveBayes:
        """Return naive Bayes of class c (1) against the rest (0), of features that stand there so many times."""
        counts, documents = self.arrays["counts"][0].astype(float), self.documents
        two = np.stack([counts.sum(axis=0) - counts[c], counts[c]])  # (2, V)
        numbers = np.array([documents.sum() - documents[c], documents[c]])
        return NaiveBayes(alpha).fit_counts(np.tile(two, copies), numbers)

    def regression(self, c: int, l2: float, copies: int = 1) -> LogisticRegression:
        """Return logistic regression of class c; each of a feature's copies has its part of the weight."""
        at, row = LEARNT_AT.index(l2 / copies), self.row(c)
        model = LogisticRegression(l2)
        model.coef_ = np.tile(self.arrays["coef"][at, row].astype(float) / copies, copies)
        model.intercept_ = float(self.arrays["intercept"][at, row])
        return model

    def row(self, c: int) -> int:
        """Return where the weights of class c stand."""
        return c if len(self.classes) > 2 else 0

    def bayes_confusion(self, alpha: float, binary: bool = False) -> Confusion:
        """Return how naive Bayes did on the held-out documents."""
        return Confusion(self.arrays["bayes"][int(binary), nearest_grid_place(ALPHAS, alpha)].astype(int))

    def regression_confusion(self, c: int, l2: float) -> Confusion:
        """Return how logistic regression of class c (1) against the rest (0) did on the held-out documents."""
        return Confusion(self.arrays["regression"][PENALTIES.index(l2), self.row(c)].astype(int))

    def sure(self, c: int, alpha: float, l2: float, copies: int = 1) -> np.ndarray:
        """Return of both (2, 3) on the held-out documents: the share that is right, how sure, the mean loss."""
        at, row = int(copies > 1), self.row(c)
        bayes = self.arrays["bayes_sure"][nearest_grid_place(ALPHAS, alpha), at, row]
        return np.stack([bayes, self.arrays["regression_sure"][PENALTIES.index(l2), at, row]])


def nearest_grid_place(grid: tuple[float, ...], value: float) -> int:
    """Return the place in a grid that is nearest to a value.

    >>> nearest_grid_place(ALPHAS, 0.30000000000000004), nearest_grid_place(ALPHAS, 5.0)
    (3, 50)
    """
    return int(np.abs(np.array(grid) - value).argmin())


def stored_classifiers(name: str, folder: Path = MODELS) -> StoredClassifiers:
    """Return stored classifiers by the name of their folder."""
    about = load_json(name, "vocabulary", folder)
    return StoredClassifiers(name, tuple(about["classes"]), tuple(about["words"]), load_weights(name, folder))
