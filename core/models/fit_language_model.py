"""Fitting a neural language model: predict each next token, measure by cross-entropy, step down the gradient.

    x = "to b"     the window
    y = "o be"     the same window, one to the right: every position is an example
    loss = -1/n sum ln p(y_t | x_1..x_t)

How a step is taken is in core/models/descent.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.descent import Descent, adam_and_muon


@dataclass(frozen=True)
class FitConfig:
    """How to fit: `steps` steps of `batch` windows of `window` tokens.

    The rates rise over the first `warm_up` steps, hold, and fall to nought over the last `cool_down` of all.
    """

    steps: int
    batch: int = 16
    window: int = 256
    muon_rate: float = 0.02
    adam_rate: float = 0.004
    warm_up: int = 50
    cool_down: float = 0.5
    seed: int = 1
    bfloat16: bool = (
        False  # multiply matrices in 16 bits: half the time on a processor that can, loss and steps in 32
    )


def rate(step: int, config: FitConfig) -> float:
    """Return the share of the full learning rate at a step, between 0 and 1: up, level, down.

    >>> [rate(step, FitConfig(steps=10, warm_up=2, cool_down=0.5)) for step in (0, 1, 4, 7, 9)]
    [0.5, 1.0, 1.0, 0.6, 0.2]
    """
    rise = min(1.0, (step + 1) / config.warm_up)
    return rise * min(1.0, (config.steps - step) / (config.cool_down * config.steps))


def shifted(ids: Tensor, starts: Tensor, window: int) -> tuple[Tensor, Tensor]:
    """Return windows of `ids` as x, and the same windows one to the right as y, each (B, T).

    >>> x, y = shifted(torch.arange(6), torch.tensor([0, 2]), window=3)
    >>> x.tolist(), y.tolist()
    ([[0, 1, 2], [2, 3, 4]], [[1, 2, 3], [3, 4, 5]])
    """
    places = starts[:, None] + torch.arange(window + 1)  # (B, T + 1)
    windows = ids[places]
    return windows[:, :-1], windows[:, 1:]


def next_token_loss(model: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    """Return the mean of -ln p(y_t | x_1..x_t) over a batch, in nats."""
    logits, _ = model(x)
    return functional.cross_entropy(logits.flatten(0, 1).float(), y.flatten())


class Fitting(Descent):
    """A language model on its way down the loss of its text's windows.

    The batch of step i, and what the network itself draws, depend on the seed and i alone: a fit that is resumed is the
    fit that never stopped.
    """

    def __init__(self, model: nn.Module, ids: Tensor, config: FitConfig):
        optimisers = adam_and_muon(model, config.adam_rate, config.muon_rate)
        super().__init__(model, optimisers, lambda step: rate(step, config))
        self.ids, self.config = ids, config

    @property
    def done(self) -> bool:
        """Whether all steps have been taken."""
        return self.step_count >= self.config.steps

    @property
    def draw(self) -> int:
        """The seed of all that is drawn in the step to come."""
        return self.config.seed * 1_000_000 + self.step_count

    def batch(self) -> tuple[Tensor, Tensor]:
        """Return the windows of the step to come."""
        generator = torch.Generator().manual_seed(self.draw)
        last = len(self.ids) - self.config.window
        starts = torch.randint(0, last, (self.config.batch,), generator=generator)
        return shifted(self.ids, starts, self.config.window)

    def loss(self) -> Tensor:
        """Return the loss of the step to come."""
        return next_token_loss(self.model, *self.batch())

    def step(self) -> float:
        """Take one step and return the loss before it, in nats a token."""
        return super().step(self.seeded_loss)

    def seeded_loss(self) -> Tensor:
        """Return the loss of the step to come, all that it draws decided by the step's seed."""
        with torch.random.fork_rng(devices=[]), torch.autocast("cpu", torch.bfloat16, self.config.bfloat16):
            torch.manual_seed(self.draw)
            return self.loss()
