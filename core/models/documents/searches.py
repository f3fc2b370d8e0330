"""Four ways to search the same documents: tf-idf, BM25, dense vectors, and the ranks of the last two together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix, diags

from core.models.documents.bag_of_words import bags_of
from core.models.documents.bm25 import BM25
from core.models.documents.dense_search import DenseSearch
from core.models.documents.ranking import fuse_ranks, ranks_of
from core.models.documents.tf_idf import document_frequencies, inverse_document_frequencies
from core.models.word_vectors.word_vectors import WordVectors

TF_IDF, WORDS, DENSE, BOTH = "tf_idf", "bm25", "dense", "both"
WAYS = (TF_IDF, WORDS, DENSE, BOTH)


@dataclass(frozen=True)
class Searches:
    """Documents in BM25, and word vectors."""

    bm25: BM25
    vectors: WordVectors

    @cached_property
    def dense(self) -> DenseSearch:
        """The documents as vectors."""
        return DenseSearch(self.bm25, self.vectors)

    @cached_property
    def _weighted(self) -> tuple[dict[str, int], np.ndarray, csr_matrix]:
        """Return each word's column, its idf (V,), and the documents' tf-idf rows of length 1, (N, V)."""
        index: dict[str, int] = {}
        X = bags_of(self.bm25.documents, index)
        idf = inverse_document_frequencies(document_frequencies(X), X.shape[0])
        rows = X @ diags(idf)
        lengths = np.sqrt(rows.multiply(rows).sum(axis=1)).A1
        return index, idf, diags(1 / np.where(lengths, lengths, 1)) @ rows

    def tf_idf_scores(self, query: Sequence[str]) -> np.ndarray:
        """Return the cosine of the query's tf-idf row with each document's, (N,)."""
        index, idf, rows = self._weighted
        x = bags_of([query], index, grow=False).toarray()[0] * idf
        length = np.linalg.norm(x)
        return np.asarray(rows @ (x / length if length else x)).ravel()

    def scores(self, way: str, query: Sequence[str]) -> np.ndarray:
        """Return each document's score for a query, (N,): 0 is not found."""
        if way == TF_IDF:
            return self.tf_idf_scores(query)
        if way == WORDS:
            return self.bm25.scores(query)
        if way == DENSE:
            return self.dense.scores(query)
        return fuse_ranks(*(self.ranks(each, query) for each in (WORDS, DENSE)))

    def ranks(self, way: str, query: Sequence[str]) -> np.ndarray:
        """Return each document's rank for a query, from 1, (N,): infinite where it is not found."""
        return ranks_of(self.scores(way, query))

    def answer_ranks(
        self, way: str, queries: Sequence[tuple[Sequence[str], Sequence[int]]]
    ) -> tuple[float, ...]:
        """Return of each query, with the places of the documents that answer it, the rank of the best of them."""
        return tuple(min(self.ranks(way, query)[each] for each in answers) for query, answers in queries)
