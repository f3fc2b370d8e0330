"""Occlusion of a picture that convolutions read: a patch is painted over with the ground, and the words asked again.

    drop_ti = p(y_t | y_<t, picture) - p(y_t | y_<t, picture with patch i painted over)

A cell of the encoder sees its neighbours' pixels too; so the pixels are painted, no cell is left out.

Source: Zeiler and Fergus (2014), Visualizing and Understanding Convolutional Networks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from core.models.images.captioner import START
from core.models.images.picture_encoder import PATCH
from core.models.images.stored_captioner import Captioner


def ground_of(picture: np.ndarray) -> np.ndarray:
    """Return the picture's ground, the median of each colour over all pixels (3, S, S), (3,).

    >>> ground_of(np.array([[[0.1, 0.1], [0.9, 0.1]]])).tolist()
    [0.1]
    """
    return np.median(picture, axis=(1, 2))


def painted_over(picture: np.ndarray, places: Sequence[int], patch: int = PATCH) -> np.ndarray:
    """Return a picture (3, S, S) whose patches at some places, from 0, have the ground's colour.

    >>> painted_over(np.array([[[0.1, 0.1], [0.9, 0.1]]]), [2], patch=1).tolist()
    [[[0.1, 0.1], [0.1, 0.1]]]
    """
    painted, across = picture.copy(), picture.shape[-1] // patch
    for place in places:
        row, column = (patch * each for each in divmod(place, across))
        painted[:, row : row + patch, column : column + patch] = ground_of(picture)[:, None, None]
    return painted


@torch.inference_mode()
def word_drops(network: Captioner, picture: np.ndarray, words: Sequence[int]) -> np.ndarray:
    """Return by how much painting over each patch lowers the probability of each word, (T, N); below 0: it rises."""
    N = (picture.shape[-1] // PATCH) ** 2
    pictures = np.stack([picture, *(painted_over(picture, [place]) for place in range(N))])
    before = torch.tensor([[START, *words[:-1]]]).expand(N + 1, -1)
    p = network(torch.from_numpy(pictures), before).logits.softmax(-1)  # (N + 1, T, V)
    given = p[:, torch.arange(len(words)), torch.tensor(list(words))].double()  # (N + 1, T)
    return (given[0] - given[1:]).T.numpy()
