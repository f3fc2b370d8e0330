"""Attention with a piece removed: the same weight for every word, or eyes that rest one word too far right.

    uniform    e_ts = 0             so that a_ts = 1/S: the context is the mean of all encoder states
    late       e_ts = e_t,s-1       the weight that a word should have goes to the one after it

Each function returns a new model with the trained arrays; the model that it is given stays as it is.
"""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import Tensor, nn

from core.models.translation.seq2seq import Seq2Seq


class UniformScore(nn.Module):
    """A score that is 0 for every input word."""

    kind = "0 for every word"

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Return zeros (B, T, S) for queries (B, T, H) and keys (B, S, H)."""
        return query.new_zeros(len(query), query.shape[1], key.shape[1])


class LateScore(nn.Module):
    """The score of the word before; the first word keeps its own."""

    kind = "the score of the word before"

    def __init__(self, score: nn.Module):
        super().__init__()
        self.score = score

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Return scores (B, T, S) moved one input word to the right."""
        scores = self.score(query, key)
        return torch.cat((scores[..., :1], scores[..., :-1]), -1)


def with_uniform_attention(model: Seq2Seq) -> Seq2Seq:
    """Return the model with a_ts = 1/S whatever the states say.

    >>> from core.models.translation.seq2seq import Seq2SeqConfig
    >>> broken = with_uniform_attention(Seq2Seq(Seq2SeqConfig(9, 9, 4, 4)))
    >>> broken(torch.tensor([[5, 6, 7, 8]]), torch.tensor([[1]])).weights.tolist()
    [[[0.25, 0.25, 0.25, 0.25]]]
    """
    return _with_score(model, UniformScore())


def with_late_attention(model: Seq2Seq) -> Seq2Seq:
    """Return the model that looks one word to the right of where it was trained to look."""
    return _with_score(model, LateScore(deepcopy(model.score)))


def _with_score(model: Seq2Seq, score: nn.Module) -> Seq2Seq:
    broken = deepcopy(model)
    broken.score = score
    return broken
