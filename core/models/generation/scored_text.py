"""A text that a model wrote or read, token by token: its ln p, its mean, and beam search's score.

ln p(y) = sum_i ln p(y_i | ...)        mean = ln p(y) / |y|        score = ln p(y) / |y|^a
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.generation.generation_tree import continuation_log_probabilities
from core.models.language_model import LanguageModel


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

    def first(self, n: int) -> ScoredText:
        """Return the text's first n tokens: what stands behind a token changes nothing of its ln p.

        >>> ScoredText("greedy", (4, 2), np.array([-1.0, -3.0])).first(1)
        ScoredText(way='greedy', tokens=(4,), ln_p=array([-1.]))
        """
        return ScoredText(self.way, self.tokens[:n], self.ln_p[:n])


def score_text(model: LanguageModel, prompt: Sequence[int], way: str, tokens: Sequence[int]) -> ScoredText:
    """Return a text with ln p of each token after the prompt.

    >>> from core.models.language_model import UniformModel
    >>> np.exp(score_text(UniformModel(("a", "b")), [0], "greedy", [1, 1]).ln_p).tolist()
    [0.5, 0.5]
    """
    return ScoredText(way, tuple(tokens), continuation_log_probabilities(model, prompt, tokens))


def until(tokens: tuple[int, ...], end: int | None) -> tuple[int, ...]:
    """Return the tokens up to the first `end`, included.

    >>> until((4, 2, 9, 2), end=2)
    (4, 2)
    """
    return tokens[: tokens.index(end) + 1] if end in tokens else tokens
