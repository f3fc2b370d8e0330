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
from core.models.neural_language_model import read


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
    reading, ln_p, likeliest = read(model, prompt), [], []
    for token in list(phrase) * times:
        ln_p.append(reading.log_probabilities[token])
        likeliest.append(int(np.argmax(reading.log_probabilities)) == token)
        reading = reading.then(token)
    shape = times, len(phrase)
    return Repetitions(np.reshape(ln_p, shape), np.reshape(likeliest, shape))
