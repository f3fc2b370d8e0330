"""What a vision transformer has learned of the grid: which positions resemble which.

    similarity_ij = p_i . p_j / (|p_i| |p_j|)

Nobody told the model that patch 5 stands beside patch 6, or below patch 1: its positions are rows of a table that began
as random numbers.

Source: Dosovitskiy et al. (2021), An Image is Worth 16x16 Words, figure 7.
"""

from __future__ import annotations

import torch
from torch import Tensor

from core.models.images.vision_transformer import VisionTransformer


def position_similarity(model: VisionTransformer) -> Tensor:
    """Return the cosine of each two places' positions, (N, N); the class token's is left out."""
    p = model.position_embedding[1:]
    direction = p / p.norm(dim=1, keepdim=True)
    return direction @ direction.T


def nearest_beside(similarity: Tensor) -> tuple[int, float]:
    """Return for how many places of a square grid the most similar other place touches it, and how many chance would give.

    Corners touch too: a place within the grid touches 8 others.

    >>> n, chance = nearest_beside(torch.eye(9) + torch.eye(9).roll(1, 1))
    >>> n, round(chance, 3)
    (6, 5.0)
    """
    N = len(similarity)
    across = round(N**0.5)
    row, column = torch.arange(N) // across, torch.arange(N) % across
    steps = torch.maximum((row[:, None] - row).abs(), (column[:, None] - column).abs())  # (N, N)
    others = similarity.masked_fill(torch.eye(N, dtype=torch.bool), -torch.inf)
    touches = steps == 1
    count = int(touches[torch.arange(N), others.argmax(1)].sum())
    return count, float(touches.float().mean(1).sum() * N / (N - 1))
