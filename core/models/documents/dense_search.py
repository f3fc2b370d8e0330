"""Dense vectors: a text is the mean of its words' vectors, and a query finds the texts whose vectors point the same way.

e(text) = Σ_w idf(w) v(w) / Σ_w idf(w) over the words that have a vector; score = cos(e(query), e(document)). Sanjeev Arora,
Yingyu Liang and Tengyu Ma (2017), A simple but tough-to-beat baseline for sentence embeddings, weigh rare words up in a
similar way. Search engines use a trained encoder instead: Vladimir Karpukhin and others (2020), Dense passage retrieval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.models.documents.bm25 import BM25, rarity
from core.models.word_vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class DenseSearch:
    """The documents of a BM25, whose idf weighs the words, and word vectors."""

    bm25: BM25
    vectors: WordVectors

    def weight(self, word: str) -> float:
        """Return the idf of a word, that of a word which no document has included."""
        df = self.bm25.document_frequency(word)
        return float(rarity(np.array(df), len(self.bm25.documents)))

    def embed(self, words: Sequence[str]) -> np.ndarray:
        """Return the weighted mean of the vectors, scaled to length 1, (m,); zeros where no word has a vector."""
        known = [word for word in words if word in self.vectors]
        if not known:
            return np.zeros(self.vectors.dimension)
        total = sum(self.weight(word) * self.vectors[word] for word in known)
        length = np.linalg.norm(total)
        return total / length if length else total

    @cached_property
    def embedded(self) -> np.ndarray:
        """The documents' vectors, (N, m)."""
        return np.array([self.embed(document) for document in self.bm25.documents])

    def scores(self, query: Sequence[str]) -> np.ndarray:
        """Return the cosine of the query with each document, (N,); zeros where no word of the query has a vector."""
        return self.embedded @ self.embed(query)
