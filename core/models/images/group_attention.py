"""How much of a word's attention lies on the cells of a group of shapes.

share_t = sum of a_ti over the patches i whose middle lies in one of the group's cells
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.pictures.described_scenes import ACROSS, Cells


def patches_in(cells: Cells, across: int) -> np.ndarray:
    """Return the places of the patches, of across x across, whose middles lie in some of the scene's cells.

    >>> patches_in(((0, 2),), across=6).tolist()
    [4, 5, 10, 11]
    """
    cell = ((np.arange(across) + 0.5) * ACROSS / across).astype(int)
    return np.array(
        [
            row * across + column
            for row in range(across)
            for column in range(across)
            if (cell[row], cell[column]) in cells
        ]
    )


def share_on(weights: np.ndarray, cells: Cells, words: Sequence[int]) -> float:
    """Return the mean share of the attention (T, N) that lies on a group's cells, over some of the T words.

    >>> share_on(np.full((2, 9), 1 / 9), ((0, 0), (0, 1), (1, 1)), [0, 1])
    0.333...
    """
    places = patches_in(cells, int(weights.shape[1] ** 0.5))
    return float(weights[list(words)][:, places].sum(1).mean())
