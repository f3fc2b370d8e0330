"""What a head tends to look at: the first token, the one before, itself; and how widely it looks."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


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

    >>> habits(torch.tensor([[[1.0, 0.0], [0.5, 0.5]]]))
    Habits(first=tensor([0.5000]), previous=tensor([0.5000]), itself=tensor([0.5000]), entropy=tensor([1.]))
    """
    rows = weights[:, 1:]
    entropy = -(torch.special.xlogy(rows, rows)).sum(-1) / torch.log(torch.tensor(2.0))
    previous, itself = (rows.diagonal(offset, dim1=-2, dim2=-1) for offset in (0, 1))
    return Habits(*(numbers.mean(-1) for numbers in (rows[:, :, 0], previous, itself, entropy)))
