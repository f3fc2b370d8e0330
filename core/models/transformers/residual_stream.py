"""The residual stream of a GPT: what each part writes into it, and what is left of that in a logit.

    x_0 = token + position;   x_i = x_i-1 + f_i               f_i: attention or feed-forward network of a block
    length = ||f_i||;   cosine(f_i, x_i-1) = f_i . x_i-1 / (||f_i|| ||x_i-1||)
    logit of token w = norm(x_n) . E_w = sum over parts of kept_i . E_w + offset . E_w

A norm divides by the spread of the whole stream; with that spread taken as it is, it is linear, and so the final
stream is the sum of what is left of each part: kept = gamma (f - mean f) / spread. Its offset beta belongs to no part.

Sources: Elhage et al. (2021), A Mathematical Framework for Transformer Circuits; Xiong et al. (2020), On Layer
Normalization in the Transformer Architecture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.models.self_attention.gpt import GPT, Block
from core.models.transformers.ablated_gpt import FORMS, WHOLE, Form

TOKEN, POSITION, ATTENTION, FEED_FORWARD, OFFSET = (
    "token",
    "position",
    "attention",
    "feed-forward",
    "norm's offset",
)


@dataclass(frozen=True)
class Write:
    """One part's writing: what it read and added, and the stream before and after it, each (T, C)."""

    part: str
    before: Tensor
    added: Tensor
    after: Tensor


@dataclass(frozen=True)
class Stream:
    """A reading of ids (T,): the embeddings, every part's writing, and what is left of each in the end.

    `start` (T, C) is token + position; `kept` (parts, T, C), named by `parts`, sums to `final` (T, C), of which the
    logits (T, V) are made. The last of the parts is what the norms' offsets beta added.
    """

    start: Tensor
    writes: tuple[Write, ...]
    parts: tuple[str, ...]
    kept: Tensor
    final: Tensor
    logits: Tensor

    @property
    def lengths(self) -> Tensor:
        """The stream's length at the start and after each part's writing, (1 + writes, T)."""
        return torch.stack([self.start, *(write.after for write in self.writes)]).norm(dim=-1)


def form_of(network: GPT) -> Form:
    """Return which pieces a GPT has: all of them, unless it is an ablated one."""
    return getattr(network, "form", FORMS[WHOLE])


@torch.no_grad()
def read_stream(network: GPT, ids: Tensor) -> Stream:
    """Return the stream of reading ids (T,), part by part, for a GPT of any form.

    Raises ValueError when there are more ids than the context holds.

    >>> from core.models.self_attention.gpt import GPTConfig
    >>> network = GPT(GPTConfig(vocabulary_size=5, context=4, layers=1, heads=1, width=4))
    >>> stream = read_stream(network, torch.tensor([1, 2, 3]))
    >>> stream.parts
    ('token', 'position', 'attention 1', 'feed-forward 1', "norm's offset")
    >>> bool(torch.allclose(stream.kept.sum(0), stream.final, atol=1e-5))
    True
    """
    T, context, form = len(ids), network.config.context, form_of(network)
    if context < T:
        raise ValueError(f"This model reads at most {context} tokens at once; the text has {T}.")
    kept = {TOKEN: network.token_embedding(ids), POSITION: network.position_embedding.weight[:T]}
    start = x = kept[TOKEN] + kept[POSITION]
    kept[OFFSET] = torch.zeros_like(x)
    writes = []
    for layer, block in enumerate(network.blocks, start=1):
        for name, compute, norm in sublayers(block, form):
            part, before = f"{name} {layer}", x
            added = compute(norm(x) if form.norm == "pre" else x)
            if not form.residual:
                kept, x = {each: torch.zeros_like(x) for each in kept}, torch.zeros_like(x)
            x, kept = x + added, {**kept, part: added}
            if form.norm == "post":
                kept, x = normalised_parts(norm, kept, x), norm(x)
            writes.append(Write(part, before, added, x))
    kept, final = normalised_parts(network.final_norm, kept, x), network.final_norm(x)
    kept[OFFSET] = kept.pop(OFFSET)  # named last
    logits = final @ network.token_embedding.weight.T
    return Stream(start, tuple(writes), tuple(kept), torch.stack(list(kept.values())), final, logits)


def sublayers(block: Block, form: Form) -> Iterator[tuple]:
    """Yield (name, what it computes of (T, C), its norm) for each part of a block, in order."""
    yield ATTENTION, lambda x: block.attention(x[None])[0][0], block.norm_before_attention
    if form.feed_forward:
        yield FEED_FORWARD, block.feed_forward, block.norm_before_feed_forward


def normalised_parts(norm: nn.Module, parts: dict[str, Tensor], x: Tensor) -> dict[str, Tensor]:
    """Return what a norm of x, the sum of `parts`, leaves of each: gamma (part - mean) / spread of x; OFFSET gains beta.

    >>> norm = nn.LayerNorm(2, eps=0.0)
    >>> parts = {TOKEN: torch.tensor([[3.0, 1.0]]), OFFSET: torch.tensor([[0.0, 2.0]])}
    >>> [part.tolist() for part in normalised_parts(norm, parts, torch.tensor([[3.0, 3.0 - 2.0]])).values()]
    [[[1.0, -1.0]], [[-1.0, 1.0]]]
    """
    if isinstance(norm, nn.Identity):
        return parts
    spread = (x.var(-1, correction=0, keepdim=True) + norm.eps).sqrt()  # (T, 1)
    left = {name: norm.weight * (part - part.mean(-1, keepdim=True)) / spread for name, part in parts.items()}
    return {**left, OFFSET: left[OFFSET] + norm.bias}


def shares_of_logit(stream: Stream, network: GPT, place: int, token: int) -> Tensor:
    """Return what each part gives a token's logit at a place, above what it gives the mean token, (parts,).

    They sum to the logit minus the mean of all V logits. What raises all logits alike moves no probability, and is
    left out.
    """
    E = network.token_embedding.weight  # (V, C)
    return stream.kept[:, place] @ (E[token] - E.mean(0))


def cosine(x: Tensor, y: Tensor) -> Tensor:
    """Return the cosine of vectors along the last axis; nought where one of them is nought.

    >>> cosine(torch.tensor([1.0, 0.0]), torch.tensor([3.0, 4.0])).item()
    0.6...
    """
    lengths = x.norm(dim=-1) * y.norm(dim=-1)
    return (x * y).sum(-1) / torch.where(lengths > 0, lengths, 1.0)
