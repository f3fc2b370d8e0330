"""A window of text and its target, the same window one to the right: what every language model learns from.

    x = t o _ b        y = o _ b e        p(y_t | x_1..x_t) for every t
    loss = -1/T sum_t ln p(y_t | x_1..x_t)

A window of T tokens is T examples at once: each position has its own context and its own target.

Source: Bengio, Ducharme, Vincent and Jauvin (2003), A Neural Probabilistic Language Model, for the loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from core.models.fit_language_model import shifted
from core.models.language_model import LanguageModel, sequence_log_probability

WINDOWS_AT_MOST = 48


@dataclass(frozen=True)
class ScoredWindow:
    """A window x (T,) with its target y (T,), and ln p(y_t | x_1..x_t), (T,)."""

    x: np.ndarray
    y: np.ndarray
    log_probabilities: np.ndarray

    @property
    def loss(self) -> float:
        """The mean of -ln p over the window's positions, in nats."""
        return float(-self.log_probabilities.mean())


def score_window(model: LanguageModel, ids: Sequence[int], start: int, window: int) -> ScoredWindow:
    """Return the window of `ids` that begins at `start`, its target, and what the model gives each target.

    Raises ValueError where the ids end before the target does.

    >>> from core.models.language_model import UniformModel
    >>> scored = score_window(UniformModel(("a", "b")), [0, 1, 1, 0, 1], start=1, window=3)
    >>> scored.x.tolist(), scored.y.tolist(), round(scored.loss, 4)
    ([1, 1, 0], [1, 0, 1], 0.6931)
    """
    if start + window + 1 > len(ids):
        raise ValueError("The window's target reaches past the end of the text.")
    x, y = (part[0].numpy() for part in shifted(torch.tensor(ids), torch.tensor([start]), window))
    factors = sequence_log_probability(model, [*x.tolist(), int(y[-1])])
    return ScoredWindow(x, y, factors.log_probabilities[1:])


def last_token_only(model: LanguageModel, scored: ScoredWindow) -> np.ndarray:
    """Return ln p(y_t | x_t), (T,): the window's targets for a model that is shown the last token alone."""
    after = {token: model.log_probabilities([token]) for token in set(scored.x.tolist())}
    return np.array([after[x][y] for x, y in zip(scored.x.tolist(), scored.y.tolist(), strict=True)])


def loss_by_position(model: LanguageModel, ids: Sequence[int], window: int) -> np.ndarray:
    """Return the mean of -ln p at each position of the window, (T,), over windows spread evenly over the ids.

    Position t has t tokens of context, so the curve shows what each further token is worth.
    """
    last = len(ids) - window - 1
    starts = np.unique(np.linspace(0, last, min(WINDOWS_AT_MOST, last + 1)).astype(int))
    return -np.mean([score_window(model, ids, start, window).log_probabilities for start in starts], axis=0)
