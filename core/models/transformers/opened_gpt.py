"""A GPT opened: every tensor between the ids and the probabilities of the next token, each with a name and a line.

    x_0 = E[ids] + P;   in each of L blocks   x = x + attention(norm(x)),   x = x + feed_forward(norm(x))
    p = softmax(norm(x_L) E^T)

It computes with the network's own weights what core/models/self_attention/gpt.py computes, one step a line; a test
holds the two, transformers' GPT-2 and torch's TransformerEncoderLayer against each other.

Sources: Radford et al. (2019), Language Models are Unsupervised Multitask Learners; Ba, Kiros and Hinton (2016), Layer
Normalization; Hendrycks and Gimpel (2016), Gaussian Error Linear Units.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.self_attention.attention import (
    AttentionTrace,
    attend,
    causal_mask,
    concatenate_heads,
    split_heads,
)
from core.models.self_attention.gpt import GPT, Block, CausalSelfAttention, FeedForward


@dataclass(frozen=True)
class OpenedEmbedding:
    """A vector of what each token is, one of where it stands, and their sum, each (T, C)."""

    token: Tensor
    position: Tensor
    stream: Tensor


@dataclass(frozen=True)
class OpenedNorm:
    """One layer norm: mean and variance (T, 1) of each token's numbers, and three tensors (T, C); `read` goes on."""

    mean: Tensor
    centred: Tensor
    variance: Tensor
    normed: Tensor
    read: Tensor


@dataclass(frozen=True)
class OpenedAttention(AttentionTrace):
    """H heads side by side: (H, T, d) or (H, T, T); then together and gathered, (T, C)."""

    together: Tensor
    gathered: Tensor


@dataclass(frozen=True)
class OpenedFeedForward:
    """The neurons before and after the bend, (T, 4C), and what they write, (T, C)."""

    widened: Tensor
    woken: Tensor
    written: Tensor


@dataclass(frozen=True)
class OpenedAdd:
    """The residual connection: the stream, what a part adds to it, and their sum, each (T, C)."""

    stream: Tensor
    added: Tensor
    after: Tensor


@dataclass(frozen=True)
class OpenedOutput:
    """Logits, their exponentials less each row's greatest, and the next token's probabilities, each (T, V)."""

    logits: Tensor
    exponentials: Tensor
    probabilities: Tensor


Part = OpenedEmbedding | OpenedNorm | OpenedAttention | OpenedFeedForward | OpenedAdd | OpenedOutput


@dataclass(frozen=True)
class OpenedGPT:
    """A whole reading: ids (T,), and the parts by name of each stage: 0 the embedding, 1 to L blocks, L + 1 the output."""

    ids: Tensor
    stages: tuple[dict[str, Part], ...]

    def added(self) -> Tensor:
        """Return how long the vectors are that each block's attention and feed-forward network add, (L, 2, T).

        A vector's length is the root of the sum of its squares.
        """
        adds = [[stage["add_1"].added, stage["add_2"].added] for stage in self.stages[1:-1]]
        return torch.stack([torch.stack([each.norm(dim=-1) for each in pair]) for pair in adds])


@torch.no_grad()
def open_gpt(model: GPT, ids: Tensor) -> OpenedGPT:
    """Return everything that reading `ids` (T,) computes. Raises ValueError for no token and for too many.

    >>> from core.models.self_attention.gpt import GPTConfig
    >>> opened = open_gpt(GPT(GPTConfig(5, context=3, layers=2, heads=2, width=8)), torch.tensor([0, 4]))
    >>> len(opened.stages), list(opened.stages[1])
    (4, ['norm_1', 'attention', 'add_1', 'norm_2', 'feed_forward', 'add_2'])
    >>> opened.stages[1]["attention"].weights[:, 0].tolist(), opened.stages[-1]["output"].logits.shape
    ([[1.0, 0.0], [1.0, 0.0]], torch.Size([2, 5]))
    """
    if not 0 < len(ids) <= model.config.context:
        raise ValueError(
            f"This model reads 1 to {model.config.context} tokens at once; the text has {len(ids)}."
        )
    stages = [{"embedding": open_embedding(model, ids)}]
    x = stages[0]["embedding"].stream
    for block in model.blocks:
        stages.append(open_block(block, x))
        x = stages[-1]["add_2"].after
    norm = open_norm(model.final_norm, x)
    stages.append({"norm": norm, "output": open_output(model, norm.read)})
    return OpenedGPT(ids, tuple(stages))


