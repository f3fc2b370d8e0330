"""One vector a word, or one a use: what a model makes of the same word in different sentences, layer by layer.

    static        e(w)                                 the word's row of the embedding: the same in every sentence
    layer 0       e(w) + position
    layer l       the stream at the word after l blocks, which have gathered from the rest of the sentence

A word of several tokens is the mean of theirs. The similarity of two uses is the cosine of their vectors.

    right by the nearest use, leave one out:   the use with the largest cosine has the same sense

Where several are equally near, as all are for a static vector, the share of them that have the same sense counts:
what a draw among them would get right on average.

Sources: Peters et al. (2018), Deep Contextualized Word Representations; Ethayarajh (2019), How Contextual are
Contextualized Word Representations?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from scipy.stats import norm

from core.models.pretraining.gaps import group_tokens_by_word
from core.models.self_attention.attentive_models import AttentiveModel
from core.models.stored_language_models import byte_pairs
from core.models.word_vectors.projection import Projection, project
from core.models.word_vectors.word_vectors import WordVectors
from core.text.tokenization.tokens import words

ROUNDING = 1e-6  # cosines that differ by less are equal: rounding
NORMAL = float(norm.ppf(0.975))  # 1.96


@dataclass(frozen=True)
class Use:
    """A word in a sentence and its sense, empty where nobody said which it is."""

    word: str
    sentence: str
    sense: str = ""


def place_of(model: AttentiveModel, use: Use) -> tuple[int, int] | None:
    """Return the first and the last but one place of the word's tokens; None where the model reads no such word."""
    marks, read = len(model.before), model.read(use.sentence)
    found = group_tokens_by_word(byte_pairs(model.name), read.prompt.text, len(read.ids) - marks)
    for each in found:
        if each.text.strip().lower() == use.word:
            return each.start + marks, each.stop + marks
    return None


def use_vectors(model: AttentiveModel, uses: Sequence[Use]) -> np.ndarray:
    """Return each use's vectors, (L + 2, n, C): static, layer 0, and after each of the L blocks.

    Raises ValueError for a sentence in which the model does not read the word.
    """
    found = []
    for use in uses:
        place = place_of(model, use)
        if place is None:
            raise ValueError(f"“{use.sentence}” does not have the word “{use.word}”.")
        trace = model.trace(model.read(use.sentence).ids)
        last = trace.layers[-1]
        streams = [
            trace.tokens,
            *(layer.stream for layer in trace.layers),
            last.stream + last.gathered + last.fed_forward,
        ]
        found.append(torch.stack([stream[slice(*place)].mean(0) for stream in streams]))  # (L + 2, C)
    return torch.stack(found, dim=1).numpy().astype(np.float64)


