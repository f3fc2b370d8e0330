"""A document as one vector: a weighted sum of a row for each word; what the rows are makes the kind of vector.

    x_d = (1 / n_d) sum_w c(w, d) W_w

counts:        W_w is 1 at the word's own place, and n_d = 1
tf-idf:        W_w is idf(w) at the word's own place, and n_d = 1
word vectors:  W_w is the word's stored vector, and n_d the words of d that have one: their mean

So a cosine is a sum over one document's words, and it can be said what each adds to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix, diags, eye, issparse

from core.models.documents.tf_idf import document_frequencies, inverse_document_frequencies
from core.models.word_vectors.word_vectors import WordVectors

Matrix = csr_matrix | np.ndarray


@dataclass(frozen=True, eq=False)
class WordRows:
    """What each word adds to a document's vector: W (V, m), by the words' places in `index`; `mean` of them or sum."""

    index: dict[str, int]
    W: Matrix
    mean: bool = False

    def vectors(self, X: csr_matrix) -> Matrix:
        """Return the vectors (N, m) of documents with counts X (N, V)."""
        summed = X @ self.W  # (N, m)
        return summed / np.maximum(X @ self.known, 1)[:, None] if self.mean else summed

    @cached_property
    def known(self) -> np.ndarray:
        """Return 1 for each word that has a vector, else 0, (V,)."""
        return np.asarray(abs(self.W).sum(axis=1)).ravel() > 0


def count_rows(index: dict[str, int]) -> WordRows:
    """Return the rows of a bag of words: each word has a place of its own."""
    return WordRows(index, csr_matrix(eye(len(index))))


def tf_idf_rows(index: dict[str, int], X: csr_matrix) -> WordRows:
    """Return the rows of tf-idf: each word's idf at its own place."""
    return WordRows(
        index, csr_matrix(diags(inverse_document_frequencies(document_frequencies(X), X.shape[0])))
    )


def vector_rows(index: dict[str, int], vectors: WordVectors) -> WordRows:
    """Return the rows of the mean of word vectors; a word without one has nought everywhere.

    >>> rows = vector_rows({"cat": 0, "zzz": 1, "dog": 2}, WordVectors(["dog", "cat"], [[1, 0], [0, 4]]))
    >>> rows.vectors(csr_matrix([[3, 5, 1]]))  # three cats and a dog
    array([[0.25, 3.  ]])
    """
    W = np.zeros((len(index), vectors.dimension))
    for word, place in index.items():
        if word in vectors.index:
            W[place] = vectors.vectors[vectors.index[word]]
    return WordRows(index, W, mean=True)


@dataclass(frozen=True, eq=False)
class Parts:
    """A document taken apart: its different known words, the count of each, the vector (k, m) that each adds."""

    words: tuple[str, ...]
    counts: np.ndarray  # (k,)
    added: np.ndarray  # (k, m); their sum is the document's vector

    @property
    def vector(self) -> np.ndarray:
        """Return the document's vector (m,)."""
        return self.added.sum(axis=0)

    @property
    def length(self) -> float:
        """Return the length of the document's vector."""
        return float(np.linalg.norm(self.vector))


def parts_of(tokens: Sequence[str], rows: WordRows) -> Parts:
    """Return a document's tokens taken apart; words that have no row, or a row of noughts, are left out.

    >>> rows = count_rows({"a": 0, "rose": 1, "is": 2})
    >>> parts = parts_of("a rose is a red rose".split(), rows)
    >>> parts.words, parts.counts, parts.vector
    (('a', 'rose', 'is'), array([2., 2., 1.]), array([2., 2., 1.]))
    """
    known = rows.known
    found = [w for w in dict.fromkeys(tokens) if w in rows.index and known[rows.index[w]]]
    counts = np.array([float(list(tokens).count(w)) for w in found])
    W = rows.W[[rows.index[w] for w in found]]
    W = W.toarray() if issparse(W) else W  # (k, m)
    return Parts(tuple(found), counts, counts[:, None] * W / (max(1.0, counts.sum()) if rows.mean else 1.0))


def lengths(vectors: Matrix) -> np.ndarray:
    """Return the length of each vector, (N,).

    >>> lengths(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([5., 0.])
    """
    squares = vectors.multiply(vectors) if issparse(vectors) else vectors**2
    return np.sqrt(np.asarray(squares.sum(axis=1)).ravel())


def divided_by_length(vectors: Matrix) -> Matrix:
    """Return vectors (N, m) of length 1, in their directions; a vector of noughts stays as it is.

    >>> divided_by_length(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    scale = 1 / np.where(lengths(vectors) == 0, 1, lengths(vectors))
    return csr_matrix(diags(scale) @ vectors) if issparse(vectors) else scale[:, None] * vectors


def cosine_terms(x: Parts, y: np.ndarray, divide: bool = True) -> np.ndarray:
    """Return what each word of x adds to cos(x, y) = x . y / (|x| |y|), (k,); to x . y where nothing is divided.

    >>> cosine_terms(Parts(("a", "b"), np.ones(2), np.array([[3.0, 0.0], [0.0, 4.0]])), np.array([1.0, 0.0]))
    array([0.6, 0. ])
    """
    scale = x.length * float(np.linalg.norm(y)) if divide else 1.0
    return x.added @ y / (scale or 1.0)
