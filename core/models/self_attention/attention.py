"""Attention, grown in named steps: from an average of the past to several masked heads.

    scores = Q K^T;   scaled = scores / sqrt(d);   masked = scaled + mask
    exponentials = e^(masked - shift);   weights = exponentials / their row sums;   context = weights V

Every step returns an AttentionTrace. Rows are queries ("from"), columns are keys ("to"). A mask is added to
the scores: 0 where a query may look, minus infinity where it may not.

Sources: Bahdanau, Cho and Bengio (2015); Luong, Pham and Manning (2015); Vaswani et al. (2017), Attention Is All
You Need, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import torch
from torch import Tensor

SAFE = 60.0  # e^60 is far inside a float32; beyond it a row is shifted by its greatest score


@dataclass(frozen=True)
class AttentionTrace:
    """One attention, step by step; T queries, S keys, d numbers a query or key, d_v a value; heads go in front.

    query (..., T, d), key (..., S, d), value (..., S, d_v); scores, scaled, masked, exponentials and weights
    (..., T, S); row_sums (..., T, 1); context (..., T, d_v). `shift` (..., T, 1) is what was taken off a row
    before e^: nought, unless the row's greatest score is too far from nought for e^; weights stay the same.
    """

    query: Tensor
    key: Tensor
    value: Tensor
    scores: Tensor
    scaled: Tensor
    masked: Tensor
    shift: Tensor
    exponentials: Tensor
    row_sums: Tensor
    weights: Tensor
    context: Tensor


@dataclass(frozen=True)
class MultiHeadTrace:
    """Several heads: `heads` is their trace with H in front; concatenated (T, H d_v); output (T, C)."""

    heads: AttentionTrace
    concatenated: Tensor
    output: Tensor


def attend(
    query: Tensor, key: Tensor, value: Tensor, scale: float = 1.0, mask: Tensor | None = None
) -> AttentionTrace:
    """Return softmax(Q K^T scale + mask) V with every step on the way.

    A row that may look nowhere has weights and context of nought.

    >>> Q = K = torch.zeros(3, 2)
    >>> V = torch.tensor([[3.0], [6.0], [0.0]])
    >>> trace = attend(Q, K, V, mask=causal_mask(3))
    >>> trace.weights.round(decimals=2).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.33..., 0.33..., 0.33...]]
    >>> trace.context.tolist()
    [[3.0], [4.5], [3.0]]
    """
    scores = query @ key.transpose(-2, -1)  # (..., T, S)
    scaled = scores * scale
    masked = scaled if mask is None else scaled + mask
    return from_masked(query, key, value, scores, scaled, masked)


def from_masked(
    query: Tensor, key: Tensor, value: Tensor, scores: Tensor, scaled: Tensor, masked: Tensor
) -> AttentionTrace:
    """Return the trace from the masked scores on: exponentials, row sums, weights, context."""
    shift = safe_shift(masked)
    exponentials = torch.exp(masked - shift)
    row_sums = exponentials.sum(-1, keepdim=True)
    weights = exponentials / torch.where(row_sums > 0, row_sums, 1.0)
    steps = (scores, scaled, masked, shift, exponentials, row_sums, weights, weights @ value)
    return AttentionTrace(query, key, value, *steps)


def safe_shift(masked: Tensor) -> Tensor:
    """Return what to take off each row so that e^ neither overflows nor vanishes: nought for ordinary scores."""
    greatest = masked.amax(-1, keepdim=True)
    extreme = (greatest.abs() > SAFE) & (greatest > -inf)
    return torch.where(extreme, greatest, 0.0).detach()


# From averages to attention


def average_of_the_past(x: Tensor) -> AttentionTrace:
    """Return each position's plain average of itself and all before it: attention with every score nought.

    >>> average_of_the_past(torch.tensor([[2.0], [4.0], [9.0]])).context.tolist()
    [[2.0], [3.0], [5.0]]
    """
    nought = torch.zeros_like(x)
    return attend(nought, nought, x, mask=causal_mask(len(x)))


def average_of_all(x: Tensor) -> AttentionTrace:
    """Return the plain average of all positions, the same for each: every score nought, and no mask.

    >>> average_of_all(torch.tensor([[2.0], [4.0]])).context.tolist()
    [[3.0], [3.0]]
    """
    nought = torch.zeros_like(x)
    return attend(nought, nought, x)


def dot_product_attention(x: Tensor) -> AttentionTrace:
    """Return softmax(x x^T) x: tokens that point the same way gather from each other; it has no matrices."""
    return attend(x, x, x)


def symmetric_attention(x: Tensor, W: Tensor) -> AttentionTrace:
    """Return softmax((xW)(xW)^T) x: what is alike is learned, but hammer and tool score each other equally."""
    return attend(x @ W, x @ W, x)


def query_key_value_attention(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> AttentionTrace:
    """Return softmax(Q K^T) V, Q = x W_q, K = x W_k, V = x W_v: hammer may look at tool and tool not back."""
    return attend(x @ W_q, x @ W_k, x @ W_v)


def scaled_dot_product_attention(
    x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor, mask: Tensor | None = None
) -> AttentionTrace:
    """Return softmax(Q K^T / sqrt(d) + mask) V: the scores' spread no longer grows with d."""
    return attend(x @ W_q, x @ W_k, x @ W_v, 1 / sqrt(W_q.shape[1]), mask)


