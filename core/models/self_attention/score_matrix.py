"""A matrix of attention scores by itself: typed by hand or taken from a trained head, edited cell by cell.

With Q = V = the identity and K = the scores transposed, Q K^T is the scores and the context is the weights, so that
a typed matrix runs through the very functions that a trained head runs through.
"""

from __future__ import annotations

from math import sqrt

import torch
from torch import Tensor

from core.models.self_attention.attention import (
    AttentionTrace,
    attend,
    bidirectional_mask,
    causal_mask,
    influence,
    padding_mask,
    sliding_window_mask,
)
from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import trace
from core.models.self_attention.peeking import SPOILED

CAUSAL, BIDIRECTIONAL, PADDING = "causal", "bidirectional", "padding"
CAUSAL_AND_PADDING, WINDOW, BOTH_SIDES = "causal and padding", "sliding window", "sliding window, both sides"
MASKS = (CAUSAL, BIDIRECTIONAL, PADDING, CAUSAL_AND_PADDING, WINDOW, BOTH_SIDES)
Edits = dict[tuple[int, int], float]  # (row, column) -> score


def mask_of(kind: str, T: int, padding: int = 0, window: int = 1) -> Tensor:
    """Return the mask of a kind for T tokens, the last `padding` of which are filling, (T, T).

    >>> (mask_of(CAUSAL_AND_PADDING, 3, padding=1) == 0).int().tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 0]]
    """
    filling = padding_mask(torch.arange(T) < T - padding).expand(T, T)
    return {
        CAUSAL: causal_mask(T),
        BIDIRECTIONAL: bidirectional_mask(T),
        PADDING: filling,
        CAUSAL_AND_PADDING: causal_mask(T) + filling,
        WINDOW: sliding_window_mask(T, window),
        BOTH_SIDES: sliding_window_mask(T, window, causal=False),
    }[kind]


def head_scores(model: GPT, ids: Tensor, layer: int, head: int) -> Tensor:
    """Return q_t . k_s of one head of a trained GPT for all pairs of tokens (T, T), those the mask hides too."""
    return trace(model, ids).layers[layer].attention.scores[head]


def with_edits(scores: Tensor, edits: Edits) -> Tensor:
    """Return the scores with some of them replaced; an edit outside the matrix is left out.

    >>> with_edits(torch.zeros(2, 2), {(1, 0): 3.0, (5, 5): 1.0}).tolist()
    [[0.0, 0.0], [3.0, 0.0]]
    """
    edited, T = scores.clone(), len(scores)
    for (row, column), score in edits.items():
        if row < T and column < T:
            edited[row, column] = score
    return edited


def attend_by_scores(scores: Tensor, d_k: int, mask: Tensor, way: str | None = None) -> AttentionTrace:
    """Return every step from the scores (T, T) to the weights; `way` spoils the mask (core.models.self_attention.peeking).

    >>> attend_by_scores(torch.zeros(2, 2), 4, causal_mask(2)).weights.tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    one_hot = torch.eye(len(scores), dtype=scores.dtype)
    return SPOILED.get(way, attend)(one_hot, scores.T, one_hot, 1 / sqrt(d_k), mask)


def weights_influence(scores: Tensor, d_k: int, mask: Tensor, way: str | None = None) -> Tensor:
    """Return how much the output of each token depends on each token's key and value, (T, T), values one-hot.

    A token's key is here the column of scores that it gets.

    >>> weights_influence(torch.zeros(2, 2), 4, causal_mask(2))[0].tolist()
    [1.414..., 0.0]
    """
    one_hot = torch.eye(len(scores))
    x = torch.cat((scores.T, one_hot), dim=1).requires_grad_()  # what each token brings: its key, its value
    key, value = x.split(len(scores), dim=1)
    return influence(SPOILED.get(way, attend)(one_hot, key, value, 1 / sqrt(d_k), mask).context, x)
