"""Words that a model has not seen: misspelt on purpose and found again, and what n-grams share in few buckets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.word_vectors.fasttext import FastText, bucket, character_ngrams, fnv_hash
from core.models.word_vectors.word_vectors import WordVectors, cosine

SHORTEST = 5  # letters of a word that is misspelt: of a shorter one too little would be left
MOST = 300  # words that are misspelt, the most frequent


def misspelt(word: str) -> str:
    """Return a word without its middle letter.

    >>> misspelt("princess"), misspelt("crown")
    ('priness', 'crwn')
    """
    middle = len(word) // 2
    return word[:middle] + word[middle + 1 :]


@dataclass(frozen=True)
class Misspelling:
    """A word as it was meant and as it was written, the known word nearest to what was written, and their cosine."""

    meant: str
    written: str
    nearest: str
    cosine: float


def misspellings(model: FastText, vectors: WordVectors) -> list[Misspelling]:
    """Return each of the most frequent long words misspelt, with the known word that its vector is nearest to.

    A misspelling that is a known word itself is left out; `vectors` are those of the model's words.
    """
    long = [word for word in vectors.words if len(word) >= SHORTEST][:MOST]
    pairs = [(word, misspelt(word)) for word in long if misspelt(word) not in vectors.index]
    found = []
    for meant, written in pairs if model.buckets else ():
        near = cosine(vectors, model.vector(written).astype(np.float32))
        found.append(Misspelling(meant, written, vectors.words[int(near.argmax())], float(near.max())))
    return found


def found_again(some: Sequence[Misspelling]) -> float:
    """Return the share of misspellings whose nearest word is the one that was meant; 0 of none.

    >>> found_again([Misspelling("cat", "ct", "cat", 0.9), Misspelling("dog", "dg", "cat", 0.5)])
    0.5
    """
    return float(np.mean([each.meant == each.nearest for each in some])) if some else 0.0


def distinct_ngrams(words: Iterable[str], least: int, most: int) -> list[str]:
    """Return all different n-grams of some words, in the order in which they come.

    >>> distinct_ngrams(["at", "cat"], 3, 3)
    ['<at', 'at>', '<ca', 'cat']
    """
    return list(dict.fromkeys(gram for word in words for gram in character_ngrams(word, least, most)))


def sharing(hashes: np.ndarray, buckets: int) -> float:
    """Return the share of n-grams, given by their hashes (n,), that have another in their bucket.

    >>> sharing(np.array([3, 13, 5]), 10)
    0.6666666666666666
    """
    if not len(hashes):
        return 0.0
    _, places, counts = np.unique(hashes % buckets, return_inverse=True, return_counts=True)
    return float((counts[places] > 1).mean())


def by_chance(n: int, buckets: int) -> float:
    """Return the share that would on average share a bucket if n n-grams fell at random: 1 - (1 - 1/B)^(n - 1).

    >>> by_chance(3, 2)
    0.75
    """
    return 1 - (1 - 1 / buckets) ** max(0, n - 1)


def together(gram: str, grams: Sequence[str], hashes: np.ndarray, buckets: int) -> list[str]:
    """Return the other n-grams, given with their hashes (n,), that are in the bucket of one.

    >>> grams = ["<at", "cat", "at>", "<ca"]
    >>> together("<at", grams, np.array([fnv_hash(each) for each in grams]), 2)
    ['at>']
    """
    same = np.flatnonzero(hashes % buckets == bucket(gram, buckets))
    return [grams[place] for place in same if grams[place] != gram]


@dataclass(frozen=True, eq=False)
class Unseen:
    """What is measured of a model: its words misspelt, and its n-grams with their hashes (n,)."""

    misspelt: list[Misspelling]
    grams: list[str]
    hashes: np.ndarray

    @property
    def again(self) -> float:
        """Return the share of misspelt words that are found again."""
        return found_again(self.misspelt)

    def sharing(self, buckets: int) -> float:
        """Return the share of n-grams that would share a bucket."""
        return sharing(self.hashes, buckets)


def unseen(model: FastText, vectors: WordVectors) -> Unseen:
    """Return what is measured of a model and the vectors of its words."""
    grams = distinct_ngrams(vectors.words, model.least, model.most)
    hashes = np.array([fnv_hash(gram) for gram in grams], dtype=np.int64)
    return Unseen(misspellings(model, vectors), grams, hashes)
