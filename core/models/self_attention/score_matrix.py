"""A matrix of attention scores by itself: typed by hand or taken from a trained head, edited cell by cell.

With Q = V = the identity and K = the scores transposed, Q K^T is the scores and the context is the weights, so that
a typed matrix runs through the very functions that a trained head runs through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import torch
from torch import Tensor

from core.models.self_attention.attention import (
    AttentionTrace,
    attend,
    bidirectional_mask,
    causal_mask,
    influence,
    padding_mask,
    sliding_window_mask,
)
from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.self_attention.peeking import SPOILED

CAUSAL, BIDIRECTIONAL, PADDING = "causal", "bidirectional", "padding"
CAUSAL_AND_PADDING, WINDOW, BOTH_SIDES = "causal_padding", "window", "both_sides"
MASKS = (CAUSAL, BIDIRECTIONAL, PADDING, CAUSAL_AND_PADDING, WINDOW, BOTH_SIDES)
ScoreEdits = dict[tuple[int, int], float]  # (row, column) -> score
FILLING = "⟨pad⟩"
SCORE_AT_MOST = 1000.0  # that can be written into a cell


@dataclass(frozen=True)
class ScoreMatrix:
    """Scores (T, T) of tokens; `ids` and `network` are of the GPT they come from, None where they were typed.

    The last `padding` tokens are filling. `place` is the head's layer and number, counted from nought.
    """

    tokens: tuple[str, ...]
    scores: Tensor
    d_k: int
    padding: int = 0
    name: str = ""
    place: tuple[int, int] = (0, 0)
    ids: Tensor | None = None
    network: GPT | None = None


def typed_matrix(tokens: Sequence[str], d_k: int, padding: int = 0) -> ScoreMatrix:
    """Return a matrix of scores of nought, to be filled in by hand.

    >>> typed_matrix(["a"], d_k=4, padding=1).tokens
    ('a', '⟨pad⟩')
    """
    T = len(tokens) + padding
    return ScoreMatrix((*tokens, *[FILLING] * padding), torch.zeros(T, T), d_k, padding)


def mask_of(kind: str, T: int, padding: int = 0, window: int = 1) -> Tensor:
    """Return the mask of a kind for T tokens, the last `padding` of which are filling, (T, T).

    >>> (mask_of(CAUSAL_AND_PADDING, 3, padding=1) == 0).int().tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 0]]
    """
    filling = padding_mask(torch.arange(T) < T - padding).expand(T, T)
    return {
        CAUSAL: causal_mask(T),
        BIDIRECTIONAL: bidirectional_mask(T),
        PADDING: filling,
        CAUSAL_AND_PADDING: causal_mask(T) + filling,
        WINDOW: sliding_window_mask(T, window),
        BOTH_SIDES: sliding_window_mask(T, window, causal=False),
    }[kind]


def head_scores(model: GPT, ids: Tensor, layer: int, head: int) -> Tensor:
    """Return q_t . k_s of one head of a trained GPT for all pairs of tokens (T, T), those the mask hides too."""
    return trace_gpt(model, ids).layers[layer].attention.scores[head]


def replace_scores(scores: Tensor, edits: ScoreEdits) -> Tensor:
    """Return the scores with some of them replaced; an edit outside the matrix is left out.

    >>> replace_scores(torch.zeros(2, 2), {(1, 0): 3.0, (5, 5): 1.0}).tolist()
    [[0.0, 0.0], [3.0, 0.0]]
    """
    edited, T = scores.clone(), len(scores)
    for (row, column), score in edits.items():
        if row < T and column < T:
            edited[row, column] = score
    return edited


def attend_by_scores(scores: Tensor, d_k: int, mask: Tensor, way: str | None = None) -> AttentionTrace:
    """Return every step from the scores (T, T) to the weights; `way`, of peeking.SPOILED, spoils the mask.

    >>> attend_by_scores(torch.zeros(2, 2), 4, causal_mask(2)).weights.tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    one_hot = torch.eye(len(scores), dtype=scores.dtype)
    return SPOILED.get(way, attend)(one_hot, scores.T, one_hot, 1 / sqrt(d_k), mask)


def weight_behind(weights: Tensor, hidden: Tensor) -> float:
    """Return the share of all weight (T, T) that stands where the mask hides: nought under a right mask.

    >>> weight_behind(torch.full((2, 2), 0.5), causal_mask(2) < 0)
    0.25
    """
    return (weights[hidden].sum() / weights.sum()).item()


def weights_influence(scores: Tensor, d_k: int, mask: Tensor, way: str | None = None) -> Tensor:
    """Return how much the output of each token depends on each token's key and value, (T, T), values one-hot.

    A token's key is here the column of scores that it gets.

    >>> weights_influence(torch.zeros(2, 2), 4, causal_mask(2))[0].tolist()
    [1.414..., 0.0]
    """
    one_hot = torch.eye(len(scores))
    x = torch.cat((scores.T, one_hot), dim=1).requires_grad_()  # what each token brings: its key, its value
    key, value = x.split(len(scores), dim=1)
    return influence(SPOILED.get(way, attend)(one_hot, key, value, 1 / sqrt(d_k), mask).context, x)


# Edits as an address holds them: "row column score; row column score", counted from 1


def text_of(edits: ScoreEdits) -> str:
    """Return edits as the address has them.

    >>> text_of({(1, 0): 3.5, (2, 1): -1.0})
    '2 1 3.5; 3 2 -1'
    """
    return "; ".join(f"{t + 1} {s + 1} {score:.12g}" for (t, s), score in sorted(edits.items()))


def edits_of(text: str) -> tuple[ScoreEdits, str]:
    """Return the edits that a text holds, and the parts of it that could not be read.

    >>> edits_of("2 1 3.5; 1 1 x; 0 1 2")
    ({(1, 0): 3.5}, '1 1 x; 0 1 2')
    """
    edits, unread = {}, []
    for part in filter(None, map(str.strip, text.replace("\N{MINUS SIGN}", "-").split(";"))):
        try:
            row, column, score = part.split()
            place, value = (int(row) - 1, int(column) - 1), float(score)
        except ValueError:
            unread.append(part)
            continue
        if min(place) < 0 or not abs(value) <= SCORE_AT_MOST:
            unread.append(part)
        else:
            edits[place] = value
    return edits, "; ".join(unread)[:200]
