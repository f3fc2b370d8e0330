"""Quantization: weights as small integers times a scale, rounded to nearest.

    s = max |w| / (2^(b-1) - 1)        q = round(w / s)        w' = q s        |w - w'| <= s / 2

The integers are symmetric: b bits hold -(2^(b-1) - 1) to 2^(b-1) - 1. One scale serves a whole matrix, a row, or a group of
G neighbours in a row. Dettmers et al. (2022), LLM.int8(): 8-bit Matrix Multiplication for Transformers at Scale; rounding to
nearest by group is the baseline of Frantar et al. (2023), GPTQ.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.models.self_attention.gpt import GPT

TENSOR, ROW, GROUP = "tensor", "row", "group"
SHARED_BY = (TENSOR, ROW, GROUP)  # what shares a scale
G = 64  # neighbours in a row that share a scale, where groups do
PLAIN = 16  # bits of a weight that is not quantized
SCALE_BITS = 32


@dataclass(frozen=True, eq=False)
class Quantized:
    """A matrix in b bits: `integers` q, and `scales` s of the same shape, equal where a scale is shared."""

    integers: Tensor
    scales: Tensor
    bits: int
    scale_count: int

    @property
    def weights(self) -> Tensor:
        """Return w' = q s."""
        return self.integers * self.scales

    @property
    def bytes(self) -> float:
        """Return the bytes of its integers and its scales."""
        return (self.integers.numel() * self.bits + self.scale_count * SCALE_BITS) / 8


def largest_integer(bits: int) -> int:
    """Return 2^(b-1) - 1, the largest of the symmetric integers of b bits.

    >>> [largest_integer(bits) for bits in (8, 4, 2)]
    [127, 7, 1]
    """
    return 2 ** (bits - 1) - 1


def pieces_of(W: Tensor, shared_by: str, group: int = G) -> Tensor:
    """Return a matrix (R, C) as rows that share a scale each, (pieces, n). Raises ValueError where groups do not fit.

    >>> [tuple(pieces_of(torch.zeros(3, 8), by, 4).shape) for by in SHARED_BY]
    [(1, 24), (3, 8), (6, 4)]
    """
    if shared_by == GROUP and W.shape[-1] % group:
        raise ValueError(f"A row of {W.shape[-1]} weights has no whole number of groups of {group}.")
    return W.reshape(-1, {TENSOR: W.numel(), ROW: W.shape[-1], GROUP: group}[shared_by])


def quantize(W: Tensor, bits: int, shared_by: str = ROW, group: int = G) -> Quantized:
    """Return a matrix (R, C) rounded to nearest in b bits, with s = max |w| / (2^(b-1) - 1) of what shares a scale.

    Weights that are all 0 get the scale 1. Raises ValueError below 2 bits.

    >>> found = quantize(torch.tensor([[0.7, -0.34, 0.1]]), bits=4)
    >>> found.integers.tolist(), [round(w, 1) for w in found.weights[0].tolist()]
    ([[7.0, -3.0, 1.0]], [0.7, -0.3, 0.1])
    """
    if bits < 2:
        raise ValueError("Symmetric integers need at least 2 bits.")
    pieces = pieces_of(W, shared_by, group)  # (pieces, n)
    s = pieces.abs().amax(dim=1, keepdim=True) / largest_integer(bits)  # (pieces, 1)
    s = torch.where(s > 0, s, torch.ones_like(s))
    q = (pieces / s).round().clamp(-largest_integer(bits), largest_integer(bits))
    return Quantized(q.reshape(W.shape), s.expand_as(pieces).reshape(W.shape), bits, len(s))


def matrices(network: GPT) -> dict[str, nn.Linear]:
    """Return the matrices of a GPT's blocks by name: what is quantized. Embeddings and norms stay as they are."""
    return {name: part for name, part in network.named_modules() if isinstance(part, nn.Linear)}


def quantize_network(network: GPT, bits: int, shared_by: str = ROW) -> GPT:
    """Return a copy of a GPT whose matrices are quantized; 16 bits leave them as they are."""
    rounded = copy.deepcopy(network)
    if bits < PLAIN:
        for part in matrices(rounded).values():
            part.weight = nn.Parameter(quantize(part.weight, bits, shared_by).weights, requires_grad=False)
    return rounded


def count_bytes(network: GPT, bits: int, shared_by: str = ROW) -> dict[str, float]:
    """Return the bytes of a GPT by part: `integers`, `scales`, and `others`, the parameters that stay in 16 bits."""
    found = [part.weight for part in matrices(network).values()]
    n = sum(W.numel() for W in found)
    others = sum(each.numel() for each in network.parameters()) - n
    scales = 0 if bits == PLAIN else sum(len(pieces_of(W, shared_by)) for W in found)
    return {"integers": n * bits / 8, "scales": scales * SCALE_BITS / 8, "others": others * PLAIN / 8}


def add_outlier(network: GPT, times: float = 32.0, dimension: int = 0) -> GPT:
    """Return a copy that computes the same, with outliers: one input dimension of four matrices in six is scaled up.

    Before attention and before the feed-forward layer, gain and bias of one dimension of the norm are divided by `times`,
    and the column of the next matrix that reads it is multiplied by `times`. The product is the same.
    """
    changed = copy.deepcopy(network)
    with torch.no_grad():
        for block in changed.blocks:
            for norm, reader in (
                (block.norm_before_attention, block.attention.to_query_key_value),
                (block.norm_before_feed_forward, block.feed_forward.widen),
            ):
                norm.weight[dimension] /= times
                norm.bias[dimension] /= times
                reader.weight[:, dimension] *= times
    return changed
