"""Why a likely text repeats itself: what a model makes of a phrase that it has read before.

    p_r = exp( 1/n sum_i ln p(y_i | prompt, the phrase r - 1 times, y_1 .. y_i-1) )      the r-th time, a token

Greedy search runs in a circle where, after the phrase, the phrase is the likeliest again, token for token. A model
with a long memory may also have grown surer of it, for it has seen it come before.

Source: Holtzman et al. (2020), The Curious Case of Neural Text Degeneration, section 4.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.language_model import LanguageModel


@dataclass(frozen=True)
class Repetitions:
    """A phrase said R times: ln p of each of its n tokens each time, (R, n), and whether it was the likeliest."""

    ln_p: np.ndarray
    likeliest: np.ndarray

    @property
    def means(self) -> np.ndarray:
        """The geometric mean of p over the phrase's tokens, each time, (R,)."""
        return np.exp(self.ln_p.mean(axis=1))


def repetitions(
    model: LanguageModel, prompt: Sequence[int], phrase: Sequence[int], times: int = 6
) -> Repetitions:
    """Return what a model says of each token of a phrase, said so many times after a prompt.

    >>> from core.models.language_model import UniformModel
    >>> repetitions(UniformModel(("a", "b")), [], [0, 1], times=3).means.round(2).tolist()
    [0.5, 0.5, 0.5]
    """
    said = list(phrase) * times
    ln_p = log_probabilities_along(model, prompt, said)  # (times n, V)
    shape = times, len(phrase)
    found, likeliest = ln_p[np.arange(len(said)), said], ln_p.argmax(axis=1) == said
    return Repetitions(found.reshape(shape), likeliest.reshape(shape))


def log_probabilities_along(model: LanguageModel, prompt: Sequence[int], tokens: Sequence[int]) -> np.ndarray:
    """Return ln p of all that could stand in the place of each token after a prompt, (n, V); a network reads once.

    >>> from core.models.language_model import UniformModel
    >>> np.exp(log_probabilities_along(UniformModel(("a", "b")), [0], [1])).tolist()
    [[0.5, 0.5]]
    """
    everything = [*prompt, *tokens]
    if hasattr(model, "log_probabilities_along"):
        return model.log_probabilities_along(everything)[len(prompt) :]
    places = range(len(prompt), len(everything))
    return np.array([model.log_probabilities(everything[:i]) for i in places])
