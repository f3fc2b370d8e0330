"""Attention rolled out: how much of each token of the picture is in a token of the last layer.

    A_l = 1/2 (mean over heads of layer l's weights) + 1/2 I          the stream goes on beside what is gathered
    rollout = A_L ... A_2 A_1                                         rows sum to one

It reckons as if every layer only mixed tokens; the feed-forward networks and the values are left out of it.

Source: Abnar and Zuidema (2020), Quantifying Attention Flow in Transformers.
"""

from __future__ import annotations

import torch
from torch import Tensor


def rollout(weights: Tensor) -> Tensor:
    """Return the rollout (T, T) of all layers' attention weights (L, H, T, T).

    >>> layer = torch.tensor([[[0.0, 1.0], [0.0, 1.0]]])
    >>> rollout(torch.stack([layer, layer])).tolist()
    [[0.25, 0.75], [0.0, 1.0]]
    """
    mixed = torch.eye(weights.shape[-1])
    for layer in weights.mean(1):
        mixed = (0.5 * layer + 0.5 * torch.eye(len(layer))) @ mixed
    return mixed
