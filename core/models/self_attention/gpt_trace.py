"""A GPT's reading with nothing thrown away: every stream, every head step by step, and what other weights would do.

    stream_0 = token + position;  stream_l+1 = stream_l + gathered_l + fed_forward_l;  logits = norm(stream_L) E^T

What a block gathers is the sum of what its heads hand on, each projected; weights set by hand take the place of a
head's own, and all that follows is computed with them.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from core.models.self_attention.attention import (
    AttentionTrace,
    attend,
    bidirectional_mask,
    causal_mask,
    concatenate_heads,
)
from core.models.self_attention.gpt import GPT, Block


@dataclass(frozen=True)
class LayerTrace:
    """One block: the stream before it, what attention and the feed-forward network add, and every head.

    `attention` has the H heads in front: query, key and value (H, T, d), scores and weights (H, T, T). `gathered` and
    `fed_forward` (T, C) are added to `stream` (T, C).
    """

    stream: Tensor
    attention: AttentionTrace
    gathered: Tensor
    fed_forward: Tensor


@dataclass(frozen=True)
class GPTTrace:
    """A whole reading: token and position embeddings (T, C), each layer, the last stream, logits (T, V)."""

    ids: Tensor
    tokens: Tensor
    positions: Tensor
    layers: tuple[LayerTrace, ...]
    final: Tensor
    logits: Tensor


EditedWeights = dict[tuple[int, int], Tensor]  # (layer, head) -> weights (T, T) instead of the computed ones


@torch.no_grad()
def trace_gpt(model: GPT, ids: Tensor, edits: EditedWeights | None = None) -> GPTTrace:
    """Return everything that reading `ids` (T,) computes, each head step by step.

    `edits` puts other attention weights in place of a head's own; all that follows is computed with them. Raises
    ValueError when the text is longer than the model's context.
    """
    T, context = len(ids), model.config.context
    if context < T:
        raise ValueError(f"This model reads at most {context} tokens at once; the text has {T}.")
    tokens, positions = model.token_embedding(ids), model.position_embedding.weight[:T]
    stream, layers = tokens + positions, []
    for number, block in enumerate(model.blocks):
        changed = {head: weights for (layer, head), weights in (edits or {}).items() if layer == number}
        layers.append(trace_block(block, stream, changed))
        stream = stream + layers[-1].gathered + layers[-1].fed_forward
    final = model.final_norm(stream)
    return GPTTrace(ids, tokens, positions, tuple(layers), final, final @ model.token_embedding.weight.T)


def trace_block(block: Block, x: Tensor, edits: dict[int, Tensor]) -> LayerTrace:
    """Return what one block does to the stream x (T, C), with other weights for some heads if so asked."""
    q, k, v = (part[0] for part in block.attention.query_key_value(block.norm_before_attention(x)[None]))
    mask = causal_mask(len(x)) if block.attention.causal else bidirectional_mask(len(x))
    heads = attend(q, k, v, q.shape[-1] ** -0.5, mask)
    if edits:
        weights = heads.weights.clone()
        for head, edited in edits.items():
            weights[head] = edited
        heads = AttentionTrace(**{**vars(heads), "weights": weights, "context": weights @ v})
    gathered = block.attention.project(concatenate_heads(heads.context))
    fed_forward = block.feed_forward(block.norm_before_feed_forward(x + gathered))
    return LayerTrace(x, heads, gathered, fed_forward)
