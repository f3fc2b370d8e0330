"""A pair of sentences as BERT reads it: one input, three vectors added at each place, one number for the pair.

    input       [CLS] a_1 .. a_m [SEP] b_1 .. b_n [SEP]         T = m + n + 3
    x_t         = E[token_t] + S[segment_t] + P[t]              (C,): token + segment + position
    h_1 .. h_T  = norm(blocks(x_1 .. x_T))                      every place may look at every other
    c           = tanh(W_p h_1 + b_p)                           the class vector, of the place of [CLS]
    p(is next)  = sigmoid(w c + b)

[CLS] means nothing by itself: it is a place at which the network may gather what concerns both sentences. [SEP] says
where one ends, the segment vectors which of the two a token belongs to. BERT has two outputs, "is next" and "not next",
and a softmax over them; that is the sigmoid of their difference, and one row of weights is enough.

Source: Devlin, Chang, Lee and Toutanova (2019), BERT: Pre-training of Deep Bidirectional Transformers, 3 and 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.self_attention.gpt_trace import LayerTrace, trace_block
from core.models.self_attention.masked_language_model import masked_network
from core.models.stored import load_json, load_weights
from core.models.stored_language_models import byte_pairs
from core.models.stored_network import with_weights
from core.models.tokens.byte_pairs import BytePairs

STORED = "sentence_pairs"
LONGEST = (
    24  # tokens of a sentence that are read: of the first its end, of the second its beginning, which meet
)
MARKS = ("<mask>", "[CLS]", "[SEP]")  # the last ids, in this order
WITHOUT_SEGMENTS = "one segment for both"
NEGATIVES = "pairs that do not follow"  # in the configuration of its recipe: the share of each kind
BREAKS = {  # how the input is changed to see what a piece of it is worth
    "no [SEP]": {"separated": False},
    WITHOUT_SEGMENTS: {"segments": (0, 0)},
    "segments swapped": {"segments": (1, 0)},
}


def read_of(a: Sequence[int], b: Sequence[int], longest: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return what is read of two sentences: the end of the first and the beginning of the second, where they meet.

    >>> read_of([1, 2, 3, 4], [5, 6, 7], longest=2)
    ([3, 4], [5, 6])
    """
    return a[-longest:], b[:longest]


@dataclass(frozen=True)
class PairInput:
    """A pair as the network is given it: ids (T,) and the segment of each, 0 or 1, (T,)."""

    ids: tuple[int, ...]
    segments: tuple[int, ...]


def pair_input(
    a: Sequence[int],
    b: Sequence[int],
    cls: int,
    sep: int,
    segments: tuple[int, int] = (0, 1),
    separated: bool = True,
) -> PairInput:
    """Return [CLS] a [SEP] b [SEP] with its segments; `segments` and `separated` are changed only to break it.

    >>> pair_input([7, 8], [9], cls=101, sep=102)
    PairInput(ids=(101, 7, 8, 102, 9, 102), segments=(0, 0, 0, 0, 1, 1))
    >>> pair_input([7, 8], [9], cls=101, sep=102, separated=False)
    PairInput(ids=(101, 7, 8, 9), segments=(0, 0, 0, 1))
    """
    end = [sep] if separated else []
    first, second = [cls, *a, *end], [*b, *end]
    of_each = [segments[0]] * len(first) + [segments[1]] * len(second)
    return PairInput((*first, *second), tuple(of_each))


class PairNetwork(nn.Module):
    """The masked model's transformer with segment vectors, a class vector, and one output for the pair."""

    def __init__(self, shape: dict):
        super().__init__()
        self.encoder = masked_network(shape)
        width = self.encoder.config.width
        self.segment_embedding = nn.Embedding(2, width)
        self.pool = nn.Linear(width, width)
        self.next_output = nn.Linear(width, 1)
        for weight in (self.segment_embedding.weight, self.pool.weight, self.next_output.weight):
            nn.init.normal_(weight, std=0.02)
        for bias in (self.pool.bias, self.next_output.bias):
            nn.init.zeros_(bias)

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        """Return what every place has become, h (B, T, C), of ids and segments (B, T)."""
        positions = self.encoder.position_embedding.weight[: ids.shape[1]]
        x = self.encoder.token_embedding(ids) + self.segment_embedding(segments) + positions  # (B, T, C)
        for block in self.encoder.blocks:
            x, _ = block(x)
        return self.encoder.final_norm(x)

    def class_vector(self, h: Tensor) -> Tensor:
        """Return c = tanh(W_p h_1 + b_p), (B, C), of h (B, T, C)."""
        return torch.tanh(self.pool(h[:, 0]))

    def next_logit(self, h: Tensor) -> Tensor:
        """Return w c + b, (B,): p(is next) is its sigmoid."""
        return self.next_output(self.class_vector(h))[:, 0]

    def token_logits(self, h: Tensor) -> Tensor:
        """Return h E^T, (..., V): what fits at each place, for the masked tokens."""
        return functional.linear(h, self.encoder.token_embedding.weight)


