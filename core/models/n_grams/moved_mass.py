"""What smoothing moves after one context: from the tokens seen there to those that were not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.n_grams.ngram import NgramModel


@dataclass(frozen=True)
class MovedMass:
    """What smoothing did after one context: seen tokens' probabilities before and after, and the rest."""

    tokens: np.ndarray  # (m,) seen after the context, most frequent first
    before: np.ndarray  # (m,) c(hw) / c(h)
    after: np.ndarray  # (m,)
    unseen: int  # how many tokens of the vocabulary were never seen after the context
    unseen_mass: float  # what all of them got together


def moved_mass(model: NgramModel, context: Sequence[int]) -> MovedMass:
    """Return the probability that moved from tokens seen after a context to tokens unseen there."""
    h = model.counts.look_back(context, model.order - 1)
    pairs = model.counts.continuations(h)
    tokens = np.array([token for token, _ in pairs], dtype=int)
    counted = np.array([count for _, count in pairs], dtype=float)
    scores = model.scores(context)
    before = counted / counted.sum() if len(pairs) else counted
    unseen = len(model.vocabulary) - len(tokens)
    return MovedMass(tokens, before, scores[tokens], unseen, float(np.delete(scores, tokens).sum()))


def unseen_tokens(model: NgramModel, context: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the tokens never seen after a context, the likeliest first, and their probabilities.

    >>> from core.models.n_grams.ngram import add_alpha
    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> model = add_alpha(count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2), 2)
    >>> [array.round(2).tolist() for array in unseen_tokens(model, [1])]
    [[1, 2], [0.25, 0.25]]
    """
    h = model.counts.look_back(context, model.order - 1)
    seen = [token for token, _ in model.counts.continuations(h)]
    p = model.scores(context)
    unseen = np.delete(np.arange(len(p)), seen)
    order = np.argsort(-p[unseen], kind="stable")
    return unseen[order], p[unseen][order]


def contexts_before(model: NgramModel, tokens: Sequence[int]) -> Counter[tuple[int, ...]]:
    """Return how often each context, as the model sees it, comes before a token of a text.

    >>> from core.models.n_grams.ngram import add_alpha
    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> model = add_alpha(count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2), 2)
    >>> dict(contexts_before(model, [0, 1, 0, 0]))  # 3 is the start of the text
    {(3,): 1, (0,): 2, (1,): 1}
    """
    k = model.order - 1
    return Counter(model.counts.look_back(tokens[max(0, i - k) : i], k) for i in range(len(tokens)))


def mean_unseen_mass(model: NgramModel, tokens: Sequence[int]) -> float:
    """Return what a model gives to all tokens unseen after a context, a mean over a text's contexts.

    >>> from core.models.n_grams.ngram import add_alpha
    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> model = add_alpha(count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2), 2)
    >>> round(mean_unseen_mass(model, [0, 1]), 3)  # after the start b and c: 2 / 4, after a only a: 1 / 6
    0.333
    """
    contexts = contexts_before(model, tokens)
    given = sum(times * moved_mass(model, h).unseen_mass for h, times in contexts.items())
    return given / len(tokens)


def expected_new(model: NgramModel, token: int, tokens: Sequence[int]) -> float:
    """Return how often a model expects a token in a text after contexts that it never followed.

    >>> from core.models.n_grams.ngram import add_alpha
    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> model = add_alpha(count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2), 2)
    >>> expected_new(model, 1, [0, 1, 0])  # b never follows the start (1 / 4) and b (1 / 4)
    0.5
    """
    contexts = contexts_before(model, tokens)
    return sum(
        times * float(model.scores(h)[token])
        for h, times in contexts.items()
        if not model.counts.count((*h, token))
    )
