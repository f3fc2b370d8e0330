"""How surprised each direction of a bidirectional language model is by the same words.

    bits_t = -log2 p(w_t | what the direction has read)        perplexity = 2^(mean of bits_t)
    d_t = bits_t from the left - bits_t from the right         mean d +- 1.96 s / sqrt(n)

Both guess from the same list of words; a word that is not on it counts as <other word>, of which there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.pretraining.bidirectional_language_model import BothWaysModel, ReadBothWays
from core.models.pretraining.gap_measure import INTERVAL_FROM


@dataclass(frozen=True)
class BothWaysSurprise:
    """Bits of n words, from the left (row 0) and from the right: (2, n), n > 0."""

    bits: np.ndarray

    @property
    def perplexities(self) -> tuple[float, float]:
        """Return the perplexity from the left and from the right."""
        left, right = 2 ** self.bits.mean(axis=1)
        return float(left), float(right)

    @property
    def difference(self) -> float:
        """Return the mean of d in bits: below nought, the left is less surprised."""
        return float((self.bits[0] - self.bits[1]).mean())

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the ends of the 95% interval of the mean of d; None for fewer than INTERVAL_FROM words."""
        n = self.bits.shape[1]
        if n < INTERVAL_FROM:
            return None
        reach = 1.96 * float((self.bits[0] - self.bits[1]).std(ddof=1)) / n**0.5
        return self.difference - reach, self.difference + reach


def bits_of(read: ReadBothWays) -> np.ndarray:
    """Return the bits of a sentence's n words from the left and from the right, (2, n); the marks are left out.

    >>> x = np.zeros((1, 1))
    >>> bits_of(ReadBothWays(x, x, x, np.log([1 / 2, 1 / 8]), np.log([1 / 16, 1 / 4]))).round(6).tolist()
    [[1.0], [2.0]]
    """
    return np.stack([read.ln_p_ahead[:-1], read.ln_p_back[1:]]) / -np.log(2)


def surprise_by(model: BothWaysModel, sentences: Sequence[Sequence[str]]) -> BothWaysSurprise:
    """Return how surprised both directions are by the words of sentences, at least one word in all."""
    return BothWaysSurprise(np.hstack([bits_of(model.read(words)) for words in sentences]))
