"""The interface every language model here shares, and how a language model is measured.

A language model gives p(next token | context). The n-gram, the recurrent network and the GPT all answer the
same call, so that one sampler, one perplexity and one duel serve them all.

Source: Jurafsky and Martin, Speech and Language Processing (3rd ed. draft), sections 3.1 to 3.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class LanguageModel(Protocol):
    """What a model must offer to be sampled from and measured.

    `vocabulary` is the list of V tokens; a token's place in it is its id. `log_probabilities(context)` gives
    the natural logarithms of p(next | context), shape (V,), of a distribution: their exp sums to one.
    The context is every id so far, oldest first; a model looks at as many of them as it can. An empty context
    is the start of a text. A model that can score all positions in one pass may also offer
    `token_log_probabilities(tokens) -> (n,)`, which `sequence_log_probability` then calls instead.
    """

    @property
    def vocabulary(self) -> Sequence[str]:
        """The V tokens, by id."""

    def log_probabilities(self, context: Sequence[int]) -> np.ndarray:
        """Return ln p(next | context) for each token of the vocabulary, shape (V,)."""


@dataclass(frozen=True)
class Factors:
    """A sequence's probability by the chain rule, p(w_1..w_n) = prod_i p(w_i | w_1..w_i-1).

    `tokens` are the n ids, `log_probabilities` the factors' natural logarithms, -inf where one is nought.
    """

    tokens: tuple[int, ...]
    log_probabilities: np.ndarray  # (n,)

    @property
    def log_probability(self) -> float:
        """ln p(w_1..w_n), the sum of the factors' logarithms."""
        return float(self.log_probabilities.sum())

    @property
    def perplexity(self) -> float:
        """The perplexity of these tokens; infinite when any factor is nought."""
        return perplexity(self.log_probabilities)


@dataclass(frozen=True)
class UniformModel:
    """Every token equally likely whatever the context: the model that knows only its vocabulary.

    >>> model = UniformModel(("a", "b", "c", "d"))
    >>> sequence_log_probability(model, [0, 3, 1]).perplexity
    4.0
    """

    vocabulary: tuple[str, ...]

    def log_probabilities(self, context: Sequence[int]) -> np.ndarray:
        """Return -ln V for each of the V tokens."""
        return np.full(len(self.vocabulary), -log(len(self.vocabulary)))


def sequence_log_probability(model: LanguageModel, tokens: Sequence[int]) -> Factors:
    """Return the factors of the probability that `model` gives to `tokens`, by the chain rule.

    Raises ValueError when there is no token at all.

    >>> factors = sequence_log_probability(UniformModel(("heads", "tails")), [0, 1, 1])
    >>> round(exp(factors.log_probability), 3)
    0.125
    """
    if len(tokens) == 0:
        raise ValueError("There is no token to score: give a text of at least one token.")
    if hasattr(model, "token_log_probabilities"):
        return Factors(tuple(tokens), np.asarray(model.token_log_probabilities(tokens)))
    factors = [model.log_probabilities(tokens[:i])[token] for i, token in enumerate(tokens)]
    return Factors(tuple(tokens), np.array(factors))


def perplexity(log_probabilities: np.ndarray) -> float:
    """Return exp(-1/n sum_i ln p_i) of n factors' natural logarithms: the branching factor a model sees.

    A single factor of nought (-inf) makes it infinite: the model called impossible what happened.

    >>> round(perplexity(np.log([1/2, 1/4, 1/8])), 3)
    4.0
    >>> perplexity(np.array([-1.0, -np.inf]))
    inf
    """
    mean = float(np.mean(log_probabilities))
    try:
        return exp(-mean)
    except OverflowError:
        return float("inf")


def bits(log_probabilities: np.ndarray | float) -> np.ndarray:
    """Return -log2 p of natural logarithms: the surprise in bits; of a loss in nats, bits(-loss).

    >>> bits(np.log([0.5, 0.25])).tolist()
    [1.0, 2.0]
    """
    return -np.asarray(log_probabilities) / log(2)


def bits_per_token(log_probabilities: np.ndarray) -> float:
    """Return -1/n sum_i log2 p_i, the cross-entropy in bits of n factors' natural logarithms.

    >>> bits_per_token(np.log([1/2, 1/4, 1/8]))
    2.0
    """
    return float(np.mean(bits(log_probabilities)))


def bits_per_character(log_probabilities: np.ndarray, characters: int) -> float:
    """Return the bits spent on a text divided by its length in characters.

    Unlike perplexity it compares models whose tokens differ (characters, words, pieces), as long as none of
    them replaces a character by an unknown token.

    >>> bits_per_character(np.log([1/4, 1/4]), characters=8)
    0.5
    """
    return float(np.sum(bits(log_probabilities)) / characters)