def longest_read(network: PairNetwork) -> int:
    """Return the most tokens of one sentence that a network reads; two of them and three marks are within its context."""
    return min(LONGEST, (network.encoder.config.context - 3) // 2)


@dataclass(frozen=True)
class PairTrace:
    """A reading with all its parts, from the three rows that are added to the one number that comes of them.

    `tokens`, `segments` and `positions` are (T, C), and their sum enters the first of the `layers`; `h` is (T, C), the
    class vector `c` (C,), and `logit` is w c + b.
    """

    pair: PairInput
    tokens: Tensor
    segments: Tensor
    positions: Tensor
    layers: tuple[LayerTrace, ...]
    h: Tensor
    c: Tensor
    logit: float

    @property
    def summed(self) -> Tensor:
        """x_1 .. x_T, what enters the first block, (T, C)."""
        return self.tokens + self.segments + self.positions

    @property
    def from_class(self) -> np.ndarray:
        """How much attention each head of each layer pays from [CLS] to each place, (L, H, T)."""
        return np.stack([layer.attention.weights[:, 0].numpy() for layer in self.layers])

    @property
    def p_next(self) -> float:
        """p(is next) = 1 / (1 + e^-logit)."""
        return float(1 / (1 + np.exp(-self.logit)))


@dataclass(frozen=True)
class SentencePairs:
    """A trained network with its byte pairs; <mask>, [CLS] and [SEP] are the last ids."""

    network: PairNetwork
    pairs: BytePairs

    @property
    def mask(self) -> int:
        """The id of <mask>."""
        return len(self.pairs)

    @property
    def cls(self) -> int:
        """The id of [CLS]."""
        return len(self.pairs) + 1

    @property
    def sep(self) -> int:
        """The id of [SEP]."""
        return len(self.pairs) + 2

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """Every token as it is shown, the marks last."""
        return (*self.pairs.tokens, *MARKS)

    def names(self, ids: Sequence[int]) -> list[str]:
        """Return the tokens of a pair as they are shown; the bytes of a character are named by it."""
        found, run = [], []
        for token in ids:
            if token < self.mask:
                run.append(token)
                continue
            found += [*self.pairs.names(run), self.vocabulary[token]]
            run = []
        return found + self.pairs.names(run)

    @property
    def longest(self) -> int:
        """The most tokens of one sentence that are read."""
        return longest_read(self.network)

    def read(self, a: str, b: str, segments: tuple[int, int] = (0, 1), separated: bool = True) -> PairInput:
        """Return two sentences as the network is given them; of a long one it reads at most `longest` tokens."""
        return self.read_ids(self.pairs.encode(a), self.pairs.encode(b), segments, separated)

    def read_ids(
        self, a: Sequence[int], b: Sequence[int], segments: tuple[int, int] = (0, 1), separated: bool = True
    ) -> PairInput:
        """Return two sentences' ids as the network is given them."""
        return pair_input(*read_of(a, b, self.longest), self.cls, self.sep, segments, separated)

    @torch.inference_mode()
    def p_next(self, pairs: Sequence[PairInput]) -> np.ndarray:
        """Return p(is next) of each pair, (n,)."""
        logits = [
            self.network.next_logit(self.network(torch.tensor([each.ids]), torch.tensor([each.segments])))
            for each in pairs
        ]
        return torch.cat(logits).double().sigmoid().numpy() if logits else np.zeros(0)

    @torch.no_grad()
    def trace(self, pair: PairInput) -> PairTrace:
        """Return everything that reading a pair computes."""
        encoder = self.network.encoder
        ids, segments = torch.tensor(pair.ids), torch.tensor(pair.segments)
        tokens, of_segments = encoder.token_embedding(ids), self.network.segment_embedding(segments)
        positions = encoder.position_embedding.weight[: len(ids)]
        stream, layers = tokens + of_segments + positions, []
        for block in encoder.blocks:
            layers.append(trace_block(block, stream, {}))
            stream = stream + layers[-1].gathered + layers[-1].fed_forward
        h = encoder.final_norm(stream)
        c = self.network.class_vector(h[None])
        logit = self.network.next_output(c).item()
        return PairTrace(pair, tokens, of_segments, positions, tuple(layers), h, c[0], logit)


@cache
def stored_sentence_pairs(name: str = STORED) -> SentencePairs:
    """Return the stored model of pairs. Raises FileNotFoundError when there is none of that name."""
    network = with_weights(PairNetwork(load_json(name, "encoder")), load_weights(name))
    return SentencePairs(network, byte_pairs(name))
