"""The transformer as it was first published: an encoder reads a sentence, a decoder writes its translation.

    encoder, each of L blocks     x = x + attention(norm(x), norm(x));   x = x + feed_forward(norm(x))
    memory                        m = norm(x)                            a row for every input word
    decoder, each of L blocks     y = y + attention(norm(y), norm(y))    masked: no word sees a later one
                                  y = y + attention(norm(y), m)          cross-attention: queries y, keys and values m
                                  y = y + feed_forward(norm(y))
    output                        p(y_t | y_<t, x) = softmax(norm(y) E^T)     E is the target embedding, used twice
    attention                     softmax(Q K^T / sqrt(d) + b + mask) V, a head
    distance                      b_ts = table[s - t], cut off at ±K: how near, not where
    distance, cross-attention     b_ts = table[s - t], cut off at ±K': s is an input place, t an output place

Sources: Vaswani et al. (2017), Attention Is All You Need; with the norm before each part (Xiong et al. 2020) and a
learned number a head and distance in place of sinusoids (Shaw et al. 2018, section 3.2, for the cut-off; Raffel et al.
2020, section 2.1, for the scalar), so that a sentence longer than any trained on has no place that was never seen. The
numbers begin with a fall of their own a head (Press et al. 2022, Train Short, Test Long) and are learned from there.
None of them has it in cross-attention. There it tells two like phrases of the input apart: by content alone their
words score alike, and the decoder that writes the second may go back to the first.
Shapes: B sentences, S input words, T output words, H heads, C numbers a word, d = C / H.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.self_attention.attention import (
    AttentionTrace,
    attend,
    causal_mask,
    concatenate_heads,
    padding_mask,
    split_heads,
)
from core.models.self_attention.gpt import FeedForward
from core.models.translation.seq2seq import PADDING


@dataclass(frozen=True)
class EncoderDecoderConfig:
    """The shape: words on either side, blocks on either side, H heads, C numbers a word, K and K', the farthest distances.

    K', `cross_farthest`, is that of cross-attention: 0 where distance plays no part in it.
    """

    source_words: int
    target_words: int
    encoder_layers: int = 2
    decoder_layers: int = 3
    heads: int = 4
    width: int = 128
    farthest: int = 16
    cross_farthest: int = 0


@dataclass(frozen=True)
class Encoded:
    """What the encoder leaves: `memory` (B, S, C), `mask` (B, 1, 1, S), -inf on padding, and each block's attention."""

    memory: Tensor
    mask: Tensor
    attention: list[AttentionTrace]


@dataclass(frozen=True)
class Decoded:
    """What the decoder says after each word: `logits` (B, T, V); each block's self-attention and cross-attention."""

    logits: Tensor
    attention: list[AttentionTrace]
    cross: list[AttentionTrace]


class Added(NamedTuple):
    """What the three parts of a decoder block add to the stream, each (B, T, C)."""

    attention: Tensor
    cross: Tensor
    feed_forward: Tensor


def clipped_distance(T: int, S: int, farthest: int) -> Tensor:
    """Return s - t of every query t and key s, at most `farthest` to either side, counted from 0, (T, S).

    >>> clipped_distance(4, 4, farthest=2).tolist()
    [[2, 3, 4, 4], [1, 2, 3, 4], [0, 1, 2, 3], [0, 0, 1, 2]]
    >>> clipped_distance(2, 3, farthest=9).tolist()
    [[9, 10, 11], [8, 9, 10]]
    """
    return (torch.arange(S)[None, :] - torch.arange(T)[:, None]).clamp(-farthest, farthest) + farthest


class Attention(nn.Module):
    """H heads gather from `memory` what each position of `x` asks for; `farthest` is 0 where distance plays no part."""

    def __init__(self, width: int, heads: int, farthest: int = 0):
        super().__init__()
        self.heads, self.farthest = heads, farthest
        self.to_query, self.to_key, self.to_value, self.project = (
            nn.Linear(width, width, bias=False) for _ in range(4)
        )
        if farthest:
            self.distance_embedding = nn.Embedding(2 * farthest + 1, heads)

    def bias(self, T: int, S: int) -> Tensor:
        """Return what is added to the score of every query t and key s for their distance alone, (H, T, S)."""
        return self.distance_embedding(clipped_distance(T, S, self.farthest)).permute(2, 0, 1)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> tuple[Tensor, AttentionTrace]:
        """Return what each position gathered, (B, T, C), and the heads' trace, (B, H, T, S)."""
        Q = split_heads(self.to_query(x), self.heads)  # (B, H, T, d)
        K = split_heads(self.to_key(memory), self.heads)  # (B, H, S, d)
        V = split_heads(self.to_value(memory), self.heads)
        added = mask + self.bias(x.shape[1], memory.shape[1]) if self.farthest else mask
        trace = attend(Q, K, V, 1 / sqrt(Q.shape[-1]), added)
        return self.project(concatenate_heads(trace.context)), trace


