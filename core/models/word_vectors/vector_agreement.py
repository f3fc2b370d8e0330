"""How far two sets of word vectors agree on what is near: shared neighbours, and the order of similarities.

Source: Hellrich and Hahn (2016), Bad Company: Neighborhoods in Neural Embedding Spaces Considered Harmful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from core.models.word_vectors.word_vectors import Neighbour, WordVectors

SAMPLE = 100  # most frequent shared words over which the mean overlap is taken


@dataclass(frozen=True, eq=False)
class Agreement:
    """Two sets compared.

    first, second: a word's k nearest words in either set; shared: those in both
    sampled, mean:  the words over which the mean share of common neighbours was taken, and that mean
    pairs, cosines: pairs of sampled words, and their cosines in both sets (2, number of pairs)
    correlation:    Spearman's rank correlation of the two rows of cosines
    """

    first: list[Neighbour]
    second: list[Neighbour]
    shared: list[str]
    sampled: tuple[str, ...]
    mean: float
    pairs: list[tuple[str, str]]
    cosines: np.ndarray
    correlation: float


def shared_words(first: WordVectors, second: WordVectors) -> tuple[WordVectors, WordVectors]:
    """Return both sets cut to the words that both know, in the order of the first.

    >>> one, other = WordVectors(["a", "b"], np.eye(2)), WordVectors(["b", "c"], np.eye(2))
    >>> shared_words(one, other)[1].words
    ('b',)
    """
    words = [word for word in first.words if word in second.index]
    return (
        WordVectors(words, first.vectors[[first.index[word] for word in words]]),
        WordVectors(words, second.vectors[[second.index[word] for word in words]]),
    )


def agreement(first: WordVectors, second: WordVectors, word: str, k: int) -> Agreement:
    """Compare two sets over the same words in the same order, at one word and over the most frequent words.

    overlap(w) = |N_k^A(w) and N_k^B(w)| / k        by chance: k / (V - 1)

    Raises UnknownWordError when the sets do not have the word.

    >>> set_ = WordVectors(["cat", "dog", "car"], np.float32([[3, 4], [4, 3], [-4, 3]]))
    >>> same = agreement(set_, set_, "cat", k=1)
    >>> same.shared, same.mean, round(same.correlation, 2)
    (['dog'], 1.0, 1.0)
    """
    near = [set_.neighbours(word, k) for set_ in (first, second)]
    in_second = {neighbour.word for neighbour in near[1]}
    sampled = first.words[:SAMPLE]
    upper = np.triu_indices(len(sampled), 1)
    cosines = np.stack([(set_.units[:SAMPLE] @ set_.units[:SAMPLE].T)[upper] for set_ in (first, second)])
    return Agreement(
        near[0],
        near[1],
        [neighbour.word for neighbour in near[0] if neighbour.word in in_second],
        tuple(sampled),
        mean_overlap(first, second, k),
        [(sampled[i], sampled[j]) for i, j in zip(*upper, strict=True)],
        cosines,
        float(spearmanr(*cosines).statistic) if cosines.shape[1] > 1 else 1.0,
    )


def mean_overlap(first: WordVectors, second: WordVectors, k: int) -> float:
    """Return the mean over the most frequent words of the share of their k nearest words that both sets have."""
    return float(shared_places(first, second, k).mean())


def shared_places(
    first: WordVectors, second: WordVectors, k: int, rows: Sequence[int] | None = None
) -> np.ndarray:
    """Return for the words of some rows (S, k) which of their k nearest words, in whatever order, both sets have.

    `rows` are those of the most frequent words where they are None.

    >>> set_ = WordVectors(["cat", "dog", "car"], np.float32([[3, 4], [4, 3], [-4, 3]]))
    >>> shared_places(set_, set_, k=1, rows=[2]).tolist()
    [[True]]
    """
    k = min(k, len(first) - 1)
    rows = np.arange(min(SAMPLE, len(first))) if rows is None else np.asarray(rows)
    nearest = []
    for set_ in (first, second):
        cosines = set_.units[rows] @ set_.units.T  # (S, V)
        cosines[np.arange(len(rows)), rows] = -np.inf
        nearest.append(np.argpartition(-cosines, k - 1, axis=1)[:, :k])
    return (nearest[0][:, :, None] == nearest[1][:, None, :]).any(axis=2)


def neighbour_ranks(vectors: WordVectors, word: str, others: Sequence[str]) -> list[int]:
    """Return the rank of each of some other words among a word's neighbours, 1 for the nearest.

    >>> pets = WordVectors(["cat", "dog", "car"], np.float32([[3, 4], [4, 3], [-4, 3]]))
    >>> neighbour_ranks(pets, "cat", ["car", "dog"])
    [2, 1]
    """
    place = {near.word: i for i, near in enumerate(vectors.neighbours(word, len(vectors) - 1), 1)}
    return [place[other] for other in others]
