"""Fitting a mix of layers for a task: cross-entropy over fixed vectors, by Adam, and again on samples with replacement.

    loss = -1/N sum ln p(true) + penalty / 2 sum W^2

How much of a weight s_j is the sample's luck: the task is learned again on texts drawn from the same ones with
replacement, as many as there are. Efron and Tibshirani (1993), An Introduction to the Bootstrap.
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
    """How to fit: times through all examples, examples a step, Adam's rate, the penalty on W."""

    epochs: int
    batch: int
    rate: float
    penalty: float


class MixNetwork(nn.Module):
    """The learned numbers of a mix of L layers: u from nought, gamma from one, and a layer over D C numbers."""

    def __init__(self, layers: int, numbers: int, classes: int):
        super().__init__()
        self.u, self.gamma = nn.Parameter(torch.zeros(layers)), nn.Parameter(torch.ones(()))
        self.output = nn.Linear(numbers, classes)

    def forward(self, h: Tensor) -> Tensor:
        """Return logits (B, K) of the layers (B, L, D C) of words, or of means over a text's words."""
        return self.output(self.gamma * torch.einsum("l,bln->bn", self.u.softmax(0), h))


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
            logits = network(given[places].float())
            loss = nn.functional.cross_entropy(logits, y[places])
            loss = loss + config.penalty / 2 * (network.output.weight**2).sum()
            adam.zero_grad()
            loss.backward()
            adam.step()
            falling.step()
    u, gamma, W, b = (
        each.detach().numpy() for each in (network.u, network.gamma, *network.output.parameters())
    )
    return LayerMix(tuple(classes), layers, directions, u, float(gamma), W, b)


def drawn_again(texts: Tensor, seed: int) -> Tensor:
    """Return the places of examples whose texts (N,), each numbered 0 ... T - 1, are drawn T times with replacement.

    >>> drawn_again(torch.tensor([0, 0, 1, 2]), seed=1).tolist()
    [2, 2, 3]
    """
    T = int(texts.max()) + 1
    times = np.bincount(np.random.default_rng(seed).integers(T, size=T), minlength=T)
    return torch.repeat_interleave(torch.arange(len(texts)), torch.from_numpy(times)[texts])
