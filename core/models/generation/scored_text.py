"""A text that a model wrote or read, token by token: its ln p, its mean, and beam search's score.

ln p(y) = sum_i ln p(y_i | ...)        mean = ln p(y) / |y|        score = ln p(y) / |y|^a
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ScoredText:
    """Who wrote a text, its tokens, and ln p of each, (n,).

    >>> text = ScoredText("greedy", (4, 2), np.array([-1.0, -3.0]))
    >>> text.total, text.mean, text.score(0.5) == -4 / 2**0.5
    (-4.0, -2.0, True)
    """

    way: str
    tokens: tuple[int, ...]
    ln_p: np.ndarray

    @property
    def total(self) -> float:
        """ln p of the text."""
        return float(self.ln_p.sum())

    @property
    def mean(self) -> float:
        """ln p of a token."""
        return float(self.ln_p.mean())

    def score(self, penalty: float) -> float:
        """Return what beam search with this length penalty compares."""
        return self.total / len(self.tokens) ** penalty


def until(tokens: tuple[int, ...], end: int | None) -> tuple[int, ...]:
    """Return the tokens up to the first `end`, included.

    >>> until((4, 2, 9, 2), end=2)
    (4, 2)
    """
    return tokens[: tokens.index(end) + 1] if end in tokens else tokens
