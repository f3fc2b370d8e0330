"""BM25: a word of the query adds more to a document's score if it is rare, and if it stands there often, up to a bound.

Stephen Robertson, Steve Walker and others (1994), Okapi at TREC-3; Robertson and Hugo Zaragoza (2009), The probabilistic
relevance framework: BM25 and beyond. The idf is Lucene's, which is never negative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

K1, B = 1.2, 0.75  # as most search engines set them


def rarity(df: np.ndarray, N: int) -> np.ndarray:
    """Return idf(w) = ln(1 + (N − df(w) + 0.5) / (df(w) + 0.5)) of words that stand in df(w) of N documents.

    >>> rarity(np.array([1, 20, 40]), 40).round(2)
    array([3.31, 0.69, 0.01])
    """
    return np.log1p((N - df + 0.5) / (df + 0.5))


def saturate(tf: np.ndarray, length: np.ndarray, k1: float = K1, b: float = B) -> np.ndarray:
    """Return tf (k1 + 1) / (tf + k1 (1 − b + b length)): what tf occurrences are worth, at most k1 + 1.

    `length` is the document's length divided by the mean length. One occurrence in a document of mean length is worth 1.

    >>> saturate(np.array([0, 1, 2, 100]), 1.0).round(2).tolist()
    [0.0, 1.0, 1.38, 2.17]
    >>> float(saturate(1, 2.0).round(2)), float(saturate(1, 2.0, b=0.0))
    (0.71, 1.0)
    """
    tf, damped = np.asarray(tf, dtype=float), k1 * (1 - b + b * np.asarray(length))
    return tf * (k1 + 1) / np.where(tf > 0, tf + damped, 1.0)


@dataclass(frozen=True)
class BM25:
    """Documents as their words, with the settings k1 and b; without `idf` every word counts the same."""

    documents: tuple[tuple[str, ...], ...]
    k1: float = K1
    b: float = B
    idf: bool = True

    @cached_property
    def counts(self) -> tuple[Counter[str], ...]:
        """How often each word stands in each document."""
        return tuple(Counter(document) for document in self.documents)

    @cached_property
    def lengths(self) -> np.ndarray:
        """The documents' lengths divided by their mean, (N,)."""
        lengths = np.array([len(document) for document in self.documents], dtype=float)
        return lengths / lengths.mean() if lengths.sum() else np.ones(len(lengths))

    def document_frequency(self, word: str) -> int:
        """Return in how many documents a word stands."""
        return sum(word in counts for counts in self.counts)

    def weight(self, word: str) -> float:
        """Return how much one word of a query weighs: its idf, or 1 without it; 0 where no document has the word."""
        df = self.document_frequency(word)
        if not df:
            return 0.0
        return float(rarity(np.array(df), len(self.documents))) if self.idf else 1.0

    def parts(self, query: Sequence[str]) -> np.ndarray:
        """Return what each word of the query adds to each document's score, (words, N).

        >>> BM25((("a", "cat"), ("a", "dog"), ("a", "dog", "dog"))).parts(["dog", "cat"]).round(2)
        array([[0.  , 0.5 , 0.6 ],
               [1.04, 0.  , 0.  ]])
        """
        tf = np.array([[counts[word] for counts in self.counts] for word in query], dtype=float)
        weights = np.array([self.weight(word) for word in query])
        tf = tf.reshape(len(query), len(self.documents))
        return weights[:, None] * saturate(tf, self.lengths, self.k1, self.b)

    def scores(self, query: Sequence[str]) -> np.ndarray:
        """Return the score of each document, (N,): the sum over the words of the query."""
        return self.parts(query).sum(axis=0)