def open_embedding(model: GPT, ids: Tensor) -> OpenedEmbedding:
    """Return the vectors that stand for the tokens and their places."""
    E, P = model.token_embedding.weight.detach(), model.position_embedding.weight.detach()
    token = E[ids]  # (T, C)
    position = P[: len(ids)]  # (T, C)
    stream = token + position
    return OpenedEmbedding(token, position, stream)


def open_block(block: Block, x: Tensor) -> dict[str, Part]:
    """Return the parts of one block on the stream x (T, C), in their order."""
    norm_1 = open_norm(block.norm_before_attention, x)
    attention = open_attention(block.attention, norm_1.read)
    add_1 = open_add(x, attention.gathered)
    norm_2 = open_norm(block.norm_before_feed_forward, add_1.after)
    feed_forward = open_feed_forward(block.feed_forward, norm_2.read)
    add_2 = open_add(add_1.after, feed_forward.written)
    return {
        "norm_1": norm_1,
        "attention": attention,
        "add_1": add_1,
        "norm_2": norm_2,
        "feed_forward": feed_forward,
        "add_2": add_2,
    }


def open_norm(norm: nn.LayerNorm, x: Tensor) -> OpenedNorm:
    """Return each token's numbers set to mean 0 and variance 1, then times a gain g plus a bias b: layer norm.

    >>> opened = open_norm(nn.LayerNorm(2, eps=0.0), torch.tensor([[1.0, 5.0]]))
    >>> opened.centred.tolist(), opened.variance.tolist(), opened.read.tolist()
    ([[-2.0, 2.0]], [[4.0]], [[-1.0, 1.0]])
    """
    g, b, eps = norm.weight, norm.bias, norm.eps
    mean = x.mean(-1, keepdim=True)  # (T, 1)
    centred = x - mean
    variance = (centred**2).mean(-1, keepdim=True)  # (T, 1)
    normed = centred / (variance + eps).sqrt()
    read = normed * g + b
    return OpenedNorm(mean, centred, variance, normed, read)


def open_attention(attention: CausalSelfAttention, n: Tensor) -> OpenedAttention:
    """Return what H heads make of the normed stream n (T, C); d = C / H."""
    H, mask = attention.heads, causal_mask(len(n))
    W_q, W_k, W_v = attention.to_query_key_value.weight.chunk(3)  # each (C, C)
    W_o = attention.project.weight  # (C, C)
    query = split_heads(n @ W_q.T, H)  # (H, T, d)
    key = split_heads(n @ W_k.T, H)
    value = split_heads(n @ W_v.T, H)
    heads = attend(query, key, value, query.shape[-1] ** -0.5, mask)
    together = concatenate_heads(heads.context)  # (T, C)
    gathered = together @ W_o.T
    return OpenedAttention(**vars(heads), together=together, gathered=gathered)


def open_feed_forward(feed_forward: FeedForward, n: Tensor) -> OpenedFeedForward:
    """Return what the feed-forward network makes of the normed stream n (T, C), each token by itself."""
    W_1, W_2 = feed_forward.widen.weight, feed_forward.project.weight  # (4C, C), (C, 4C)
    widened = n @ W_1.T  # (T, 4C)
    woken = functional.gelu(widened, approximate="tanh")
    written = woken @ W_2.T  # (T, C)
    return OpenedFeedForward(widened, woken, written)


def open_add(stream: Tensor, added: Tensor) -> OpenedAdd:
    """Return the stream with what a part adds to it."""
    after = stream + added
    return OpenedAdd(stream, added, after)


def open_output(model: GPT, n: Tensor) -> OpenedOutput:
    """Return what the normed last stream n (T, C) says of the next token, over the whole vocabulary."""
    E = model.token_embedding.weight  # (V, C)
    logits = n @ E.T  # (T, V)
    exponentials = (logits - logits.amax(-1, keepdim=True)).exp()
    probabilities = exponentials / exponentials.sum(-1, keepdim=True)
    return OpenedOutput(logits, exponentials, probabilities)


def without_part(model: GPT, stage: int, part: str) -> GPT:
    """Return a copy in which a part adds nothing, its last matrix being nought; all else is as it was.

    `part` is "attention" or "feed_forward" of block `stage`, from 1, or "positions" of the embedding.
    """
    changed = deepcopy(model)
    if part == "positions":
        changed.position_embedding.weight.data.zero_()
    else:
        getattr(changed.blocks[stage - 1], part).project.weight.data.zero_()
    return changed
