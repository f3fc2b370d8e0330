"""Why a head looks there: a score taken apart by what its key is made of, and the tokens that a query likes best.

    x_s = token_s + place_s + added_s          the stream that the layer reads; added: by the layers before
    k_s = W_k norm(x_s) = W_k (gain * (x_s - mean x_s) / sd_s + shift)
    q_t . k_s / sqrt(d) = token part + place part + added part + a part that is the same for every key

With sd_s as it is, the norm is linear in x_s, so that the four parts add up to the score exactly.

Source: the streams as sums after Elhage et al. (2021), A Mathematical Framework for Transformer Circuits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.models.self_attention.ablation import windows
from core.models.self_attention.attentive_models import AttentiveModel
from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import GPTTrace

PARTS = ("the token itself", "its place", "what the layers before added")


@dataclass(frozen=True)
class ScoreParts:
    """One query's scaled scores by part of the key: `parts` (3, T) in the order of PARTS; `shift`, alike for all."""

    parts: np.ndarray
    shift: float

    @property
    def scores(self) -> np.ndarray:
        """The scaled scores themselves, (T,)."""
        return self.parts.sum(0) + self.shift

    def lead(self, key: int, seen: Sequence[int]) -> np.ndarray:
        """Return by how much a key's parts are above the mean of the other seen keys, (3,); nought if there is none.

        >>> ScoreParts(np.array([[1.0, 4.0], [0.0, 2.0], [0.0, 0.0]]), 0.5).lead(1, [0, 1]).tolist()
        [3.0, 2.0, 0.0]
        """
        others = [s for s in seen if s != key]
        return self.parts[:, key] - self.parts[:, others].mean(1) if others else np.zeros(len(self.parts))


@torch.no_grad()
def score_parts(network: GPT, trace: GPTTrace, layer: int, head: int, query: int) -> ScoreParts:
    """Return the scaled scores of one query of a head, taken apart by what the keys are made of."""
    block, read = network.blocks[layer], trace.layers[layer]
    norm, attention = block.norm_before_attention, block.attention
    C = read.stream.shape[-1]
    d = C // attention.heads
    start = C + head * d  # queries come first, then keys
    to_key = attention.to_query_key_value.weight[start : start + d]
    q = read.attention.query[head, query] / d**0.5
    sd = (read.stream.var(-1, unbiased=False, keepdim=True) + norm.eps).sqrt()

    def part(x: Tensor) -> Tensor:
        return (norm.weight * (x - x.mean(-1, keepdim=True)) / sd) @ to_key.T @ q

    added = read.stream - trace.tokens - trace.positions
    parts = torch.stack([part(x) for x in (trace.tokens, trace.positions, added)])
    return ScoreParts(parts.double().numpy(), float((to_key @ norm.bias) @ q))


def keys_of_text(model: AttentiveModel, text: str, layer: int, head: int) -> tuple[list[int], np.ndarray]:
    """Return the ids of a text's first tokens, as many as the model reads at once, and a head's keys there, (n, d).

    The model's own marks are left out.
    """
    runs = windows(model, text, 1)
    if not runs:
        return [], np.zeros((0, 1))
    inner = slice(len(model.before), len(runs[0]) - len(model.after))
    keys = model.trace(runs[0]).layers[layer].attention.key[head]
    return runs[0][inner].tolist(), keys[inner].numpy()


@dataclass(frozen=True)
class Liked:
    """A token of a text: its id, the mean of the scaled scores that its keys get, and how often it stands there."""

    token: int
    score: float
    times: int


def liked_tokens(query: np.ndarray, keys: np.ndarray, ids: Sequence[int]) -> list[Liked]:
    """Return the different tokens of a text, those whose keys (T, d) a query (d,) scores highest first.

    >>> liked_tokens(np.array([2.0]), np.array([[1.0], [3.0], [5.0]]), [7, 8, 7])
    [Liked(token=7, score=6.0, times=2), Liked(token=8, score=6.0, times=1)]
    """
    scores = keys @ query / len(query) ** 0.5
    tokens, kind, times = np.unique(ids, return_inverse=True, return_counts=True)
    means = np.bincount(kind, scores) / times
    order = np.argsort(-means, kind="stable")
    return [Liked(int(tokens[i]), float(means[i]), int(times[i])) for i in order]
