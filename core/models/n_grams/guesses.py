"""The simplest prediction from counts: the token that most often came next; and how often it is right on a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.n_grams.ngram_counts import NgramCounts


@dataclass(frozen=True)
class Guesses:
    """For each token of a text (N,): whether its context was counted, and whether the guess after it is right."""

    known: np.ndarray
    right: np.ndarray

    @property
    def shares(self) -> tuple[float, float, float]:
        """The shares of the tokens that are guessed right, guessed wrong, and not guessed."""
        right, known = float(self.right.mean()), float(self.known.mean())
        return right, known - right, 1 - known


def guess_each(counts: NgramCounts, tokens: Sequence[int], order: int) -> Guesses:
    """Guess each token of a text: the most frequent one after the order - 1 tokens before it, of equals the first id.

    After a context that was never counted there is no guess.

    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)
    >>> guess_each(counts, [0, 1, 1, 0], 2).right.tolist()
    [True, True, False, True]
    """
    run, context = counts.locate(tokens)[order - 1]
    best = most_frequent_children(counts, order)[context]
    known = (context >= 0) & (best >= 0)
    return Guesses(known, known & (run == best))


def most_frequent_children(counts: NgramCounts, order: int) -> np.ndarray:
    """Return, for each run of order - 1 tokens, its most frequent run of `order` tokens by its node; -1 for none."""
    parents, found = counts.parents[order], counts.counts[order]
    ranked = np.lexsort((-found, parents))  # those of one context together, the most frequent first
    first = ranked[np.diff(parents[ranked], prepend=-1) > 0]
    best = np.full(len(counts.keys[order - 1]), -1)
    best[parents[first]] = np.where(found[first] > 0, first, -1)
    return best