def cosines(vectors: np.ndarray) -> np.ndarray:
    """Return the cosine of each pair of vectors (..., n, C), (..., n, n); with a vector of zeros it is 0.

    >>> cosines(np.array([[1.0, 0.0], [3.0, 4.0], [0.0, 0.0]])).round(2).tolist()
    [[1.0, 0.6, 0.0], [0.6, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    units = vectors / np.where(lengths > 0, lengths, 1)
    return units @ np.swapaxes(units, -1, -2)


def right_by_nearest(similarity: np.ndarray, senses: Sequence[str]) -> np.ndarray:
    """Return for each of n uses how often its nearest other use has its sense, (n,): 1, 0, or a share where several are.

    >>> right_by_nearest(np.array([[1, 0.9, 0.1], [0.9, 1, 0.1], [0.1, 0.1, 1]]), ["a", "a", "b"]).tolist()
    [1.0, 1.0, 0.0]
    >>> right_by_nearest(np.ones((4, 4)), ["a", "a", "b", "b"]).round(2).tolist()
    [0.33, 0.33, 0.33, 0.33]
    """
    others = np.array(similarity, dtype=float)
    np.fill_diagonal(others, -np.inf)
    nearest = others > others.max(axis=1, keepdims=True) - ROUNDING  # (n, n)
    same = np.array(senses)[:, None] == np.array(senses)
    return (nearest & same).sum(axis=1) / nearest.sum(axis=1)


def on_one_map(vectors: np.ndarray, n: int | None = None) -> tuple[Projection, np.ndarray]:
    """Return one map for all layers, and where each layer's uses lie on it, (L + 2, n, 2).

    The map is that of the first `n` uses, of all if it is None; the others are put on it.

    Vectors (L + 2, n, C) are scaled to length 1, and what a layer's uses have in common, their mean, is taken away: the
    map shows how they differ. The axes are the principal components of the last layer: what moves is the uses alone.

    >>> projection, places = on_one_map(np.array([[[1.0, 0.0], [2.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]]))
    >>> np.abs(places).round(3).tolist()
    [[[0.0, 0.0], [0.0, 0.0]], [[0.707, 0.0], [0.707, 0.0]]]
    """
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    units = vectors / np.where(lengths > 0, lengths, 1)
    parted = units - units[:, :n].mean(axis=1, keepdims=True)
    projection = project(parted[-1, :n])
    return projection, projection.place(parted)


def read_alone(uses: Sequence[Use]) -> list[Use]:
    """Return the uses with the word alone for a sentence, after a space as within one.

    >>> read_alone([Use("light", "It is light.", "of little weight")])
    [Use(word='light', sentence=' light', sense='of little weight')]
    """
    return [replace(use, sentence=f" {use.word}") for use in uses]


@dataclass(frozen=True)
class SenseMeasure:
    """How many of n uses have their sense nearest: per layer and word (L + 2, W), and for three ways without a model (W,).

    `counted` is by the words around it, `averaged` by the mean of their static vectors, `sides` by the word just before
    and the word just after; `sizes` (W,) are the words' uses.
    `between` (L + 2,) is the mean cosine of two uses of different words: what any two uses have in common.
    """

    words: tuple[str, ...]
    sizes: np.ndarray
    right: np.ndarray
    counted: np.ndarray
    averaged: np.ndarray
    sides: np.ndarray
    between: np.ndarray


def measure_senses(
    model: AttentiveModel,
    senses: Mapping[str, Mapping[str, Sequence[str]]],
    vectors: WordVectors,
    alone: bool,
) -> SenseMeasure:
    """Return how often the nearest other use of the same word has the same sense; `alone`: the model sees the word only."""
    right, counted, averaged, sides, sizes, everything = [], [], [], [], [], []
    for word in senses:
        uses = uses_of(word, senses)
        named = [use.sense for use in uses]
        everything.append(use_vectors(model, read_alone(uses) if alone else uses))  # (L + 2, n, C)
        right.append([right_by_nearest(layer, named).sum() for layer in cosines(everything[-1])])
        counted.append(right_by_nearest(cosines(counted_context(uses)), named).sum())
        averaged.append(right_by_nearest(cosines(mean_of_context(uses, vectors)), named).sum())
        sides.append(right_by_nearest(cosines(words_at_sides(uses)), named).sum())
        sizes.append(len(uses))
    word_of = np.repeat(np.arange(len(sizes)), sizes)
    others = word_of[:, None] != word_of
    between = cosines(np.concatenate(everything, axis=1))[:, others].mean(axis=1)
    return SenseMeasure(
        tuple(senses), *map(np.array, (sizes, np.transpose(right), counted, averaged, sides, between))
    )


def uses_of(word: str, senses: Mapping[str, Mapping[str, Sequence[str]]]) -> list[Use]:
    """Return the uses of a word with their senses.

    >>> uses_of("light", {"light": {"lamp": ("a light",), "easy": ("so light",)}})[1]
    Use(word='light', sentence='so light', sense='easy')
    """
    return [Use(word, text, sense) for sense, texts in senses[word].items() for text in texts]


def counted_context(uses: Sequence[Use]) -> np.ndarray:
    """Return how often each use's sentence has each word, the word itself left out, (n, V): a bag of context words.

    >>> counted_context([Use("bank", "the bank the river"), Use("bank", "a bank")]).tolist()
    [[2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    counts = [Counter(token for token in words(use.sentence.lower()) if token != use.word) for use in uses]
    vocabulary = list(dict.fromkeys(token for each in counts for token in each))
    return np.array([[each[token] for token in vocabulary] for each in counts], dtype=float)


def words_at_sides(uses: Sequence[Use]) -> np.ndarray:
    """Return the word just before and the word just after each use, (n, V): 1 for a word on its side, 0 for all others.

    >>> words_at_sides([Use("bank", "the bank of it"), Use("bank", "a bank of"), Use("bank", "of bank")]).tolist()
    [[1.0, 1.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    """
    found = []
    for use in uses:
        tokens = words(use.sentence.lower())
        at = tokens.index(use.word)
        found.append([(side, tokens[i]) for side, i in enumerate((at - 1, at + 1)) if 0 <= i < len(tokens)])
    columns = list(dict.fromkeys(each for both in found for each in both))
    return np.array([[each in both for each in columns] for both in found], dtype=float)


def mean_of_context(uses: Sequence[Use], vectors: WordVectors) -> np.ndarray:
    """Return the mean static vector of each use's other words, (n, d); zeros where none of them has a vector."""
    found = []
    for use in uses:
        others = [token for token in words(use.sentence.lower()) if token != use.word and token in vectors]
        found.append(vectors.vectors[vectors.rows(others)].mean(0) if others else np.zeros(vectors.dimension))
    return np.array(found)


def interval(right: float, n: int) -> tuple[float, float]:
    """Return the ends of Wilson's interval at 95% of the share right / n; `right` need not be whole, where draws count.

        (p + z^2 / 2n -+ z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n),   p = right / n, z = 1.96

    >>> tuple(round(end, 3) for end in interval(8, 10))
    (0.49, 0.943)
    """
    p, z = right / n, NORMAL
    middle, spread = p + z**2 / (2 * n), z * (p * (1 - p) / n + z**2 / (4 * n**2)) ** 0.5
    return (middle - spread) / (1 + z**2 / n), (middle + spread) / (1 + z**2 / n)
