"""A small language model for exercises: what follows a token depends on this token alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Table

TOKENS = ("my", "good", "lord", "king")


@dataclass(frozen=True)
class BigramTable:
    """A model that a table gives: p of the next token (column) after the last one (row)."""

    vocabulary: tuple[str, ...]
    p: np.ndarray  # (V, V)

    def log_probabilities(self, context: list[int]) -> np.ndarray:
        """Return ln p of each token after the last one of a context."""
        with np.errstate(divide="ignore"):
            return np.log(self.p[context[-1]])

    @property
    def table(self) -> Table:
        """The table as a question shows it."""
        return Table(self.vocabulary, self.vocabulary, self.p.tolist())

    def spell(self, tokens: list[int]) -> str:
        """Return a text as its words."""
        return " ".join(self.vocabulary[token] for token in tokens)


def draw_model(draws: Draws, size: int, parts: int = 10) -> BigramTable:
    """Return a model of so many tokens, whose probabilities are multiples of 1 / parts."""
    return BigramTable(TOKENS[:size], np.array([draws.distribution(size, parts) for _ in range(size)]))
