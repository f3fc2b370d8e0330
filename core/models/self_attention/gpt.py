"""GPT: a decoder-only transformer that predicts the next token.

    x = token embedding + position embedding
    x = x + attention(norm(x));  x = x + feed_forward(norm(x))      in each of L blocks
    logits = norm(x) E^T                                            E is the token embedding, used twice

Sources: Radford et al. (2019), Language Models are Unsupervised Multitask Learners; Vaswani et al. (2017),
Attention Is All You Need. Written for reading; the weights of transformers' GPT-2 fit it (see its tests).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.self_attention.attention import causal_mask

Cache = tuple[Tensor, Tensor]  # one layer's keys and values so far, each (B, heads, T, d)


@dataclass(frozen=True)
class GPTConfig:
    """The shape of a GPT: V tokens, a context of at most T, L layers of H heads, C numbers a token.

    `causal` is False only to show what goes wrong without the mask: trained so, the model peeks at the answer.
    """

    vocabulary_size: int
    context: int = 256
    layers: int = 4
    heads: int = 4
    width: int = 192
    causal: bool = True


class CausalSelfAttention(nn.Module):
    """Each position gathers from itself and earlier positions: softmax(QK^T / sqrt(d) + mask) V, per head."""

    def __init__(self, config: GPTConfig):
        super().__init__()
        self.heads, self.causal = config.heads, config.causal
        self.to_query_key_value = nn.Linear(config.width, 3 * config.width, bias=False)
        self.project = nn.Linear(config.width, config.width, bias=False)

    def query_key_value(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values, each (B, H, T, d), of x (B, T, C); d = C / H."""
        B, T, C = x.shape
        parts = self.to_query_key_value(x).view(B, T, 3, self.heads, C // self.heads)
        return parts.permute(2, 0, 3, 1, 4).unbind(0)

    def forward(self, x: Tensor, past: Cache | None = None) -> tuple[Tensor, Cache]:
        """Return what each position gathered, (B, T, C), and all keys and values, `past` included."""
        q, k, v = self.query_key_value(x)
        if past is not None:
            k, v = torch.cat((past[0], k), dim=2), torch.cat((past[1], v), dim=2)
        T, S = q.shape[2], k.shape[2]
        mask = causal_mask(T, S) if self.causal and 1 < T < S else None  # one query may see all that is there
        hide = self.causal and T == S
        context = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=hide)
        return self.project(context.transpose(1, 2).flatten(2)), (k, v)


class FeedForward(nn.Module):
    """Each position by itself: W2 gelu(W1 x), with four times as many numbers in the middle."""

    def __init__(self, width: int):
        super().__init__()
        self.widen = nn.Linear(width, 4 * width, bias=False)
        self.project = nn.Linear(4 * width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return W2 gelu(W1 x), (B, T, C)."""
        return self.project(functional.gelu(self.widen(x), approximate="tanh"))


class Block(nn.Module):
    """Attention, then the feed-forward network; each reads a normalised copy and adds to the stream."""

    def __init__(self, config: GPTConfig):
        super().__init__()
        self.norm_before_attention = nn.LayerNorm(config.width)
        self.attention = CausalSelfAttention(config)
        self.norm_before_feed_forward = nn.LayerNorm(config.width)
        self.feed_forward = FeedForward(config.width)

    def forward(self, x: Tensor, past: Cache | None = None) -> tuple[Tensor, Cache]:
        """Return the stream after this block, (B, T, C), and the block's keys and values."""
        gathered, cache = self.attention(self.norm_before_attention(x), past)
        x = x + gathered
        return x + self.feed_forward(self.norm_before_feed_forward(x)), cache


class GPT(nn.Module):
    """A decoder-only transformer with learned positions and tied embeddings."""

    def __init__(self, config: GPTConfig):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocabulary_size, config.width)
        self.position_embedding = nn.Embedding(config.context, config.width)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.final_norm = nn.LayerNorm(config.width)
        self.apply(self._initialise)

    def _initialise(self, module: nn.Module) -> None:
        """Small random weights; smaller still where 2L of them add to the stream, so that it does not swell."""
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, CausalSelfAttention | FeedForward):
            nn.init.normal_(module.project.weight, std=0.02 / (2 * self.config.layers) ** 0.5)

    def forward(self, ids: Tensor, past: list[Cache] | None = None) -> tuple[Tensor, list[Cache]]:
        """Return the logits of the token after each position, (B, T, V), and each layer's keys and values."""
        start = 0 if past is None else past[0][0].shape[2]
        positions = torch.arange(start, start + ids.shape[1])
        x = self.token_embedding(ids) + self.position_embedding(positions)  # (B, T, C)
        caches = []
        for layer, block in enumerate(self.blocks):
            x, cache = block(x, None if past is None else past[layer])
            caches.append(cache)
        return functional.linear(self.final_norm(x), self.token_embedding.weight), caches
