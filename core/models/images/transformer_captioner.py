"""A transformer's decoder that describes a picture: every block looks at the words written, then at the patches.

    y   = E y_{<t}                                          embeddings of <start> and the words so far
    y   = y + attention(norm(y), norm(y))                   masked: no word sees a later one
    y   = y + attention(norm(y), h̄)                         cross-attention: queries y, keys and values the patches
    y   = y + feed_forward(norm(y))                         in each of L blocks
    p(y_t | y_<t, picture) = softmax(norm(y) E^T)

The blocks are the translating transformer's; the memory is a picture's states in place of a sentence's.

Sources: Vaswani et al. (2017), Attention Is All You Need; Cornia et al. (2020), Meshed-Memory Transformer for Image
Captioning, for a transformer that describes pictures.
Shapes: B pictures, N patches, T words, L blocks, H heads, C numbers a state, V words in the vocabulary.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.images.captioner import CaptionerConfig, Described
from core.models.images.picture_encoder import PictureEncoder
from core.models.self_attention.attention import causal_mask
from core.models.transformers.encoder_decoder import DecoderBlock, Encoded, EncoderDecoderConfig


class TransformerCaptioner(nn.Module):
    """The encoder and the transformer's decoder; it keeps nothing of a picture."""

    def __init__(self, config: CaptionerConfig):
        super().__init__()
        self.config = config
        self.encoder = PictureEncoder(config.side, config.width)
        self.target_embedding = nn.Embedding(config.words, config.width)
        nn.init.normal_(self.target_embedding.weight, std=0.1)
        block = EncoderDecoderConfig(0, config.words, 0, config.layers, config.heads, config.width)
        self.decoder = nn.ModuleList(DecoderBlock(block) for _ in range(config.layers))
        self.decoder_norm = nn.LayerNorm(config.width)

    def encode(self, pictures: Tensor) -> Tensor:
        """Return the states h̄ of pictures (B, 3, S, S), (B, N, C)."""
        return self.encoder(pictures)

    def decode(self, previous: Tensor, states: Tensor) -> Described:
        """Return what is said after each of the words `previous`, ids (B, T) that begin with <start>."""
        y, cross = self.target_embedding(previous), []  # (B, T, C)
        mask, memory = causal_mask(previous.shape[1]), Encoded(states, torch.zeros(()), [])
        for block in self.decoder:
            y, _, trace = block(y, mask, memory)
            cross.append(trace.weights)  # (B, H, T, N)
        logits = functional.linear(self.decoder_norm(y), self.target_embedding.weight)
        return Described(logits, torch.stack(cross, 1))

    def forward(self, pictures: Tensor, previous: Tensor) -> Described:
        """Return all the decoder says of `pictures` when the words before each are `previous`."""
        return self.decode(previous, self.encode(pictures))
