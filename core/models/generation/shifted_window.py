"""A window of text and its target, the same window one to the right: what every language model learns from.

    x = t o _ b        y = o _ b e        p(y_t | x_1..x_t) for every t
    loss = -1/T sum_t ln p(y_t | x_1..x_t)

A window of T tokens is T examples at once: each position has its own context and its own target. Nothing stands before
the window, as in training, where windows begin anywhere.

Source: Bengio, Ducharme, Vincent and Jauvin (2003), A Neural Probabilistic Language Model, for the loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from core.models.fit_language_model import shifted
from core.models.generation.cut_context import window_log_probabilities
from core.models.language_model import LanguageModel

WINDOWS_AT_MOST, WINDOWS_AT_LEAST = 160, 10  # how many are read; with fewer there is no interval


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


@dataclass(frozen=True)
class ContextWorth:
    """The mean of -ln p after 1, 2, ... T tokens, (T,), over many windows of a text, and what chance makes of it.

    `half_width` (T,) is half the 95% interval of each mean, 1.96 standard errors; None where the windows are too few.
    """

    loss: np.ndarray
    half_width: np.ndarray | None
    windows: int


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
    return ScoredWindow(x, y, window_log_probabilities(model, np.append(x, y[-1])[None])[0])


def last_token_only(model: LanguageModel, scored: ScoredWindow) -> ScoredWindow:
    """Return the window as predicted by a model that is shown the last token alone: ln p(y_t | x_t), (T,)."""
    pairs = np.column_stack([scored.x, scored.y])  # (T, 2)
    return replace(scored, log_probabilities=window_log_probabilities(model, pairs)[:, 0])


def context_worth(
    model: LanguageModel, ids: Sequence[int], window: int, most: int = WINDOWS_AT_MOST
) -> ContextWorth:
    """Return the loss at each position of at most `most` windows spread evenly over the ids, none over another's place."""
    N = max(1, min(most, len(ids) // (window + 1)))
    starts = np.linspace(0, len(ids) - window - 1, N).astype(int)
    windows = np.array(ids)[starts[:, None] + np.arange(window + 1)]  # (N, T + 1)
    losses = -window_log_probabilities(model, windows)  # (N, T)
    half_width = 1.96 * losses.std(axis=0, ddof=1) / np.sqrt(N) if N >= WINDOWS_AT_LEAST else None
    return ContextWorth(losses.mean(axis=0), half_width, N)
