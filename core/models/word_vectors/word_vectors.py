"""Words as points: look-up, nearest neighbours, one-hot vectors, and files that other programs open.

Source: Jurafsky and Martin, Speech and Language Processing, 3rd edition draft, chapter "Vector Semantics
and Embeddings".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Literal

import numpy as np

from core.models.stored import load_json, load_weights
from core.models.word_vectors import WORDS

Metric = Literal["cosine", "euclidean"]
LONGEST_WORD = (
    60  # of a word that is looked up, so that a pasted page cannot stall the search for near spellings
)


class UnknownWordError(ValueError):
    """A word has no vector. `word` is the word, `near` are known words that are spelt much like it."""

    def __init__(self, word: str, near: Sequence[str] = ()):
        """Put the two into a sentence for the reader."""
        self.word, self.near = word, tuple(near)
        super().__init__(WORDS.label("word_vectors.unknown", word=word, near=self.near))

    def __reduce__(self):
        """Rebuild from word and near, so that the error survives the way back from a worker process."""
        return UnknownWordError, (self.word, self.near)


@dataclass(frozen=True)
class Neighbour:
    """One answer of a search: its cosine similarity to the query and its Euclidean distance from it."""

    word: str
    similarity: float
    distance: float


@dataclass(frozen=True, eq=False)
class WordVectors:
    """V words and their d-dimensional vectors, in the same order (usually the most frequent word first).

    words:   V different strings
    vectors: (V, d) float32

    >>> pets = WordVectors(["cat", "dog", "car"], np.float32([[3, 4], [4, 3], [-4, 3]]))
    >>> pets["dog"]
    array([4., 3.], dtype=float32)
    >>> [(near.word, round(near.similarity, 2)) for near in pets.neighbours("cat", k=2)]
    [('dog', 0.96), ('car', 0.0)]
    """

    words: Sequence[str]
    vectors: np.ndarray

    def __post_init__(self):
        """Check that there is one vector a word, and hold them as float32."""
        vectors = np.asarray(self.vectors, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(self.words):
            raise ValueError(
                f"{len(self.words)} words need as many vectors, not an array of {vectors.shape}."
            )
        object.__setattr__(self, "words", tuple(self.words))
        object.__setattr__(self, "vectors", vectors)

    @classmethod
    def one_hot(cls, words: Sequence[str]) -> WordVectors:
        """Return the vectors that only name each word: one 1, otherwise 0.

        Any two have cosine similarity 0 and distance sqrt(2), so no word is nearer than any other.

        >>> names = WordVectors.one_hot(["cat", "dog", "car"])
        >>> [(near.word, near.similarity) for near in names.neighbours("cat")]
        [('dog', 0.0), ('car', 0.0)]
        """
        return cls(words, np.eye(len(words), dtype=np.float32))

    @cached_property
    def index(self) -> dict[str, int]:
        """Return each word's row."""
        return {word: row for row, word in enumerate(self.words)}

    @cached_property
    def lengths(self) -> np.ndarray:
        """Return the Euclidean length of each vector, (V,)."""
        return np.linalg.norm(self.vectors, axis=1)

    @cached_property
    def units(self) -> np.ndarray:
        """Return the vectors scaled to length 1, (V, d); a zero vector stays zero."""
        return self.vectors / np.where(self.lengths == 0, 1, self.lengths)[:, None]

    @property
    def dimension(self) -> int:
        """Return d."""
        return self.vectors.shape[1]

    def __len__(self) -> int:
        """Return V."""
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        """Tell whether a word has a vector, as written or in lower case."""
        return word in self.index or word.lower() in self.index

    def row(self, word: str) -> int:
        """Return a word's row: as written, else in lower case. Raises UnknownWordError."""
        if word not in self:
            word = word[:LONGEST_WORD]
            alike = [known for known in self.words if known[:1] == word[:1].lower()]  # 20,000 take too long
            raise UnknownWordError(word, get_close_matches(word.lower(), alike, n=3))
        return self.index.get(word, self.index.get(word.lower()))

    def rows(self, words: Iterable[str]) -> list[int]:
        """Return the rows of some words, in their order."""
        return [self.row(word) for word in words]

    def __getitem__(self, word: str) -> np.ndarray:
        """Return the vector of a word, (d,)."""
        return self.vectors[self.row(word)]

    def subset(self, words: Iterable[str]) -> WordVectors:
        """Return the vectors of these words alone, in this order, each word once."""
        rows = list(dict.fromkeys(self.rows(words)))
        return WordVectors([self.words[row] for row in rows], self.vectors[rows])

    def normalised(self) -> WordVectors:
        """Return the same words with every vector scaled to length 1, so that only directions count."""
        return WordVectors(self.words, self.units)

    def similarity(self, one: str, other: str) -> float:
        """Return the cosine similarity of two words, between -1 and 1."""
        return float(self.units[self.row(one)] @ self.units[self.row(other)])

    def neighbours(
        self, query: str | np.ndarray, k: int = 10, metric: Metric = "cosine", leave_out: Iterable[str] = ()
    ) -> list[Neighbour]:
        """Return the k words nearest to a word or to a point (d,), nearest first.

        cosine:    the largest  x.y / (|x| |y|)
        euclidean: the smallest |x - y|

        A word is never its own neighbour; `leave_out` names words that shall not be answers either. Equally
        near words come in the order of the vocabulary. Raises UnknownWordError.
        """
        unwanted = set(self.rows(leave_out))
        if isinstance(query, str):
            unwanted.add(self.row(query))
            query = self[query]
        similarities = cosine(self, query)
        distances = np.linalg.norm(self.vectors - query, axis=1)  # (V,)
        order = np.argsort(-similarities if metric == "cosine" else distances, kind="stable")
        nearest = [row for row in order[: k + len(unwanted)] if row not in unwanted][:k]
        return [
            Neighbour(self.words[row], float(similarities[row]), float(distances[row])) for row in nearest
        ]


