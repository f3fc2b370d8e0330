"""One window is many examples: x is the tokens, y the same tokens one further, and each prefix predicts the next.

    x = t o _ b        y = o _ b e        t -> o,   t o -> _,   t o _ -> b,   t o _ b -> e
    L = -1/T sum_t ln p(y_t | x_1 .. x_t)

Under a causal mask one pass over x gives all T predictions at once; each is the one that a pass over its prefix
alone would give.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Losses:
    """-ln p(y_t | x_1..x_t) of every position, (T,), how many tokens were read for them, and in how many seconds."""

    losses: Tensor
    tokens_read: int
    seconds: float

    @property
    def mean(self) -> float:
        """The window's loss, in nats a token."""
        return self.losses.mean().item()


@torch.no_grad()
def in_one_pass(network: nn.Module, ids: Tensor) -> Losses:
    """Return the losses of the T examples in ids (T + 1,), all from one pass over the first T of them."""
    began = time.perf_counter()
    logits, _ = network(ids[None, :-1])
    losses = functional.cross_entropy(logits[0], ids[1:], reduction="none")
    return Losses(losses, len(ids) - 1, time.perf_counter() - began)


@torch.no_grad()
def one_by_one(network: nn.Module, ids: Tensor) -> Losses:
    """Return the same losses from T passes: each example by itself, its prefix read from the start."""
    began = time.perf_counter()
    losses = []
    for t in range(1, len(ids)):
        logits, _ = network(ids[None, :t])  # nothing after the prefix exists here
        losses.append(functional.cross_entropy(logits[0, -1], ids[t]))
    T = len(ids) - 1
    return Losses(torch.stack(losses), T * (T + 1) // 2, time.perf_counter() - began)
