"""What a head tends to look at: the first token, the one before, itself; and how widely it looks."""

from __future__ import annotations

from collections.abc import Iterable
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
