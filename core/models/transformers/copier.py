r"""A transformer small enough to hold one circuit: two layers of attention alone, made to foretell what comes again.

    x = E                                                  a row for every token, of its embedding: no place is added
    x = x + attention(norm(x))                             in each of L layers; there is no feed-forward network
    attention   softmax(Q K^T / sqrt(d) + b + mask) V      b: what a head adds for the distance of two tokens
    logits = norm(x) U^T                                   U has a row for every token, and is not E

A token's copy in the first layer can carry the token before it along; a head of the second layer can then ask for "the
token that came after one like me". That is an induction head. With places instead of distances it is hard to learn: "one
back" must then be learned for each place anew.

Sources: Elhage et al. (2021), A Mathematical Framework for Transformer Circuits (two layers, attention only); Raffel et
al. (2020), section 2.1, for the number a head and distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

import torch
from torch import Tensor, nn

from core.models.fit_language_model import Fitting, next_token_loss
from core.models.self_attention.attention import AttentionTrace, causal_mask
from core.models.self_attention.attentive_models import AttentiveModel
from core.models.stored import load_card, load_json, load_weights
from core.models.stored_language_models import encode_characters
from core.models.stored_network import with_weights
from core.models.transformers.encoder_decoder import Attention

COPIER = "copier"  # its name in assets/models


@dataclass(frozen=True)
class CopierConfig:
    """The shape: V tokens, L layers of H heads, C numbers a token, the distance from which on all is equally far."""

    vocabulary_size: int
    layers: int = 2
    heads: int = 4
    width: int = 64
    farthest: int = 8


class CopierBlock(nn.Module):
    """Attention to itself and what came before; what it gathers is added to the stream."""

    def __init__(self, config: CopierConfig):
        super().__init__()
        self.norm_before_attention = nn.LayerNorm(config.width)
        self.attention = Attention(config.width, config.heads, config.farthest)

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, AttentionTrace]:
        """Return the stream after this block, (B, T, C), and its attention."""
        normed = self.norm_before_attention(x)
        gathered, trace = self.attention(normed, normed, mask)
        return x + gathered, trace


class Copier(nn.Module):
    """The transformer that copies. It reads a text of any length: no place has a number of its own."""

    def __init__(self, config: CopierConfig):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocabulary_size, config.width)
        self.blocks = nn.ModuleList(CopierBlock(config) for _ in range(config.layers))
        self.final_norm = nn.LayerNorm(config.width)
        self.output = nn.Linear(config.width, config.vocabulary_size, bias=False)

    def forward(self, ids: Tensor) -> tuple[Tensor, list[AttentionTrace]]:
        """Return the logits of the token after each of `ids` (B, T), (B, T, V), and each layer's attention."""
        x, traces = self.token_embedding(ids), []  # (B, T, C)
        mask = causal_mask(ids.shape[1])
        for block in self.blocks:
            x, trace = block(x, mask)
            traces.append(trace)
        return self.output(self.final_norm(x)), traces


@cache
def stored_copier() -> AttentiveModel:
    """Return the trained copier with its characters, ready to read; everybody shares it: never change it."""
    card, vocabulary = load_card(COPIER), tuple(load_json(COPIER, "vocabulary"))
    network = with_weights(Copier(CopierConfig(**card.config["shape"])), load_weights(COPIER))
    before = (vocabulary.index("\n"),)  # as the course's GPT of characters reads
    encode = partial(encode_characters, vocabulary)
    return AttentiveModel(COPIER, card.description, network, vocabulary, encode, before)


# What it is trained on


def repeating(vocabulary_size: int, sequences: int, T: int, generator: torch.Generator) -> Tensor:
    """Return runs of random tokens, each again and again until there are T, (sequences, T); how long a run is is drawn.

    >>> x = repeating(50, sequences=2, T=9, generator=torch.Generator().manual_seed(4))
    >>> x.shape, bool((x[:, 3:] == x[:, :-3]).all()), bool((x[:, 2:] == x[:, :-2]).all())
    (torch.Size([2, 9]), True, False)
    """
    length = int(torch.randint(T // 8, T // 2 + 1, (1,), generator=generator))
    run = torch.randint(vocabulary_size, (sequences, length), generator=generator)
    return run.repeat(1, -(-T // length))[:, :T]


class CopierFitting(Fitting):
    """A copier on its way down the loss of all tokens; the random ones of a first run can be foretold by nothing."""

    def loss(self) -> Tensor:
        """Return the mean of -ln p(x_t | x_1 .. x_(t-1)) in the step to come, in nats."""
        generator, config = torch.Generator().manual_seed(self.draw), self.config
        V = self.model.config.vocabulary_size
        x = repeating(V, config.batch, config.window + 1, generator)
        return next_token_loss(self.model, x[:, :-1], x[:, 1:])
