"""A language model that forgets: it is shown the last k tokens of the context and nothing before them.

What it is not shown it does not take for a beginning either. The token that stands before every text, or the start
of a sentence, would tell the model that a line begins here, which is false, and costs more than the forgetting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import torch

from core.models.generation.cut_context import window_log_probabilities
from core.models.language_model import LanguageModel
from core.models.n_grams.ngram import NgramModel
from core.models.neural_language_model import NeuralLanguageModel, Reading, log_softmax, read
from core.models.stored_language_models import CountedLanguageModel


@dataclass(frozen=True)
class ShortMemory:
    """p(w | the last k tokens) of another model, k at least 1, as if nothing were known of what stands before them.

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
        if len(context) <= self.tokens:  # nothing is cut off: the beginning of the text is in sight
            return self.model.log_probabilities(context)
        return after_some(self.model, tuple(context)[-self.tokens :])

    def token_log_probabilities(self, tokens: Sequence[int]) -> np.ndarray:
        """Return ln p of each token of a text, (n,): from k + 1 on a network reads all windows of k at once."""
        ids = np.array(tokens)
        if not isinstance(self.model, NeuralLanguageModel):
            return np.array([self.log_probabilities(tokens[:i])[token] for i, token in enumerate(tokens)])
        beginning = self.model.token_log_probabilities(ids[: self.tokens + 1])
        if len(ids) <= self.tokens + 1:
            return beginning
        windows = np.lib.stride_tricks.sliding_window_view(ids[1:], self.tokens + 1)
        return np.concatenate([beginning, window_log_probabilities(self.model, windows.copy())[:, -1]])

    @torch.inference_mode()
    def read_together(self, readings: Sequence[Reading], tokens: Sequence[int]) -> list[Reading]:
        """Return each reading gone on with its token; a network reads the last k tokens of all of them at once."""
        contexts = [(*reading.context, token) for reading, token in zip(readings, tokens, strict=True)]
        if not isinstance(self.model, NeuralLanguageModel) or min(map(len, contexts)) <= self.tokens:
            return [read(self, context) for context in contexts]
        seen = torch.tensor([context[-self.tokens :] for context in contexts])  # B, k
        logits = self.model.network(seen, None)[0][:, -1].double().numpy()  # B, V
        return [
            Reading(context, log_softmax(row), partial(self._then, context))
            for context, row in zip(contexts, logits, strict=True)
        ]

    def _then(self, context: tuple[int, ...], token: int) -> Reading:
        return read(self, (*context, token))


def after_some(model: LanguageModel, seen: Sequence[int]) -> np.ndarray:
    """Return ln p(next | the tokens seen), (V,), with something unknown before them instead of a text's beginning.

    A network reads the first token seen where it would read its start token. An n-gram takes its shorter contexts,
    as it does after a token that it never saw.

    >>> from core.models.n_grams.ngram import kneser_ney
    >>> from core.models.n_grams.ngram_text import count_text
    >>> counted = count_text("a b c. c b a. b b c.", "words", order=3)
    >>> b = counted.encode("b", end=False)
    >>> unseen = len(counted.vocabulary) - 1
    >>> model = kneser_ney(counted.counts, 3)
    >>> np.allclose(after_some(model, b), model.log_probabilities([unseen, *b]))
    True
    """
    if isinstance(model, CountedLanguageModel):
        return after_some(model.model, seen)
    if isinstance(model, NgramModel):
        return replace(model, levels=model.levels[: len(seen) + 1]).log_probabilities(seen)
    if isinstance(model, NeuralLanguageModel):
        first, *others = seen
        return NeuralLanguageModel(model.network, model.vocabulary, start=first).log_probabilities(others)
    return model.log_probabilities(seen)
