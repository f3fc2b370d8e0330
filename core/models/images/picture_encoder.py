"""A picture into states that a decoder can look at: three convolutions, one state for each patch of the picture.

    z = relu(conv(relu(conv(picture))))        3 x 3, stride 2 each: a grid of S / 4 x S / 4 cells of C numbers
    z = z + relu(conv(z))                      3 x 3, stride 1
    h̄_i = norm(z_i + p_i)                      p: learned positions, one a cell

Cell i lies over the patch of 4 x 4 pixels in its place, and sees 15 x 15 pixels around it: a state knows its
neighbourhood and its place, not the whole picture.

Source: Xu et al. (2015), Show, Attend and Tell, section 3.1.1, whose convolutions are those of a far larger network.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

PATCH = 4  # pixels along a patch: two strides of 2
SEES = 15  # pixels along what a cell sees


class PictureEncoder(nn.Module):
    """Pictures (B, 3, S, S) in, states h̄ (B, N, C) out, row by row from the top left; N = (S / 4)^2."""

    def __init__(self, side: int, width: int):
        super().__init__()
        self.first = nn.Conv2d(3, width // 2, 3, stride=2, padding=1)
        self.second = nn.Conv2d(width // 2, width, 3, stride=2, padding=1)
        self.third = nn.Conv2d(width, width, 3, padding=1)
        self.position_embedding = nn.Parameter(torch.randn((side // PATCH) ** 2, width) * 0.1)
        self.norm = nn.LayerNorm(width)

    def cells(self, pictures: Tensor) -> Tensor:
        """Return the grid of cells before they know their place, (B, N, C)."""
        z = self.second(self.first(pictures).relu()).relu()
        return (z + self.third(z).relu()).flatten(2).mT

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the states h̄, (B, N, C)."""
        return self.norm(self.cells(pictures) + self.position_embedding)
