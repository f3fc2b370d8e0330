"""Labelled documents as vectors of one kind, all at once: what is near whom, and their map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from core.models.documents.bag_of_words import bags_of
from core.models.documents.document_map import document_map
from core.models.documents.document_vectors import (
    Matrix,
    WordRows,
    count_rows,
    divided_by_length,
    parts_of,
    tf_idf_rows,
    vector_rows,
)
from core.models.documents.nearest_documents import LeftOut, leave_one_out
from core.models.documents.paragraph_vectors import ParagraphVectors
from core.models.word_vectors.procrustes import procrustes
from core.models.word_vectors.projection import Projection
from core.models.word_vectors.word_vectors import WordVectors
from core.text.reading.labelled import some_places
from core.text.tokenization.tokens import words

COUNTS, TF_IDF = "counts", "tf-idf"
LOOKED_AT = 1000  # documents


@dataclass(frozen=True, eq=False)
class Counted:
    """The documents that are looked at: their tokens, counts X (N, V), labels' numbers y (N,), and all that is written."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    tokens: tuple[list[str], ...]
    index: dict[str, int]
    X: csr_matrix
    y: np.ndarray

    @property
    def chance(self) -> float:
        """Return how likely a document and another one, drawn at random, have the same label."""
        sizes, N = np.bincount(self.y), len(self.y)
        return float((sizes * (sizes - 1)).sum() / (N * (N - 1)))


def count_documents(texts: Sequence[str], labels: Sequence[str], most: int = LOOKED_AT) -> Counted:
    """Return documents counted; of more than can be looked at some that are drawn at random.

    >>> found = count_documents(["a rose", "a dog", "a cat", "a bird"], ["x", "y", "x", "x"], most=2)
    >>> found.texts, found.chance, found.X.toarray()
    (('a dog', 'a bird'), 0.0, array([[1., 1., 0.],
           [1., 0., 1.]]))
    """
    N = len(texts)
    some = some_places(N, most)
    tokens = tuple(words(texts[i]) for i in some)
    index: dict[str, int] = {}
    X = bags_of(tokens, index)
    shown = tuple(labels[i] for i in some)
    y = np.unique(np.asarray(shown), return_inverse=True)[1]
    return Counted(tuple(texts[i] for i in some), shown, tokens, index, X, y)


@dataclass(frozen=True, eq=False)
class Space:
    """Documents' vectors (N, m), divided by their lengths or not: each one's nearest other one, and their map."""

    rows: (
        WordRows | ParagraphVectors
    )  # what each word adds to a vector; paragraph vectors are no sum of words
    vectors: Matrix
    left_out: LeftOut
    projection: Projection

    def vector_of(self, tokens: Sequence[str], place: int = -1) -> np.ndarray:
        """Return the vector (m,), not divided, of the document at a place, or of new tokens where it is -1."""
        if isinstance(self.rows, WordRows):
            return parts_of(tokens, self.rows).vector
        return self.rows.documents_[place] if place >= 0 else self.rows.infer(tokens)

    def known(self, word: str) -> bool:
        """Return whether a word has a place or a vector here."""
        if isinstance(self.rows, WordRows):
            return word in self.rows.index and bool(self.rows.known[self.rows.index[word]])
        return word in self.rows.vocabulary_


def document_space(
    counted: Counted, vectors: WordVectors | ParagraphVectors | str, divide: bool = True
) -> Space:
    """Return documents as counts, as tf-idf, as the mean of their words' vectors, or by their paragraph vectors.

    >>> counted = count_documents(["red rose", "red red rose", "green leaf"], ["x", "x", "y"])
    >>> document_space(counted, COUNTS).left_out.nearest
    array([ 1,  0, -1])
    """
    if isinstance(vectors, ParagraphVectors):
        rows, found = vectors, vectors.documents_
    else:
        if isinstance(vectors, WordVectors):
            rows = vector_rows(counted.index, vectors)
        else:
            rows = count_rows(counted.index) if vectors == COUNTS else tf_idf_rows(counted.index, counted.X)
        found = rows.vectors(counted.X)
    found = divided_by_length(found) if divide else found
    return Space(rows, found, leave_one_out(found, counted.y), document_map(found))


def turn_to(space: Space, reference: Space) -> np.ndarray:
    """Return the turn (2, 2) that brings a map nearest to another one of the same documents."""
    return procrustes(space.projection.coordinates, reference.projection.coordinates)
