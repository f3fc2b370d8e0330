"""What a piece of a trained model is worth: take it out and measure what changes.

    bits of a token = -log2 p(token | what the model may see)
    change of a prediction = 1/2 sum_w |p(w) - q(w)|          total variation: 0, nothing moved; 1, all of it

Sources: Michel, Levy and Neubig (2019), Are Sixteen Heads Really Better than One?; Jain and Wallace (2019),
Attention is not Explanation; Wiegreffe and Pinter (2019), Attention is not not Explanation.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, replace
from math import log, sqrt

import numpy as np
import torch
from scipy.stats import rankdata, spearmanr
from torch import Tensor, nn
from torch.nn import functional

from core.models.self_attention.attentive_models import AttentiveModel
from core.models.self_attention.gpt import GPT

READINGS = 8  # a masked model reads a text so often, an eighth of its tokens hidden each time
AT_ONCE = 16  # texts read together: their logits, T V numbers each, must fit in memory
CHARACTERS = 16  # encoded for each token wanted, more than tokens have: a book is not read for its first page

Head = tuple[int, int]  # layer, head


def without_scaling(network: nn.Module) -> nn.Module:
    """Return a copy whose scores are not divided by sqrt(d): its queries are sqrt(d) times as long."""
    changed = deepcopy(network)
    for block in changed.blocks:
        attention = block.attention
        C = attention.project.in_features
        for parameter in attention.to_query_key_value.parameters():
            parameter.data[:C] *= sqrt(C / attention.heads)
    return changed


def without_heads(network: nn.Module, heads: Iterable[Head]) -> nn.Module:
    """Return a copy in which some heads add nothing: the columns that project their context are nought."""
    changed = deepcopy(network)
    for layer, head in heads:
        attention = changed.blocks[layer].attention
        d = attention.project.in_features // attention.heads
        attention.project.weight.data[:, head * d : (head + 1) * d] = 0.0
    return changed


def without_queries(network: nn.Module, heads: Iterable[Head]) -> nn.Module:
    """Return a copy in which some heads ask nothing: queries and scores are nought, so all weights are alike."""
    changed = deepcopy(network)
    for layer, head in heads:
        attention = changed.blocks[layer].attention
        d = attention.project.in_features // attention.heads
        for parameter in attention.to_query_key_value.parameters():
            parameter.data[head * d : (head + 1) * d] = 0.0
    return changed


def asked(model: AttentiveModel, head: Head, broken: bool) -> AttentiveModel:
    """Return the model, or if `broken` one in which a head asks nothing and so looks everywhere alike."""
    return replace(model, network=without_queries(model.network, [head])) if broken else model


@torch.no_grad()
def ablated_token_bits(model: AttentiveModel, ids: Tensor, network: GPT | None = None) -> np.ndarray:
    """Return -log2 p of each token of `ids`, read with another network of the same shape if one is given.

    A causal model predicts each token but the first from those before it, (T - 1,). A masked model predicts each
    while it and every eighth other token is hidden, (T,).
    """
    network = network or model.network
    if model.causal:
        logits, answers = network(ids[None])[0][0, :-1], ids[1:]
    else:
        turns = min(READINGS, len(ids))
        hidden = torch.arange(len(ids)) % turns == torch.arange(turns)[:, None]  # (turns, T)
        shown = ids.repeat(turns, 1).masked_fill(hidden, model.mask)
        everything, answers = network(shown)[0], ids  # (turns, T, V)
        logits = everything[torch.arange(len(ids)) % turns, torch.arange(len(ids))]
    return (functional.cross_entropy(logits.double(), answers, reduction="none") / log(2)).numpy()


def mean_bits(model: AttentiveModel, texts: Iterable[Tensor], network: GPT | None = None) -> float:
    """Return the mean bits a token over several texts; nought when there is no token to predict."""
    bits = [ablated_token_bits(model, ids, network) for ids in texts if len(ids)]
    together = np.concatenate(bits) if bits else np.zeros(0)
    return float(together.mean()) if len(together) else 0.0


@dataclass(frozen=True)
class HeadRanking:
    """Mean bits a token with all heads, and with one of them switched off, (L, H)."""

    whole: float
    without: np.ndarray

    @property
    def cost(self) -> np.ndarray:
        """How many bits a token each head saves, (L, H); below nought, the model does better without it."""
        return self.without - self.whole


def head_names(model: AttentiveModel) -> dict[str, Head]:
    """Return every head by its name, as in 2.1 for layer 2, head 1."""
    config = model.network.config
    return {f"{L + 1}.{H + 1}": (L, H) for L in range(config.layers) for H in range(config.heads)}


def rank_heads(model: AttentiveModel, texts: list[Tensor]) -> HeadRanking:
    """Return what switching off each head does to the model's bits on some texts."""
    config = model.network.config
    without = [
        [
            mean_bits(model, texts, without_heads(model.network, [(layer, head)]))
            for head in range(config.heads)
        ]
        for layer in range(config.layers)
    ]
    return HeadRanking(mean_bits(model, texts), np.array(without))


