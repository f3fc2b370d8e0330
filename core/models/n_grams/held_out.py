"""An n-gram model on text it was not counted on: perplexity, bits, and what it never saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.language_model import bits, bits_per_token, perplexity
from core.models.n_grams.ngram import NgramModel
from core.models.n_grams.ngram_counts import NgramCounts
from core.models.n_grams.ngram_text import END, UNKNOWN, CountedText
from core.text.tokenization.tokens import characters


@dataclass(frozen=True)
class HeldOut:
    """One model on held-out text: its perplexity, and the share of the text's n-grams that it never saw."""

    model: NgramModel
    perplexity: float  # infinite when any token was called impossible
    bits: float  # a token
    unseen: float


def evaluate_ngrams(model: NgramModel, tokens: Sequence[int]) -> HeldOut:
    """Return how a model does on text it was not counted on."""
    log_probabilities = model.token_log_probabilities(tokens)
    unseen = unseen_share(model.counts, tokens, model.order)
    return HeldOut(model, perplexity(log_probabilities), bits_per_token(log_probabilities), unseen)


def bits_a_character(bits_a_token: float, counted: CountedText, tokens: Sequence[int]) -> float | None:
    """Return the bits spent on a character of what the tokens spell, None where one of them is `<unk>`.

    What `<unk>` stands for is not spelt, and so not paid for.
    """
    spelt = count_characters_spelt(counted, tokens)
    return bits_a_token * len(tokens) / spelt if spelt else None


def count_characters_spelt(counted: CountedText, tokens: Sequence[int]) -> int | None:
    """Return how many characters the tokens spell, None where one of them is `<unk>`.

    A word is spelt with the space or the end of line after it; among characters `</s>` is the end of line.

    >>> from core.models.n_grams.ngram_text import count_text
    >>> counted = count_text("I am Sam. Sam I am.", order=2)
    >>> [count_characters_spelt(counted, counted.encode(text)) for text in ("Sam I am.", "Sam I was.")]
    [9, None]
    """
    vocabulary = counted.vocabulary
    if vocabulary[UNKNOWN] in tokens:
        return None
    if counted.unit == "characters":
        return len(tokens)
    return sum(len(characters(vocabulary.types[i])) + 1 for i in tokens if i != vocabulary[END])


def impossible_share(model: NgramModel, tokens: Sequence[int]) -> float:
    """Return the share of a text's tokens that a model gives no probability at all.

    >>> from core.models.n_grams.ngram import maximum_likelihood
    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)
    >>> impossible_share(maximum_likelihood(counts, 2), [0, 1, 1, 0])
    0.25
    """
    return float(np.mean(model.token_scores(tokens) == 0))


def unseen_share(counts: NgramCounts, tokens: Sequence[int], order: int) -> float:
    """Return the share of the text's n-grams, of length `order`, that were never counted: sparsity.

    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)
    >>> unseen_share(counts, [0, 1, 1, 0], 1), unseen_share(counts, [0, 1, 1, 0], 2)
    (0.0, 0.25)
    """
    run, _ = counts.locate(tokens)[order - 1]
    return float((run < 0).mean())


def token_bits(model: NgramModel, tokens: Sequence[int]) -> np.ndarray:
    """Return the surprisal of each token of a text in bits, -log2 p, shape (n,); infinite for what is impossible."""
    return bits(model.token_log_probabilities(tokens))


def compare_bits(
    one: np.ndarray, other: np.ndarray, tokens: Sequence[int], end: int
) -> tuple[float, tuple[float, float]]:
    """Return how many more bits per token one model needs than another, and the 95% interval of that difference.

    `one` and `other` are the bits of the same tokens, (n,). Tokens of one sentence depend on each other, so the
    sentences, which `end` ends, are the sample: r = sum of d over sum of L for a sentence's difference d and length L,
    with the standard error of a ratio, sqrt(S sum (d - r L)^2 / (S - 1)) / sum of L, for S sentences.

    >>> compare_bits(np.array([2.0, 3.0, 2.0, 3.0]), np.ones(4), [5, 9, 5, 9], end=9)
    (1.5, (1.5, 1.5))
    """
    ends = np.asarray(tokens) == end
    sentence = np.cumsum(ends) - ends
    d, L = np.bincount(sentence, one - other), np.bincount(sentence)
    r, S = d.sum() / L.sum(), len(d)
    error = np.sqrt(S * np.sum((d - r * L) ** 2) / max(1, S - 1)) / L.sum()
    return float(r), (float(r - 1.96 * error), float(r + 1.96 * error))
