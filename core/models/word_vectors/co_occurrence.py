"""Word vectors by counting: which words stand near which, and how much more often than by chance.

C[w, c] counts how often c stands at most L words from w in one sentence; with C[w, *] the sum of a row and N of all,

    PMI(w, c) = log2  p(w, c) / (p(w) p(c))  =  log2  C[w, c] N / (C[w, *] C[*, c])          PPMI = max(0, PMI)

A row of the matrix is a word's vector. PMI is minus infinity for a pair that was never seen; a matrix holds 0 there.

K. W. Church and P. Hanks (1990), Word Association Norms, Mutual Information, and Lexicography; J. A. Bullinaria and
J. P. Levy (2007), Extracting semantic representations from word co-occurrence statistics; D. Jurafsky and
J. H. Martin, Speech and Language Processing, 3rd edition draft, chapter "Embeddings".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal

import numpy as np

from core.models.word_vectors import WORDS
from core.models.word_vectors.projection import nearest
from core.models.word_vectors.truncated_svd import SingularFactors, factorise
from core.models.word_vectors.word_vectors import WordVectors
from core.text.tokenization.vocabulary import Vocabulary

Weighting = Literal["counts", "PMI", "PPMI"]


@dataclass(frozen=True, eq=False)
class CoOccurrence:
    """Which words stand near which: `counts` (V, V), a row a word, a column a context, both in the order of `words`."""

    words: tuple[str, ...]
    counts: np.ndarray

    @cached_property
    def totals(self) -> np.ndarray:
        """Return the sum of each row, (V,); a column's is the same, for the matrix is symmetric."""
        return self.counts.sum(axis=1)

    @cached_property
    def total(self) -> int:
        """Return the sum of all cells."""
        return int(self.counts.sum())

    @cached_property
    def index(self) -> dict[str, int]:
        """Return each word's row."""
        return {word: row for row, word in enumerate(self.words)}


def co_occurrences(sentences: Sequence[Sequence[str]], window: int, most: int) -> CoOccurrence:
    """Return how often each of the `most` frequent words stands at most `window` words from each.

    Other words keep their places in the sentence, but have neither row nor column. No window crosses the end of a
    sentence. Raises ValueError where no two words stand together.

    >>> found = co_occurrences([["the", "king", "loves", "the", "crown"], ["the", "crown"]], window=2, most=4)
    >>> found.words
    ('the', 'crown', 'king', 'loves')
    >>> found.counts
    array([[0, 2, 2, 2],
           [2, 0, 0, 1],
           [2, 0, 0, 1],
           [2, 1, 1, 0]])
    """
    return count_near(number_words(sentences), window, most)


@dataclass(frozen=True, eq=False)
class NumberedText:
    """Tokenised sentences, their vocabulary, and for each token its id and the number of its sentence, (N,)."""

    sentences: Sequence[Sequence[str]]
    vocabulary: Vocabulary
    ids: np.ndarray
    sentence_of: np.ndarray


def number_words(sentences: Sequence[Sequence[str]]) -> NumberedText:
    """Return tokenised sentences as numbers, the most frequent word 0."""
    vocabulary = Vocabulary.of(chain.from_iterable(sentences))
    sentence_of = np.repeat(np.arange(len(sentences)), [len(sentence) for sentence in sentences])
    return NumberedText(sentences, vocabulary, vocabulary.encode(chain.from_iterable(sentences)), sentence_of)


def count_near(text: NumberedText, window: int, most: int) -> CoOccurrence:
    """Return the same as `co_occurrences` of a text that is numbered already."""
    V = min(most, len(text.vocabulary))
    ids, pairs = np.minimum(text.ids, V), np.zeros((V + 1) ** 2, dtype=np.int64)  # V: a word without a row
    for distance in range(1, min(window, len(ids) - 1) + 1):
        together = text.sentence_of[distance:] == text.sentence_of[:-distance]
        left, right = ids[:-distance][together], ids[distance:][together]
        pairs += np.bincount(left * (V + 1) + right, minlength=len(pairs))
    one_way = pairs.reshape(V + 1, V + 1)[:V, :V]
    if V < 2 or not one_way.any():
        raise ValueError(WORDS.label("training.short"))
    return CoOccurrence(text.vocabulary.types[:V], one_way + one_way.T)  # each pair is seen from both ends


def pmi(found: CoOccurrence) -> np.ndarray:
    """Return PMI (V, V) in bits; minus infinity for a pair that was never seen.

    >>> found = CoOccurrence(("the", "crown", "king"), np.array([[0, 6, 1], [6, 0, 4], [1, 4, 0]]))
    >>> pmi(found).round(3)
    array([[  -inf,  0.915, -0.67 ],
           [ 0.915,   -inf,  0.816],
           [-0.67 ,  0.816,   -inf]])
    """
    by_chance = np.outer(found.totals, found.totals) / max(1, found.total)
    return np.log2(
        found.counts / np.where(by_chance, by_chance, 1),
        out=np.full(found.counts.shape, -np.inf),
        where=found.counts > 0,
    )


