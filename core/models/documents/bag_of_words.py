"""Documents as bags of words: how often each has each word of a vocabulary, in whatever order.

X[d, v] = c(v, d), the times that word v occurs in document d. Binary bags have min(1, c(v, d)): each word once.
Jurafsky and Martin, Speech and Language Processing (3rd edition draft), chapter 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix

from core.text.tokenization.tokens import words


@dataclass(frozen=True)
class Bags:
    """Documents' counts X (N, V), their classes' numbers y (N,), and the names of classes and words."""

    vocabulary: tuple[str, ...]
    classes: tuple[str, ...]
    X: csr_matrix  # (N, V)
    y: np.ndarray  # (N,), 0 ... C - 1

    @cached_property
    def index(self) -> dict[str, int]:
        """Return the column of each word."""
        return {word: column for column, word in enumerate(self.vocabulary)}

    @property
    def binary(self) -> Bags:
        """Return the same documents with each word counted once."""
        return Bags(self.vocabulary, self.classes, clipped(self.X), self.y)

    def counted(self, tokens: Sequence[str]) -> csr_matrix:
        """Return the bag (1, V) of a document's tokens; words that the vocabulary lacks are left out."""
        return bags_of([tokens], self.index, grow=False)


def bags_of(documents: Sequence[Sequence[str]], index: dict[str, int], grow: bool = True) -> csr_matrix:
    """Return the counts (N, V) of documents' tokens; `index` is given a column for each new word, if it may grow.

    >>> index = {}
    >>> bags_of([["a", "rose", "is", "a", "rose"], ["a", "dog"]], index).toarray(), list(index)
    (array([[2., 2., 1., 0.],
           [1., 0., 0., 1.]]), ['a', 'rose', 'is', 'dog'])
    """
    columns, starts = [], [0]
    for tokens in documents:
        if grow:
            columns += [index.setdefault(token, len(index)) for token in tokens]
        else:
            columns += [index[token] for token in tokens if token in index]
        starts.append(len(columns))
    bags = csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(documents), len(index)))
    bags.sum_duplicates()
    return bags


def clipped(X: csr_matrix) -> csr_matrix:
    """Return the bags with every count above one made one: a word is in a document or it is not.

    >>> clipped(csr_matrix([[2.0, 0.0, 1.0]])).toarray()
    array([[1., 0., 1.]])
    """
    return csr_matrix((np.minimum(X.data, 1), X.indices, X.indptr), shape=X.shape)


def held_out_places(labels: Sequence[str], share: float = 0.2, seed: int = 0) -> np.ndarray:
    """Return which documents (N,) are held out: of every class this share, at least one, drawn at random.

    >>> held_out_places(["a", "b", "a", "b", "a"], share=0.4)
    array([False, False, False,  True,  True])
    """
    labels, rng = np.asarray(labels), np.random.default_rng(seed)
    held = np.zeros(len(labels), dtype=bool)
    for label in np.unique(labels):
        places = rng.permutation(np.flatnonzero(labels == label))
        held[places[: max(1, round(share * len(places)))]] = True
    return held


def learnt_and_held_out(texts: Sequence[str], labels: Sequence[str]) -> tuple[Bags, Bags, np.ndarray]:
    """Return the bags to learn from, those held out, and which documents (N,) these are.

    The vocabulary is that of the documents to learn from: what only held-out ones say is unknown, and left out.
    """
    tokens = [words(text) for text in texts]
    held = held_out_places(labels)
    classes, y = np.unique(np.asarray(labels), return_inverse=True)
    index: dict[str, int] = {}
    learnt = bags_of([tokens[place] for place in np.flatnonzero(~held)], index)
    rest = bags_of([tokens[place] for place in np.flatnonzero(held)], index, grow=False)
    names, every = tuple(map(str, classes)), tuple(index)
    return Bags(every, names, learnt, y[~held]), Bags(every, names, rest, y[held]), held
