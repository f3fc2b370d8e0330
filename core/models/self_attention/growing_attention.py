"""One layer of a trained network, grown from a plain average to what it really computes, step by step.

Each step is a function of core/models/self_attention/attention.py, fed with the layer's own input x and its own
matrices. The last step gives the very numbers that the layer adds to its stream. The matrices were trained for the
last steps only: the first show what an idea can and cannot do, not what it would have learned by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor

from core.models.self_attention import attention
from core.models.self_attention.attention import AttentionTrace, MultiHeadTrace
from core.models.self_attention.attention_scaling import entropy
from core.models.self_attention.gpt import GPT, Block
from core.models.self_attention.gpt_trace import trace_gpt


@dataclass(frozen=True)
class GrownStep:
    """One step: its id, the function that computed it, and one head's trace, without heads in front."""

    name: str
    function: Callable
    trace: AttentionTrace


@dataclass(frozen=True)
class Grown:
    """The five steps of one head, all heads together, and what the network itself computed, `gathered` (T, C)."""

    x: Tensor
    steps: tuple[GrownStep, ...]
    together: MultiHeadTrace
    gathered: Tensor


@dataclass(frozen=True)
class LayerMatrices:
    """A layer's matrices as the formulas have them, all (C, C): Q = x W_q, K = x W_k, V = x W_v, output = ... W_o."""

    W_q: Tensor
    W_k: Tensor
    W_v: Tensor
    W_o: Tensor

    def of_head(self, head: int, heads: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return one head's columns of W_q, W_k and W_v, each (C, C / H)."""
        return tuple(W.chunk(heads, dim=1)[head] for W in (self.W_q, self.W_k, self.W_v))


def block_matrices(block: Block) -> LayerMatrices:
    """Return a block's matrices; torch keeps them as rows for x on the right, so each is turned over."""
    W_q, W_k, W_v = block.attention.to_query_key_value.weight.detach().chunk(3)
    return LayerMatrices(W_q.T, W_k.T, W_v.T, block.attention.project.weight.detach().T)


@torch.no_grad()
def grow(network: GPT, ids: Tensor, layer: int, head: int) -> Grown:
    """Return the steps for one head of a network that looks both ways, reading `ids` (T,)."""
    found, block = trace_gpt(network, ids).layers[layer], network.blocks[layer]
    x, W = block.norm_before_attention(found.stream), block_matrices(block)
    H = network.config.heads
    W_q, W_k, W_v = W.of_head(head, H)
    learned = (W_q, W_k, W_v)
    steps = (
        GrownStep("average", attention.average_of_all, attention.average_of_all(x)),
        GrownStep("dot", attention.dot_product_attention, attention.dot_product_attention(x)),
        GrownStep("one_matrix", attention.symmetric_attention, attention.symmetric_attention(x, W_q)),
        GrownStep(
            "query_key_value",
            attention.query_key_value_attention,
            attention.query_key_value_attention(x, *learned),
        ),
        GrownStep(
            "scaled",
            attention.scaled_dot_product_attention,
            attention.scaled_dot_product_attention(x, *learned),
        ),
    )
    together = attention.multi_head_attention(x, W.W_q, W.W_k, W.W_v, W.W_o, H)
    return Grown(x, steps, together, found.gathered)


@dataclass(frozen=True)
class PairStep:
    """A pair of tokens in one step: what stands in the softmax and the weights, both ways; row a's entropy in bits."""

    step: str
    score_a_to_b: float
    score_b_to_a: float
    weight_a_to_b: float
    weight_b_to_a: float
    entropy_of_row_a: float


def pair_through(steps: tuple[GrownStep, ...], a: int, b: int) -> list[PairStep]:
    """Return what becomes of the tokens a and b in each step."""
    return [
        PairStep(
            step.name,
            *(
                float(each[s, t])
                for each in (step.trace.scaled, step.trace.weights)
                for s, t in ((a, b), (b, a))
            ),
            float(entropy(step.trace.weights[a])),
        )
        for step in steps
    ]


def same_both_ways(scores: Tensor, a: int, b: int) -> bool:
    """Return whether the score from a to b is the one from b to a, but for rounding."""
    return bool((scores[a, b] - scores[b, a]).abs() <= 1e-4 * scores.abs().max())


def asymmetry(scores: Tensor) -> float:
    """Return the largest difference between a score and the score the other way round.

    >>> asymmetry(torch.tensor([[0.0, 3.0], [1.0, 9.0]]))
    2.0
    """
    return (scores - scores.mT).abs().max().item()


def themselves_most(weights: Tensor) -> int:
    """Return how many tokens give themselves more weight than any other token gets from them.

    >>> themselves_most(torch.tensor([[0.6, 0.4], [0.5, 0.5]]))
    1
    """
    others = weights - torch.diag(torch.full((len(weights),), torch.inf))
    return int((weights.diagonal() > others.amax(1)).sum())


def with_one_matrix(network: GPT) -> GPT:
    """Return a copy in which every head's keys are its queries: W_k = W_q, so that scores are symmetric."""
    copy = deepcopy(network)
    C = network.config.width
    with torch.no_grad():
        for block in copy.blocks:
            weight = block.attention.to_query_key_value.weight
            weight[C : 2 * C] = weight[:C]
    return copy
