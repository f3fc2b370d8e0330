"""Peeking at the answer: four mistakes that let a language model see what it is to predict, and how much leaks.

    no mask          every position sees all positions, so also the next token, which is its answer
    nought           e^0 = 1: a hidden position keeps a weight
    cut too late     weights are cut after the softmax, but were divided by a sum with the future in it
    no shift         y = x: each position is asked for the very token that it reads

The leak is a derivative: d ln p(next token) / d x_s, which is exactly nought for every later s under a right mask.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from core.models.self_attention.attention import (
    AttentionTrace,
    attend,
    attend_masked_after_softmax,
    attend_masked_with_zero,
    causal_mask,
    concatenate_heads,
    influence,
)
from core.models.self_attention.gpt import GPT, Cache, CausalSelfAttention

NO_MASK, ZERO, TOO_LATE, NO_SHIFT = (
    "no mask",
    "0 instead of −∞",
    "mask after the softmax",
    "x and y not shifted",
)
WAYS = (NO_MASK, ZERO, TOO_LATE, NO_SHIFT)
Attend = Callable[[Tensor, Tensor, Tensor, float, Tensor], AttentionTrace]
SPOILED: dict[str, Attend] = {ZERO: attend_masked_with_zero, TOO_LATE: attend_masked_after_softmax}


def attend_without_mask(
    query: Tensor, key: Tensor, value: Tensor, scale: float, mask: Tensor
) -> AttentionTrace:
    """Return attention to every position, whatever the mask hides."""
    return attend(query, key, value, scale, torch.zeros_like(mask))


class PeekingAttention(CausalSelfAttention):
    """A GPT's self-attention whose mask is spoiled in one of the WAYS."""

    def __init__(self, config, way: str):
        super().__init__(config)
        self.attend = SPOILED.get(way, attend_without_mask)

    def forward(self, x: Tensor, past: Cache | None = None) -> tuple[Tensor, Cache]:
        """Return what each position gathered, (B, T, C), and all keys and values, `past` included."""
        q, k, v = self.query_key_value(x)
        if past is not None:
            k, v = torch.cat((past[0], k), dim=2), torch.cat((past[1], v), dim=2)
        mask = causal_mask(q.shape[2], k.shape[2])
        heads = self.attend(q, k, v, q.shape[-1] ** -0.5, mask)
        return self.project(concatenate_heads(heads.context)), (k, v)


def peeking(model: GPT, way: str) -> GPT:
    """Return a GPT with the same weights that peeks in one of the WAYS; without a shift the mask is right.

    >>> from core.models.self_attention.gpt import GPTConfig
    >>> model = GPT(GPTConfig(vocabulary_size=5, context=4, layers=1, heads=1, width=4))
    >>> leak(prediction_influence(model, torch.tensor([0, 1, 2, 3])))
    0.0
    >>> leak(prediction_influence(peeking(model, NO_MASK), torch.tensor([0, 1, 2, 3]))) > 0
    True
    """
    spoiled = GPT(model.config)
    if way != NO_SHIFT:
        for block in spoiled.blocks:
            block.attention = PeekingAttention(model.config, way)
    spoiled.load_state_dict(model.state_dict())
    return spoiled


def masked_again(model: GPT) -> GPT:
    """Return an honest GPT with the weights of one that peeks: the mask is right, nothing else has changed."""
    honest = GPT(model.config)
    honest.load_state_dict(model.state_dict())
    return honest


def prediction_influence(model: GPT, ids: Tensor) -> Tensor:
    """Return how much each prediction depends on each input, (T, T): |d ln p(ids_t+1 | ...) / d x_s|, ids (T + 1,).

    x_s is the embedding of token s; row t is the prediction made at position t, of the token after it.
    """
    x = model.token_embedding(ids[:-1]).detach().requires_grad_()
    stream = (x + model.position_embedding.weight[: len(x)])[None]
    for block in model.blocks:
        stream, _ = block(stream)
    logits = functional.linear(model.final_norm(stream[0]), model.token_embedding.weight)
    ln_p = functional.log_softmax(logits, dim=-1).gather(1, ids[1:, None])
    return influence(ln_p, x)


def leak(depends: Tensor, hidden: Tensor | None = None) -> float:
    """Return the largest influence where the mask hides, at first right of the diagonal: nought if nothing leaks."""
    hidden = torch.ones_like(depends).triu(1) > 0 if hidden is None else hidden
    return depends[hidden].max().item() if hidden.any() else 0.0