def stored_vectors(model: str) -> WordVectors:
    """Return the vectors of a stored model: its array "vectors" and its file words.json.

    >>> stored_vectors("glove").neighbours("cat", k=1)[0].word
    'dog'
    """
    return WordVectors(load_json(model, "words"), load_weights(model)["vectors"])


def cosine(vectors: WordVectors, point: np.ndarray) -> np.ndarray:
    """Return the cosine similarity of every word with a point (d,), as (V,); 0 where a vector is zero."""
    length = np.linalg.norm(point)
    return vectors.units @ (point / length if length else point)


def to_word2vec_text(vectors: WordVectors) -> str:
    """Return the text format of word2vec, which gensim reads: V and d, then a word and d numbers a line.

    White space inside a word becomes "_". Nine digits give back the very same float32.

    >>> print(to_word2vec_text(WordVectors(["big cat", "dog"], np.float32([[0.5, 1], [2, -3]]))), end="")
    2 2
    big_cat 0.5 1
    dog 2 -3
    """
    names = [re.sub(r"\s+", "_", word) or "_" for word in vectors.words]
    lines = [f"{name} {line}" for name, line in zip(names, _number_lines(vectors, " "), strict=True)]
    return "\n".join([f"{len(vectors)} {vectors.dimension}", *lines]) + "\n"


def to_projector_tsv(vectors: WordVectors) -> dict[str, str]:
    """Return the two files that the Embedding Projector opens: numbers by tabs, and one name a line.

    Tabs and line ends inside a word become a space, so that names and vectors stay in step.

    >>> to_projector_tsv(WordVectors(["cat", "hot\\tdog"], np.float32([[0.5, 1], [2, -3]])))
    {'vectors.tsv': '0.5\\t1\\n2\\t-3\\n', 'metadata.tsv': 'cat\\nhot dog\\n'}
    """
    names = [re.sub(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+", " ", word) or " " for word in vectors.words]
    contents = {"vectors.tsv": _number_lines(vectors, "\t"), "metadata.tsv": names}
    return {file: "".join(line + "\n" for line in lines) for file, lines in contents.items()}


def _number_lines(vectors: WordVectors, separator: str) -> list[str]:
    pattern = separator.join(["%.9g"] * vectors.dimension)
    return [pattern % tuple(row) for row in vectors.vectors.tolist()]
