"""A network with the numbers that were stored for it, ready to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
import torch
from torch import nn

Network = TypeVar("Network", bound=nn.Module)


def with_weights(network: Network, weights: Mapping[str, np.ndarray], prefix: str = "") -> Network:
    """Return `network` with its weights replaced by stored ones, as single-precision numbers that no training changes.

    Where several networks share one file, `prefix` begins the names of this one's. Raises RuntimeError (from torch) when
    a name is missing or too many, or a shape is another.

    >>> line = with_weights(nn.Linear(2, 1, bias=False), {"a.weight": np.array([[0.5, 2]], "f2"), "b.weight": 0}, "a.")
    >>> line(torch.tensor([2.0, 1.0])).tolist(), line.weight.requires_grad
    ([3.0], False)
    """
    own = {name.removeprefix(prefix): array for name, array in weights.items() if name.startswith(prefix)}
    network.load_state_dict({name: torch.from_numpy(array).float() for name, array in own.items()})
    return network.requires_grad_(False).eval()
