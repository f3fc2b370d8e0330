r"""Copying from the context: does a model foretell what it has read before, and which head looks it up?

    x = r r                    random tokens r_1 .. r_T, the same again: nothing but the first half foretells the second
    loss of place t            -log2 p(x_t | x_1 .. x_(t-1)), in bits
    head's score               the mean weight, from each token of the second half, on the token AFTER the same one before

An induction head looks there: it finds the last time that this token was read and hands on what followed. Its score is
near 1; a head that looks at all n places alike has 1 / n.

Sources: Elhage et al. (2021), A Mathematical Framework for Transformer Circuits; Olsson et al. (2022), In-context
Learning and Induction Heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from core.models.self_attention.ablation import Head, without_heads
from core.models.self_attention.attentive_models import AttentiveModel
from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.transformers.copier import Copier

SEQUENCES = 16  # of random tokens, each given twice
SEED = 1
INDUCTION = 0.5  # from this mean weight on a head is called an induction head


@dataclass(frozen=True)
class Copying:
    """Bits of each token of the first and of the second half, (sequences, T), and each head's score, (L, H)."""

    first: np.ndarray
    second: np.ndarray
    scores: np.ndarray

    @property
    def best(self) -> Head:
        """The head with the highest score: layer and head, from 0."""
        layer, head = np.unravel_index(self.scores.argmax(), self.scores.shape)
        return int(layer), int(head)


def repeated(vocabulary_size: int, T: int, sequences: int = SEQUENCES, seed: int = SEED) -> Tensor:
    """Return sequences of T different tokens, drawn at random, each followed by itself, (sequences, 2 T).

    >>> x = repeated(vocabulary_size=9, T=3, sequences=2)
    >>> bool((x[:, :3] == x[:, 3:]).all()), len(set(x[0, :3].tolist()))
    (True, 3)
    """
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.stack([torch.randperm(vocabulary_size, generator=generator)[:T] for _ in range(sequences)])
    return drawn.repeat(1, 2)


def twice(model: AttentiveModel, ids: Sequence[int]) -> Tensor:
    """Return tokens given twice, the model's own mark before them, as a batch of one, (1, 1 + 2 T)."""
    return torch.tensor([[*model.before, *ids, *ids]])


def with_mark(model: AttentiveModel, x: Tensor) -> Tensor:
    """Return sequences with the model's own mark before each."""
    marks = torch.tensor(model.before, dtype=torch.long).expand(len(x), -1)
    return torch.cat((marks, x), dim=1)


@torch.no_grad()
def copying(network: GPT | Copier, x: Tensor) -> Copying:
    """Return how well a network foretells the second of two equal halves; x (sequences, 1 + 2 T) has a mark in front.

    The first token of the second half is left out: nothing says that it comes.
    """
    T = (x.shape[1] - 1) // 2
    logits = network(x)[0][:, :-1]
    flat = functional.cross_entropy(logits.flatten(0, 1).double(), x[:, 1:].flatten(), reduction="none")
    bits = (flat / log(2)).view(len(x), -1).numpy()  # (sequences, 2 T), of the tokens after the mark
    queries = torch.arange(T + 1, 2 * T)  # of the second half, all but the last: what follows is there
    by_sequence = [head_weights(network, ids)[:, :, queries, queries - T + 1].mean(-1).numpy() for ids in x]
    return Copying(bits[:, 1:T], bits[:, T + 1 :], np.mean(by_sequence, axis=0))


def head_weights(network: GPT | Copier, ids: Tensor) -> Tensor:
    """Return the attention weights of all heads that read `ids` (T,), (L, H, T, T)."""
    if isinstance(network, Copier):
        return torch.cat([layer.weights for layer in network(ids[None])[1]])
    return torch.stack([layer.attention.weights for layer in trace_gpt(network, ids).layers])


def looking_alike(T: int) -> float:
    """Return the score of a head that looks at all places it may see alike: the mean of 1 / (t + 1) over its queries.

    >>> looking_alike(3)  # queries at places 4 and 5, which see 5 and 6 places
    0.18333...
    """
    return float(np.mean([1 / (t + 1) for t in range(T + 1, 2 * T)]))


def copying_without(network: GPT | Copier, x: Tensor, heads: Sequence[Head]) -> Copying:
    """Return the same with some heads switched off."""
    return copying(without_heads(network, heads), x)
