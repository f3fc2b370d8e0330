"""What a head tends to attend to: the first token, the one before, itself, an equal one; and how widely it attends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from core.models.self_attention.attentive_models import attentive_model

FIRST, BEFORE, ITSELF = "on the first token", "on the token before", "on itself"
ENTROPY = "entropy, bits"


@dataclass(frozen=True)
class Habits:
    """Means over all queries but the first, one number a head, (H,): three weights, and the entropy in bits."""

    first: Tensor
    previous: Tensor
    itself: Tensor
    entropy: Tensor


def habits(weights: Tensor) -> Habits:
    """Return the habits of H heads from their weights (H, T, T); nan for a text of a single token.

    The entropy of a row, -sum_s w_s log2 w_s, is 0 bits for one key alone and log2 n for n keys alike.

    >>> habits(torch.tensor([[[1.0, 0.0, 0.0], [0.75, 0.25, 0.0], [0.0, 0.5, 0.5]]]))
    Habits(first=tensor([0.3750]), previous=tensor([0.6250]), itself=tensor([0.3750]), entropy=tensor([0.9056]))
    """
    rows = weights[:, 1:]
    entropy = -(torch.special.xlogy(rows, rows)).sum(-1) / torch.log(torch.tensor(2.0))
    previous, itself = (rows.diagonal(offset, dim1=-2, dim2=-1) for offset in (0, 1))
    return Habits(*(numbers.mean(-1) for numbers in (rows[:, :, 0], previous, itself, entropy)))


def every_head(layers: Iterable[Tensor]) -> list[dict[str, float]]:
    """Return the habits of every head of every layer (H, T, T), one row a head, layers and heads counted from 1."""
    rows = []
    for layer, weights in enumerate(layers, start=1):
        found = habits(weights)
        columns = {FIRST: found.first, BEFORE: found.previous, ITSELF: found.itself, ENTROPY: found.entropy}
        for head in range(len(weights)):
            row = {name: float(numbers[head]) for name, numbers in columns.items()}
            rows.append({"layer": layer, "head": head + 1, **row})
    return rows


@cache
def head_that_most(name: str, habit: str, text: str) -> tuple[int, int]:
    """Return the (layer, head) of a model with the largest mean of a habit on a text."""
    model = attentive_model(name)
    layers = model.trace(model.read(text).ids).layers
    row = max(every_head(layer.attention.weights for layer in layers), key=lambda row: row[habit])
    return row["layer"] - 1, row["head"] - 1


# Where a head attends, against a head that attends to all tokens equally. Each pattern is a matrix (T, T) of the keys meant.


def token_before(ids: Tensor) -> Tensor:
    """Return for each query (row) the token before it, (T, T).

    >>> token_before(torch.tensor([7, 8])).int().tolist()
    [[0, 0], [1, 0]]
    """
    return torch.ones(len(ids), len(ids), dtype=torch.bool).tril(-1).triu(-1)


def equal_tokens(ids: Tensor) -> Tensor:
    """Return for each query the equal tokens up to itself, where there is an earlier one, (T, T).

    >>> equal_tokens(torch.tensor([7, 8, 7])).int().tolist()
    [[0, 0, 0], [0, 0, 0], [1, 0, 1]]
    """
    equal = (ids[:, None] == ids[None, :]).tril()
    return equal & (equal.sum(1, keepdim=True) > 1)


def followers(ids: Tensor) -> Tensor:
    """Return for each query the tokens that followed an earlier equal one: where an induction head attends, (T, T).

    >>> followers(torch.tensor([7, 8, 7])).int().tolist()
    [[0, 0, 0], [0, 0, 0], [0, 1, 0]]
    """
    equal = (ids[:, None] == ids[None, :]).tril(-1)
    return torch.nn.functional.pad(equal[:, :-1], (1, 0))


@dataclass(frozen=True)
class PatternShare:
    """The mean weight on a pattern's keys, for heads (H,) and for equal attention, over `queries` that have such keys."""

    heads: Tensor
    chance: float
    queries: int


def pattern_share(pattern: Callable[[Tensor], Tensor], read: Sequence[tuple[Tensor, Tensor]]) -> PatternShare:
    """Return how much weight heads put on a pattern's keys, over texts of ids (T,) and causal weights (H, T, T).

    >>> weights = torch.tensor([[[1.0, 0.0], [0.75, 0.25]]])
    >>> pattern_share(token_before, [(torch.tensor([7, 8]), weights)])
    PatternShare(heads=tensor([0.7500]), chance=0.5, queries=1)
    """
    rows, chance = [], []
    for ids, weights in read:
        keys = pattern(ids)
        asked = keys.any(1)
        rows.append((weights * keys).sum(-1)[:, asked])  # (H, queries)
        chance.append((keys.sum(1) / torch.arange(1, len(ids) + 1))[asked])
    together = torch.cat(rows, 1)
    return PatternShare(together.mean(1), float(torch.cat(chance).mean()), together.shape[1])
