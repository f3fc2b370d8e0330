"""Why attention divides its scores by the square root of d: so that the softmax stays soft enough to learn.

    q, k ~ N(0, 1) in each of d dimensions    =>    q . k has mean 0 and variance d
    a = softmax(s);    H = -sum_i a_i log2 a_i
    da_i / ds_j = a_i ([i = j] - a_j)              what the softmax lets through to its input s
    da_i / d(q . k_j) = scale da_i / ds_j          what comes back to the products; scale = 1 / sqrt(d), or 1

Scores with a spread of sqrt(d) put nearly all the weight on one key. For most queries every derivative is then near 0.
After the division by sqrt(d) the spread no longer depends on d. The division also makes the derivative with respect
to q . k smaller by the factor sqrt(d), for every query. So it does not save the mean, which can even be larger without
the division. It saves the queries that would otherwise get almost no gradient.

Source: Vaswani et al. (2017), Attention Is All You Need, section 3.2.1 with its footnote.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import trace_gpt


@dataclass(frozen=True)
class Softness:
    """How soft the weights of some scores (Q, S) are, each a mean over the Q queries but for `spread`.

    `spread` is the standard deviation of what the softmax reads; `entropy` in bits, at most log2 S; `largest` the
    largest weight; `gradient` the Frobenius norm of the softmax's Jacobian, `to_products` that with respect to q . k.
    `median_to_products` is what half of the queries do not reach, `top_tenth` the share of all gradient that goes to
    the tenth of the queries with the most of it.
    """

    spread: float
    entropy: float
    largest: float
    gradient: float
    to_products: float
    median_to_products: float
    top_tenth: float


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


def running_scores(d: int, keys: int = 6, seed: int = 1) -> Tensor:
    """Return the sums of the first 1, 2, ..., d products of one random query with each of its keys, (S, d).

    The last column is q . k; column d' - 1 is the score of the first d' dimensions of the same vectors.

    >>> running_scores(1024, keys=6, seed=12).shape
    torch.Size([6, 1024])
    """
    generator = torch.Generator().manual_seed(seed)
    q = torch.randn(d, generator=generator)
    k = torch.randn(keys, d, generator=generator)
    return (q * k).cumsum(-1)


def query_gradients(scores: Tensor, scale: float = 1.0) -> Tensor:
    """Return of each query the size of da / d(q . k), the Frobenius norm, (Q,), of scores (Q, S).

    >>> query_gradients(torch.tensor([[0.0, 99.0]])).item()
    0.0
    """
    return scale * jacobian((scores * scale).softmax(-1)).norm(dim=(-2, -1))


def jacobian(weights: Tensor) -> Tensor:
    """Return da_i / ds_j = a_i ([i = j] - a_j), (..., S, S), of weights a (..., S).

    >>> jacobian(torch.tensor([0.5, 0.5])).tolist()
    [[0.25, -0.25], [-0.25, 0.25]]
    """
    return torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]


def entropy(weights: Tensor) -> Tensor:
    """Return -sum a log2 a in bits, (...), of weights a (..., S); a weight of 0 adds 0.

    >>> entropy(torch.tensor([0.5, 0.5, 0.0])).item()
    1.0
    """
    return -torch.where(weights > 0, weights * torch.log2(weights), 0.0).sum(-1)


def softness(scores: Tensor, scale: float = 1.0) -> Softness:
    """Return how soft the softmax of `scale` times the scores (Q, S) is.

    >>> softness(torch.zeros(1, 4)).entropy, softness(torch.tensor([[0.0, 99.0]])).gradient
    (2.0, 0.0)
    """
    weights = (scores * scale).softmax(-1)
    gradients = jacobian(weights).norm(dim=(-2, -1))
    return Softness(
        spread=(scores * scale).std(correction=0).item(),
        entropy=entropy(weights).mean().item(),
        largest=weights.amax(-1).mean().item(),
        gradient=gradients.mean().item(),
        to_products=scale * gradients.mean().item(),
        median_to_products=scale * gradients.median().item(),
        top_tenth=share_of_the_top_tenth(gradients),
    )


def share_of_the_top_tenth(amounts: Tensor) -> float:
    """Return the share of a sum that its largest tenth of terms makes, at least one term; 0 where all are 0.

    >>> share_of_the_top_tenth(torch.tensor([3.0, *[1.0] * 9])), share_of_the_top_tenth(torch.zeros(3))
    (0.25, 0.0)
    """
    most = amounts.topk(max(1, round(len(amounts) / 10))).values
    return (most.sum() / amounts.sum()).item() if amounts.sum() > 0 else 0.0


def sweep(drawn: Mapping[int, Tensor], root: bool) -> list[Softness]:
    """Return how soft the weights of the scores of each d are, divided by the root of d or not."""
    return [softness(scores, d**-0.5 if root else 1.0) for d, scores in drawn.items()]


def heaviest_first(scores: Tensor) -> Tensor:
    """Return the mean weight of each query's heaviest key, of its second, and so on, (S,), of scores (Q, S).

    >>> heaviest_first(torch.tensor([[0.0, 999.0], [999.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    return scores.softmax(-1).sort(descending=True).values.mean(0)


@dataclass(frozen=True)
class HeadSoftness:
    """One trained head on a text: the last token's scores over all tokens, as they are and divided by sqrt(d)."""

    layer: int
    head: int
    unscaled: Softness
    scaled: Softness


def head_softness(network: GPT, ids: Tensor) -> list[HeadSoftness]:
    """Return how soft each trained head looks back from the last token of `ids`, without and with the root."""
    found = []
    for number, layer in enumerate(trace_gpt(network, ids).layers):
        for head in range(network.config.heads):
            scores = layer.attention.scores[head, -1:]
            d = layer.attention.query.shape[-1]
            found.append(HeadSoftness(number, head, softness(scores), softness(scores, d**-0.5)))
    return found


def last_rows(network: GPT, ids: Tensor) -> Tensor:
    """Return what the softmax of every head reads for the last token of `ids` (T,), (L H, T)."""
    return torch.cat([layer.attention.scaled[:, -1] for layer in trace_gpt(network, ids).layers])
