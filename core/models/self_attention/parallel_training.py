"""One window is many examples: x is the tokens, y the same tokens one further, and each prefix predicts the next.

    x = t o _ b        y = o _ b e        t -> o,   t o -> _,   t o _ -> b,   t o _ b -> e
    L = -1/T sum_t ln p(y_t | x_1 .. x_t)

Under a causal mask one pass over x gives all T predictions at once; each is the one that a pass over its prefix
alone would give.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.self_attention.gpt import GPTConfig


@dataclass(frozen=True)
class Losses:
    """-ln p(y_t | x_1..x_t) of every position, (T,), and the lengths of the passes that they were computed in."""

    losses: Tensor
    passes: tuple[int, ...]

    @property
    def mean(self) -> float:
        """The window's loss, in nats a token."""
        return self.losses.mean().item()

    @property
    def tokens_read(self) -> int:
        """How many tokens all passes read together."""
        return sum(self.passes)

    def multiplications(self, config: GPTConfig) -> int:
        """Return how many multiplications all passes of a GPT of this shape take."""
        return sum(multiplications(config, T) for T in self.passes)


@torch.no_grad()
def in_one_pass(network: nn.Module, ids: Tensor) -> Losses:
    """Return the losses of the T examples in ids (T + 1,), all from one pass over the first T of them."""
    logits, _ = network(ids[None, :-1])
    losses = functional.cross_entropy(logits[0], ids[1:], reduction="none")
    return Losses(losses, (len(ids) - 1,))


@torch.no_grad()
def one_by_one(network: nn.Module, ids: Tensor) -> Losses:
    """Return the same losses from T passes: each example by itself, its prefix read from the start."""
    losses = []
    for t in range(1, len(ids)):
        logits, _ = network(ids[None, :t])  # nothing after the prefix exists here
        losses.append(functional.cross_entropy(logits[0, -1], ids[t]))
    return Losses(torch.stack(losses), tuple(range(1, len(ids))))


def apart(one: Losses, other: Losses) -> float:
    """Return the largest difference between the losses of the same examples, computed in two ways."""
    return (one.losses - other.losses).abs().max().item()


def multiplications(config: GPTConfig, T: int) -> int:
    """Return how many multiplications the matrices of a GPT make in one pass over T tokens.

    In each layer 3 C^2 a token for queries, keys and values, C^2 for W_o, 8 C^2 in the feed-forward network, and T C
    each for the scores and for the weighted values of a token; then C V a token for the logits.

    >>> multiplications(GPTConfig(vocabulary_size=10, layers=1, heads=1, width=2), T=3)
    240
    """
    C = config.width
    return T * (config.layers * (12 * C * C + 2 * T * C) + C * config.vocabulary_size)


def times_by_prefixes(config: GPTConfig, T: int) -> float:
    """Return how many times the multiplications of one pass over T tokens a pass over each prefix takes together.

    >>> times_by_prefixes(GPTConfig(vocabulary_size=10), T=1)
    1.0
    """
    return sum(multiplications(config, t) for t in range(1, T + 1)) / multiplications(config, T)
