"""Why attention divides its scores by the square root of d: so that the softmax stays soft enough to learn.

    q, k ~ N(0, 1) in each of d dimensions    =>    q . k has mean 0 and variance d
    a = softmax(s);    H = -sum_i a_i log2 a_i
    da_i / ds_j = a_i ([i = j] - a_j)              what training gets back through the softmax

Scores that spread as sqrt(d) put nearly all the weight on one key; every derivative is then nearly nought, and the
head learns no more. Divided by sqrt(d) the scores spread alike whatever d is.

Source: Vaswani et al. (2017), Attention Is All You Need, section 3.2.1 with its footnote.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import trace


@dataclass(frozen=True)
class Softness:
    """How soft the weights of some scores (Q, S) are, each a mean over the Q queries but for `spread`.

    `spread` is the standard deviation of all scores; `entropy` in bits, at most log2 S; `largest` the largest weight;
    `gradient` the Frobenius norm of the softmax's Jacobian.
    """

    spread: float
    entropy: float
    largest: float
    gradient: float


def random_scores(d: int, queries: int = 200, keys: int = 16, seed: int = 1) -> Tensor:
    """Return q . k of random queries and keys of d dimensions, each number drawn from N(0, 1), (Q, S).

    Every query has keys of its own.

    >>> scores = random_scores(d=64, queries=2000)
    >>> bool((scores.std() - 8).abs() < 0.2)
    True
    """
    generator = torch.Generator().manual_seed(seed)
    q = torch.randn(queries, d, generator=generator)
    k = torch.randn(queries, keys, d, generator=generator)
    return torch.einsum("qd,qsd->qs", q, k)


def jacobian(weights: Tensor) -> Tensor:
    """Return da_i / ds_j = a_i ([i = j] - a_j), (..., S, S), of weights a (..., S).

    >>> jacobian(torch.tensor([0.5, 0.5])).tolist()
    [[0.25, -0.25], [-0.25, 0.25]]
    """
    return torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]


def entropy(weights: Tensor) -> Tensor:
    """Return -sum a log2 a in bits, (...), of weights a (..., S); a weight of nought adds nothing.

    >>> entropy(torch.tensor([0.5, 0.5, 0.0])).item()
    1.0
    """
    return -torch.where(weights > 0, weights * torch.log2(weights), 0.0).sum(-1)


def softness(scores: Tensor) -> Softness:
    """Return how soft the softmax of scores (Q, S) is.

    >>> softness(torch.zeros(1, 4)).entropy, softness(torch.tensor([[0.0, 99.0]])).gradient
    (2.0, 0.0)
    """
    weights = scores.softmax(-1)
    return Softness(
        spread=scores.std(correction=0).item(),
        entropy=entropy(weights).mean().item(),
        largest=weights.amax(-1).mean().item(),
        gradient=jacobian(weights).norm(dim=(-2, -1)).mean().item(),
    )


@dataclass(frozen=True)
class HeadSoftness:
    """One trained head on a text: the last token's scores, as they are and divided by sqrt(d), over all tokens."""

    layer: int
    head: int
    unscaled: Softness
    scaled: Softness


def head_softness(network: GPT, ids: Tensor) -> list[HeadSoftness]:
    """Return how soft each trained head looks back from the last token of `ids`, without and with the root."""
    found = []
    for number, layer in enumerate(trace(network, ids).layers):
        for head in range(network.config.heads):
            scores, scaled = (part[head, -1:] for part in (layer.attention.scores, layer.attention.scaled))
            found.append(HeadSoftness(number, head, softness(scores), softness(scaled)))
    return found