def multi_head(
    x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor, heads: int, mask: Tensor | None = None
) -> AttentionTrace:
    """Return H attentions side by side, each on its own C / H columns of Q, K and V; H stands in front."""
    Q, K, V = (split_heads(x @ W, heads) for W in (W_q, W_k, W_v))  # (H, T, d)
    return attend(Q, K, V, 1 / sqrt(Q.shape[-1]), mask)


def multi_head_attention(
    x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor, W_o: Tensor, heads: int, mask: Tensor | None = None
) -> MultiHeadTrace:
    """Return the heads' contexts concatenated and projected: [context_1; ...; context_H] W_o, (T, C)."""
    trace = multi_head(x, W_q, W_k, W_v, heads, mask)
    together = concatenate_heads(trace.context)
    return MultiHeadTrace(trace, together, together @ W_o)


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Return (..., T, C) as (..., H, T, C / H): head h has columns h C / H up to (h + 1) C / H."""
    return x.unflatten(-1, (heads, -1)).transpose(-3, -2)


def concatenate_heads(context: Tensor) -> Tensor:
    """Return (..., H, T, d) as (..., T, H d), the heads side by side again."""
    return context.transpose(-3, -2).flatten(-2)


# Masks


def mask_from(allowed: Tensor) -> Tensor:
    """Return 0 where `allowed` is true and minus infinity where it is not."""
    return torch.zeros(allowed.shape).masked_fill(~allowed, -inf)


def bidirectional_mask(T: int) -> Tensor:
    """Return the mask that hides nothing, (T, T): what an encoder such as BERT uses."""
    return torch.zeros(T, T)


def causal_mask(T: int, S: int | None = None) -> Tensor:
    """Return the mask that hides the future, (T, S); the T queries are the last of the S positions.

    >>> causal_mask(2).tolist(), causal_mask(1, 3).tolist()
    ([[0.0, -inf], [0.0, 0.0]], [[0.0, 0.0, 0.0]])
    """
    S = T if S is None else S
    return mask_from(torch.ones(T, S, dtype=torch.bool).tril(S - T))


def padding_mask(is_token: Tensor) -> Tensor:
    """Return the mask that hides padding from every query, (..., 1, S); `is_token` (..., S) says what is text."""
    return mask_from(is_token.bool())[..., None, :]


def sliding_window_mask(T: int, window: int, causal: bool = True) -> Tensor:
    """Return the mask that shows `window` positions up to and with each (or to either side of it), (T, T).

    >>> (sliding_window_mask(4, window=2) == 0).int().tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    """
    distance = torch.arange(T)[:, None] - torch.arange(T)[None, :]
    return mask_from((distance < window) & (distance >= 0) if causal else distance.abs() < window)


# Broken on purpose, to see why the mask is minus infinity and comes before the softmax


def attend_masked_with_zero(
    query: Tensor, key: Tensor, value: Tensor, scale: float, mask: Tensor
) -> AttentionTrace:
    """Return attention with hidden scores 0 instead of minus infinity: e^0 = 1, so the future still weighs."""
    scores = query @ key.transpose(-2, -1)
    return from_masked(query, key, value, scores, scores * scale, (scores * scale).masked_fill(mask < 0, 0.0))


def attend_masked_after_softmax(
    query: Tensor, key: Tensor, value: Tensor, scale: float, mask: Tensor
) -> AttentionTrace:
    """Return attention with weights cut after the softmax.

    Rows no longer sum to one, and what they were divided by has the future in it: it leaks.
    """
    trace = attend(query, key, value, scale)
    weights = trace.weights.masked_fill(mask < 0, 0.0)
    return AttentionTrace(**{**vars(trace), "weights": weights, "context": weights @ value})


def influence(outputs: Tensor, inputs: Tensor) -> Tensor:
    """Return how much each output position depends on each input position, (T, T): the norm of its Jacobian.

    `outputs` (T, C) must have been computed from `inputs` (T, C), which requires its gradient. Under a causal
    mask everything right of the diagonal is exactly nought; where it is not, the future leaks.
    """
    total = torch.zeros(len(outputs), len(inputs))
    for t, row in enumerate(outputs):
        for number in row:
            (gradient,) = torch.autograd.grad(number, inputs, retain_graph=True)
            total[t] += gradient.square().sum(-1)
    return total.sqrt()