def windows(model: AttentiveModel, text: str, most: int) -> list[Tensor]:
    """Return a text's tokens in up to `most` runs that fill the model's context, its marks around each."""
    room = model.context - len(model.before) - len(model.after)
    ids = model.encode(text[: CHARACTERS * most * room]).ids[: most * room]
    runs = [ids[start : start + room] for start in range(0, len(ids), room)]
    return [torch.tensor((*model.before, *run, *model.after)) for run in runs]


def first_runs(model: AttentiveModel, text: str, most: int) -> list[Tensor]:
    """Return the first `most` tokens of a text in runs that the model reads at once."""
    return [ids[:most] for ids in windows(model, text, max(1, most // model.context))]


@torch.no_grad()
def prediction(model: AttentiveModel, ids: Tensor, place: int) -> np.ndarray:
    """Return p of the next token after `place`, or for a masked model of the token at it, (V,)."""
    return model.network(model.shown(ids, place)[None])[0][0, place].double().softmax(-1).numpy()


def total_variation(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return 1/2 sum |p - q| over the last axis.

    >>> float(total_variation(np.array([0.5, 0.5, 0.0]), np.array([0.0, 0.5, 0.5])))
    0.5
    """
    return np.abs(p - q).sum(-1) / 2


@torch.no_grad()
def removal_changes(model: AttentiveModel, ids: Tensor, place: int, most: int | None = None) -> np.ndarray:
    """Return how much the prediction at `place` changes when each token is deleted from the text, (T,).

    The tokens after a deleted one move up. Where deleting is no question (the token at `place`, and for a causal
    model those after it) stands nan; also beyond the `most` tokens nearest to `place`, if so bounded.
    """
    n = place + 1 if model.causal else len(ids)
    nearest = sorted((s for s in range(n) if s != place), key=lambda s: abs(s - place))[:most]
    shown, others = model.shown(ids, place)[:n], sorted(nearest)
    changes = np.full(len(ids), np.nan)
    if not others:
        return changes
    shorter = torch.stack([torch.cat((shown[:s], shown[s + 1 :])) for s in others])  # (deleted, n - 1)
    where = torch.tensor([place - (s < place) for s in others])
    parts = zip(shorter.split(AT_ONCE), where.split(AT_ONCE), strict=True)
    same = others[0] if model.causal else 0  # what stands before every deleted token is read once
    logits = torch.cat([after(model.network, part, same)[range(len(part)), at - same] for part, at in parts])
    p = logits.double().softmax(-1).numpy()  # (deleted, V)
    changes[others] = total_variation(p, prediction(model, ids, place))
    return changes


def after(network: GPT, texts: Tensor, same: int) -> Tensor:
    """Return the logits of texts (B, T) from place `same` on, before which they are alike, (B, T - same, V)."""
    if not same:
        return network(texts)[0]
    _, caches = network(texts[:1, :same])
    past = [tuple(part.expand(len(texts), -1, -1, -1) for part in cache) for cache in caches]
    return network(texts[:, same:], past)[0]


def rank_correlation(weights: np.ndarray, changes: np.ndarray) -> float:
    """Return Spearman's correlation of weights and changes where both are known; nan when it says nothing.

    >>> rank_correlation(np.array([0.1, 0.7, 0.2, 0.0]), np.array([0.2, 0.9, 0.3, np.nan]))
    1.0
    """
    known = ~(np.isnan(weights) | np.isnan(changes))
    x, y = weights[known], changes[known]
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(spearmanr(x, y).statistic)


def rank_correlations(weights: np.ndarray, changes: np.ndarray) -> np.ndarray:
    """Return the rank correlation of every head's weights (L, H, T) with the changes, (L, H); nan where unknown."""
    known = ~np.isnan(changes)
    if known.sum() < 3:
        return np.full(weights.shape[:-1], np.nan)
    x, y = (rankdata(each[..., known], axis=-1) for each in (weights, changes))  # (L, H, T), (T,)
    x, y = x - x.mean(-1, keepdims=True), y - y.mean()
    with np.errstate(invalid="ignore"):  # 0 / 0 where all weights, or all changes, are alike
        return (x @ y) / (np.linalg.norm(x, axis=-1) * np.linalg.norm(y))


def likeness(x: np.ndarray, y: np.ndarray) -> float:
    """Return the cosine of two texts' vectors.

    >>> likeness(np.array([1.0, 0.0]), np.array([3.0, 4.0]))
    0.6
    """
    return float(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))
