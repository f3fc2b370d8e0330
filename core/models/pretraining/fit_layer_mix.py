"""Fitting a mix of layers for a task: cross-entropy over fixed vectors, and again on samples with replacement.

    loss = -1/N sum ln p(true) + penalty / 2 sum (gamma W)^2

The penalty is on gamma W, for W alone could shrink while gamma grows. Adam takes steps on batches. It comes near the
least loss soon, yet u moves by the rate a step at most: where it stops, s may still be on its way from even weights.
Where all examples can be read at every step, L-BFGS then goes down to where the loss is flat; the loss is not convex, and
another sample may settle elsewhere.

How much of a weight s_j is the sample's luck: the task is learned again on texts drawn from the same ones with
replacement, as many as there are. Efron and Tibshirani (1993), An Introduction to the Bootstrap; Liu and Nocedal
(1989), On the limited memory BFGS method for large scale optimization.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from core.models.pretraining.layer_mix import LayerMix


@dataclass(frozen=True)
class MixConfig:
    """How to fit: times through all examples, examples a step, Adam's rate, the penalty, the most steps of L-BFGS."""

    epochs: int
    batch: int
    rate: float
    penalty: float
    settling: int = 0


class MixNetwork(nn.Module):
    """The learned numbers of a mix of L layers: u from nought, gamma from one, and a layer over D C numbers."""

    def __init__(self, layers: int, numbers: int, classes: int):
        super().__init__()
        self.u, self.gamma = nn.Parameter(torch.zeros(layers)), nn.Parameter(torch.ones(()))
        self.output = nn.Linear(numbers, classes)

    def forward(self, h: Tensor) -> Tensor:
        """Return logits (B, K) of the layers (B, L, D C) of words, or of means over a text's words."""
        return self.output(self.gamma * torch.einsum("l,bln->bn", self.u.softmax(0), h))

    def loss(self, h: Tensor, y: Tensor, penalty: float) -> Tensor:
        """Return the mean of -ln p of the labels y (B,) with the penalty."""
        fit = nn.functional.cross_entropy(self(h), y)
        return fit + penalty / 2 * ((self.gamma * self.output.weight) ** 2).sum()


def fit_mix(
    h: Tensor,
    y: Tensor,
    classes: Sequence[str],
    layers: tuple[int, ...],
    directions: tuple[int, ...],
    config: MixConfig,
    seed: int,
) -> LayerMix:
    """Return the mix of some layers and directions of h (N, 3, 2, C) that was learned for labels y (N,)."""
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    given = h[:, list(layers)][:, :, list(directions)].flatten(2)  # (N, L, D C)
    network = MixNetwork(len(layers), given.shape[2], len(classes))
    steps = config.epochs * -(-len(y) // config.batch)
    adam = torch.optim.Adam(network.parameters(), lr=config.rate)
    falling = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.01, steps)
    for _ in range(config.epochs):
        for places in torch.randperm(len(y), generator=generator).split(config.batch):
            loss = network.loss(given[places].float(), y[places], config.penalty)
            adam.zero_grad()
            loss.backward()
            adam.step()
            falling.step()
    if config.settling:
        settle(network, given.float(), y, config)
    u, gamma, W, b = (
        each.detach().numpy() for each in (network.u, network.gamma, *network.output.parameters())
    )
    return LayerMix(tuple(classes), layers, directions, u, float(gamma), W, b)


def settle(network: MixNetwork, h: Tensor, y: Tensor, config: MixConfig) -> None:
    """Go down to where the loss of all examples h (N, L, D C) is flat, by L-BFGS."""
    lbfgs = torch.optim.LBFGS(
        network.parameters(), max_iter=config.settling, history_size=30, line_search_fn="strong_wolfe"
    )

    def loss() -> Tensor:
        lbfgs.zero_grad()
        found = network.loss(h, y, config.penalty)
        found.backward()
        return found

    lbfgs.step(loss)


def drawn_again(texts: Tensor, seed: int) -> Tensor:
    """Return the places of examples whose texts (N,), each numbered 0 ... T - 1, are drawn T times with replacement.

    >>> drawn_again(torch.tensor([0, 0, 1, 2]), seed=1).tolist()
    [2, 2, 3]
    """
    T = int(texts.max()) + 1
    times = np.bincount(np.random.default_rng(seed).integers(T, size=T), minlength=T)
    return torch.repeat_interleave(torch.arange(len(texts)), torch.from_numpy(times)[texts])