def weighted(found: CoOccurrence, weighting: Weighting) -> np.ndarray:
    """Return the matrix (V, V) whose rows are the words' vectors: the counts, PMI (0 where unseen), or PPMI.

    >>> found = CoOccurrence(("the", "crown", "king"), np.array([[0, 6, 1], [6, 0, 4], [1, 4, 0]]))
    >>> weighted(found, "PPMI")[0].round(3)
    array([0.   , 0.915, 0.   ])
    """
    if weighting == "counts":
        return found.counts.astype(float)
    bits = pmi(found)
    return np.maximum(bits, 0) if weighting == "PPMI" else np.where(np.isfinite(bits), bits, 0)


@dataclass(frozen=True, eq=False)
class Rows:
    """A weighted matrix M (V, V) with the counts and the PMI behind it, its rows as vectors, and its factors."""

    found: CoOccurrence
    bits: np.ndarray
    M: np.ndarray
    vectors: WordVectors
    factors: SingularFactors

    def of(self, *words: str) -> tuple[np.ndarray, ...]:
        """Return the rows of some words, (V,) each."""
        return tuple(self.M[self.found.index[word]] for word in words)

    def cells(self, rows: Sequence[int], columns: Sequence[int]) -> tuple[np.ndarray, list[str], list[str]]:
        """Return some cells of the matrix with the words of their rows and columns."""
        names = ([self.found.words[place] for place in places] for places in (rows, columns))
        return self.M[np.ix_(rows, columns)], *names


def weighted_rows(found: CoOccurrence, weighting: Weighting) -> Rows:
    """Return everything that is made of the counts of a text."""
    M = weighted(found, weighting)
    return Rows(found, pmi(found), M, WordVectors(found.words, M), factorise(M))


def drawn_cells(M: np.ndarray, first: Sequence[int], rows: int, columns: int) -> tuple[list[int], list[int]]:
    """Return so many places of rows and of columns of M (V, V) to draw.

    Rows: those of `first`, then the most frequent words. Columns: at most a third are where the first row is largest,
    then the most frequent words.

    >>> drawn_cells(np.array([[0, 6, 1, 2], [6, 0, 4, 0], [1, 4, 0, 9], [2, 0, 9, 0]]), [2], rows=2, columns=3)
    ([2, 0], [3, 0, 1])
    """
    V = len(M)
    largest = [int(place) for place in np.argsort(-M[first[0]], kind="stable")[: columns // 3]]
    return tuple(
        list(dict.fromkeys([*some, *range(V)]))[:most] for some, most in ((first, rows), (largest, columns))
    )


def mean_cosine(vectors: WordVectors) -> float:
    """Return the cosine of two different words on average over all pairs; 0 for a single word.

    >>> round(mean_cosine(WordVectors(["cat", "dog", "car"], np.float32([[3, 4], [4, 3], [0, 1]]))), 4)
    0.7867
    """
    V, total = len(vectors), vectors.units.astype(float).sum(axis=0)
    own = float((vectors.units.astype(float) ** 2).sum())
    return (float(total @ total) - own) / (V * (V - 1)) if V > 1 else 0.0


def nearest_is_frequent(vectors: WordVectors, frequent: int = 10) -> float:
    """Return the share of the words, most frequent first, whose nearest neighbour is one of the `frequent` first.

    >>> nearest_is_frequent(WordVectors(["the", "cat", "dog"], np.float32([[1, 1], [0, 1], [0, 2]])), frequent=1)
    0.0
    """
    return float((nearest(vectors.vectors, 1, "cosine").rows < frequent).mean())


def largest_is_frequent(M: np.ndarray, frequent: int = 10) -> float:
    """Return the share of the rows of M (V, V), most frequent word first, whose largest cell is among the `frequent` first.

    >>> largest_is_frequent(np.array([[0, 6, 1], [6, 0, 4], [1, 4, 0]]), frequent=1).__round__(4)
    0.3333
    """
    return float((M.argmax(axis=1) < frequent).mean())


def keep_their_nearest(whole: WordVectors, few: WordVectors) -> float:
    """Return the share of words whose nearest in `few` is a nearest in `whole`, equally near ones counted.

    >>> whole = WordVectors(["cat", "dog", "car"], np.float32([[3, 4], [4, 3], [0, 1]]))
    >>> keep_their_nearest(whole, WordVectors(whole.words, np.float32([[3, 4], [0, 3], [0, 1]]))).__round__(4)
    0.3333
    """
    full, short = (each.units @ each.units.T for each in (whole, few))
    for cosines in (full, short):
        np.fill_diagonal(cosines, -np.inf)
    chosen = full[np.arange(len(full)), short.argmax(axis=1)]
    return float((chosen >= full.max(axis=1) - 1e-5).mean())


def largest_products(x: np.ndarray, y: np.ndarray, most: int) -> np.ndarray:
    """Return the places where x (V,) and y (V,) have the largest products, largest first: what makes them alike.

    >>> largest_products(np.array([1.0, 2.0, 3.0]), np.array([5.0, 4.0, 0.0]), 2).tolist()
    [1, 0]
    """
    products = x * y
    order = np.argsort(-products, kind="stable")[:most]
    return order[products[order] > 0]
