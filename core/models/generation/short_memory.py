"""A language model that forgets: it is shown the last k tokens of the context and nothing before them.

What it is not shown it does not take for a beginning either. The token that stands before every text, or the start
of a sentence, would tell the model that a line begins here, which is false, and costs more than the forgetting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from core.models.generation.cut_context import log_probabilities_after_each
from core.models.language_model import LanguageModel
from core.models.n_grams.ngram import NgramModel
from core.models.neural_language_model import NeuralLanguageModel, Reading, read
from core.models.stored_language_models import CountedLanguageModel

KNOWN = 256  # runs of tokens of which it is kept what follows


@dataclass(frozen=True)
class ShortMemory:
    """p(w | the last k tokens) of another model, k at least 1, as if nothing were known of what stands before them.

    >>> from core.models.language_model import UniformModel
    >>> np.exp(ShortMemory(UniformModel(("a", "b")), 1).log_probabilities([0, 1, 1])).tolist()
    [0.5, 0.5]
    """

    model: LanguageModel
    tokens: int
    known: dict = field(default_factory=dict, repr=False, compare=False)  # {the last tokens: ln p after them}

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
        return self.after([tuple(context)[-self.tokens :]])[0]

    def after(self, seen: Sequence[tuple[int, ...]]) -> list[np.ndarray]:
        """Return ln p(next | the tokens seen), (V,) each. In a circle the same are seen again: these are known."""
        if len(self.known) > KNOWN:
            self.known.clear()
        new = [each for each in dict.fromkeys(seen) if each not in self.known]
        if new and isinstance(self.model, NeuralLanguageModel):
            self.known.update(zip(new, log_probabilities_after_each(self.model, np.array(new)), strict=True))
        else:
            self.known.update((each, after_some(self.model, each)) for each in new)
        return [self.known[each] for each in seen]

    def token_log_probabilities(self, tokens: Sequence[int]) -> np.ndarray:
        """Return ln p of each token of a text, (n,)."""
        return self.log_probabilities_along(tokens)[np.arange(len(tokens)), np.asarray(tokens, dtype=int)]

    def log_probabilities_along(self, tokens: Sequence[int]) -> np.ndarray:
        """Return ln p of all that could stand in each token's place, (n, V): a network reads all windows of k at once."""
        ids, k = np.asarray(tokens, dtype=int), self.tokens
        if not isinstance(self.model, NeuralLanguageModel):
            found = [self.log_probabilities(tokens[:i]) for i in range(len(ids))]
            return np.array(found).reshape(len(ids), len(self.vocabulary))
        beginning = self.model.log_probabilities_along(ids[: k + 1])
        if len(ids) <= k + 1:
            return beginning
        windows = np.lib.stride_tricks.sliding_window_view(ids[1:-1], k)
        return np.concatenate([beginning, log_probabilities_after_each(self.model, windows.copy())])

    def read_together(self, readings: Sequence[Reading], tokens: Sequence[int]) -> list[Reading]:
        """Return each reading gone on with its token; a network reads the last k tokens of all of them at once."""
        contexts = [(*reading.context, token) for reading, token in zip(readings, tokens, strict=True)]
        if min(map(len, contexts)) <= self.tokens:
            return [read(self, context) for context in contexts]
        found = self.after([context[-self.tokens :] for context in contexts])
        return [
            Reading(context, ln_p, partial(self._then, context))
            for context, ln_p in zip(contexts, found, strict=True)
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
