"""What smoothing moves after one context: from the tokens seen there to those that were not."""

from __future__ import annotations

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
