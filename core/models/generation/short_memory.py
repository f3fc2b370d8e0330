"""A language model that forgets: it is shown the last k tokens of the context and nothing before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.language_model import LanguageModel


@dataclass(frozen=True)
class ShortMemory:
    """p(w | the last k tokens) of another model, which reads them as if the text began there.

    >>> from core.models.language_model import UniformModel
    >>> np.exp(ShortMemory(UniformModel(("a", "b")), 1).log_probabilities([0, 1, 1])).tolist()
    [0.5, 0.5]
    """

    model: LanguageModel
    tokens: int

    @property
    def vocabulary(self) -> Sequence[str]:
        """The V tokens, by id."""
        return self.model.vocabulary

    @property
    def context(self) -> int:
        """How many tokens it looks back."""
        return self.tokens

    def log_probabilities(self, context: Sequence[int]) -> np.ndarray:
        """Return ln p(next | the last k tokens of the context), (V,)."""
        return self.model.log_probabilities(tuple(context)[max(0, len(context) - self.tokens) :])