class EncoderBlock(nn.Module):
    """Self-attention over the whole sentence, then the feed-forward network; each adds to the stream."""

    def __init__(self, config: EncoderDecoderConfig):
        super().__init__()
        self.norm_before_attention = nn.LayerNorm(config.width)
        self.attention = Attention(config.width, config.heads, config.farthest)
        self.norm_before_feed_forward = nn.LayerNorm(config.width)
        self.feed_forward = FeedForward(config.width)

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, AttentionTrace]:
        """Return the stream after this block, (B, S, C), and its attention."""
        normed = self.norm_before_attention(x)
        gathered, trace = self.attention(normed, normed, mask)
        x = x + gathered
        return x + self.feed_forward(self.norm_before_feed_forward(x)), trace


class DecoderBlock(nn.Module):
    """Masked self-attention over what is written, cross-attention to the memory, then the feed-forward network."""

    def __init__(self, config: EncoderDecoderConfig):
        super().__init__()
        self.norm_before_attention = nn.LayerNorm(config.width)
        self.attention = Attention(config.width, config.heads, config.farthest)
        self.norm_before_cross_attention = nn.LayerNorm(config.width)
        self.cross_attention = Attention(config.width, config.heads, config.cross_farthest)
        self.norm_before_feed_forward = nn.LayerNorm(config.width)
        self.feed_forward = FeedForward(config.width)

    def added(
        self, y: Tensor, mask: Tensor, encoded: Encoded
    ) -> tuple[Added, AttentionTrace, AttentionTrace]:
        """Return what each part adds to the stream y, with the traces of self-attention and cross-attention."""
        normed = self.norm_before_attention(y)
        own, own_trace = self.attention(normed, normed, mask)
        cross, cross_trace = self.cross_attention(
            self.norm_before_cross_attention(y + own), encoded.memory, encoded.mask
        )
        fed = self.feed_forward(self.norm_before_feed_forward(y + own + cross))
        return Added(own, cross, fed), own_trace, cross_trace

    def forward(
        self, y: Tensor, mask: Tensor, encoded: Encoded
    ) -> tuple[Tensor, AttentionTrace, AttentionTrace]:
        """Return the stream after this block, (B, T, C), its self-attention and its cross-attention."""
        added, *traces = self.added(y, mask, encoded)
        return y + added.attention + added.cross + added.feed_forward, *traces


class EncoderDecoder(nn.Module):
    """The transformer. It keeps nothing of a sentence: `encode` and `decode` return all they computed."""

    def __init__(self, config: EncoderDecoderConfig):
        super().__init__()
        self.config = config
        self.source_embedding = nn.Embedding(config.source_words, config.width)
        self.target_embedding = nn.Embedding(config.target_words, config.width)
        self.encoder = nn.ModuleList(EncoderBlock(config) for _ in range(config.encoder_layers))
        self.encoder_norm = nn.LayerNorm(config.width)
        self.decoder = nn.ModuleList(DecoderBlock(config) for _ in range(config.decoder_layers))
        self.decoder_norm = nn.LayerNorm(config.width)
        self.apply(self._initialise)

    def _initialise(self, module: nn.Module) -> None:
        """Small random weights, smaller still where many add to the stream; heads begin with distances they prefer.

        Head h = 0, 1 .. begins with table[r] = N(0, 1) - |r| / 2^h: what is far counts less from the first step on, also at
        distances that hardly a training sentence has, of which training alone would teach a head little.
        """
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02 if isinstance(module, nn.Linear) else 0.1)
        if isinstance(module, Attention) and module.farthest:
            distance = torch.arange(-module.farthest, module.farthest + 1).abs()[:, None]  # |r|, (2K + 1, 1)
            begin = -distance * 0.5 ** torch.arange(module.heads)  # (2K + 1, H)
            module.distance_embedding.weight.data.copy_(torch.randn_like(begin) + begin)
        if isinstance(module, Attention | FeedForward):
            adds = 2 * self.config.encoder_layers + 3 * self.config.decoder_layers
            nn.init.normal_(module.project.weight, std=0.02 / adds**0.5)

    def encode(self, source: Tensor) -> Encoded:
        """Read the input words, ids (B, S) with 0 as padding at the end."""
        x, traces = self.source_embedding(source), []  # (B, S, C)
        mask = padding_mask(source != PADDING)[:, None]  # (B, 1, 1, S)
        for block in self.encoder:
            x, trace = block(x, mask)
            traces.append(trace)
        return Encoded(self.encoder_norm(x), mask, traces)

    def own_mask(self, T: int) -> Tensor:
        """Return what hides from each written word the words after it, (T, T)."""
        return causal_mask(T)

    def decode(self, previous: Tensor, encoded: Encoded) -> Decoded:
        """Return the logits of the word after each of `previous`, ids (B, T) that begin with <start>."""
        y, own, cross = self.target_embedding(previous), [], []  # (B, T, C)
        mask = self.own_mask(previous.shape[1])
        for block in self.decoder:
            y, *traces = block(y, mask, encoded)
            own.append(traces[0])
            cross.append(traces[1])
        return Decoded(functional.linear(self.decoder_norm(y), self.target_embedding.weight), own, cross)

    def forward(self, source: Tensor, previous: Tensor) -> Decoded:
        """Return all the decoder says of `source` (B, S) when the words before each are `previous` (B, T)."""
        return self.decode(previous, self.encode(source))
