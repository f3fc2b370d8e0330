"""Positions: what tells attention in which order the tokens stand.

    PE(t, 2i) = sin(t / 10000^(2i/C));   PE(t, 2i+1) = cos(t / 10000^(2i/C))

Each pair of dimensions is a clock hand of its own speed w_i = 10000^(-2i/C). Going k places on turns every hand by
k w_i, wherever it stands:

    PE(t + k) = R(k) PE(t),     R(k) = a rotation by k w_i in each pair

so that one matrix says "k places on" at every place, and R(-k) "k places back". The dot product of two positions
depends on their distance alone, and cannot tell back from ahead. Learned positions are rows of a table instead, and
past its last row there is nothing.

Rotary positions (RoPE) add nothing. They turn each query and each key by its own position, R(t) q and R(s) k, so that
their dot product depends on the two tokens and on the distance alone:

    R(t) q . R(s) k = q . R(s - t) k

Sources: Vaswani et al. (2017), Attention Is All You Need, section 3.5; Su et al. (2021), RoFormer: Enhanced Transformer
with Rotary Position Embedding.
"""

from __future__ import annotations

import torch
from torch import Tensor


def speeds(C: int, base: float = 10000.0) -> Tensor:
    """Return the angle (radians) by which each pair of C dimensions turns from one position to the next, (C / 2,).

    >>> speeds(8).tolist()
    [1.0, 0.1, 0.01, 0.001]
    """
    return base ** (-torch.arange(0, C, 2, dtype=torch.float64) / C)


def sinusoidal_positions(T: int, C: int, base: float = 10000.0) -> Tensor:
    """Return the sinusoids of T positions, (T, C). Raises ValueError for an odd C.

    >>> sinusoidal_positions(2, 4).round(decimals=3).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.84..., 0.54..., 0.00..., 1.0]]
    """
    if C % 2:
        raise ValueError("Sinusoids come in pairs of sine and cosine: the width must be even.")
    angle = torch.arange(T)[:, None] * speeds(C, base)  # (T, C / 2)
    return torch.stack((angle.sin(), angle.cos()), dim=2).flatten(1).float()


def similarity_by_distance(positions: Tensor) -> Tensor:
    """Return the mean dot product of two positions k apart, for k = 0..T-1, (T,)."""
    products = positions @ positions.T
    return torch.stack([products.diagonal(k).mean() for k in range(len(positions))])


def rotation(k: int, C: int, base: float = 10000.0) -> Tensor:
    """Return the matrix (C, C) that turns every position into the one k places on; -k for k places back.

    >>> positions = sinusoidal_positions(8, 4)
    >>> bool(torch.allclose(positions[2] @ rotation(3, 4).T, positions[5], atol=1e-6))
    True
    """
    sine, cosine = torch.sin(k * speeds(C, base)), torch.cos(k * speeds(C, base))
    hands = [torch.tensor([[c, s], [-s, c]]) for s, c in zip(sine.tolist(), cosine.tolist(), strict=True)]
    return torch.block_diag(*hands).float()


def rotary_score(query: Tensor, key: Tensor, t: int, s: int, base: float = 10000.0) -> float:
    """Return the dot product of a query (C,) at position t and a key (C,) at position s, both turned as RoPE turns them.

    >>> q, k = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
    >>> round(rotary_score(q, k, 5, 4), 3), round(rotary_score(q, k, 1, 0), 3), round(rotary_score(q, k, 0, 1), 3)
    (-0.841, -0.841, 0.841)
    """
    C = len(query)
    return float((rotation(t, C, base) @ query) @ (rotation(s, C, base) @ key))


def nearest_positions(positions: Tensor) -> Tensor:
    """Return for each position which other one has the largest cosine with it, (T,).

    >>> nearest_positions(torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.2]])).tolist()
    [2, 2, 0]
    """
    directions = positions / positions.norm(dim=1, keepdim=True)
    return (directions @ directions.T).fill_diagonal_(-torch.inf).argmax(1)


def alike(positions: Tensor, least: float = 0.99) -> int:
    """Return how many pairs of different positions have a cosine above `least`.

    >>> alike(torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]]))
    1
    """
    directions = positions / positions.norm(dim=1, keepdim=True)
    return int((directions @ directions.T).triu(1).gt(least).sum())
