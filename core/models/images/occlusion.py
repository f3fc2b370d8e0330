"""Occlusion: hide each patch in turn, and see what the model makes of the rest.

    drop_i = p(class | all patches in sight) - p(class | all but patch i)

A hidden patch is no token at all: nothing can look at it.

Source: Zeiler and Fergus (2014), Visualizing and Understanding Convolutional Networks, for the map.
"""

from __future__ import annotations

import torch
from torch import Tensor

from core.models.images.vision_transformer import VisionTransformer


@torch.inference_mode()
def occlusion(
    model: VisionTransformer, patches: Tensor, places: Tensor, of: int, positions: bool = True
) -> Tensor:
    """Return by how much hiding each patch lowers the probability of class `of`, (n,); below 0 where it rises.

    `patches` (n, P) stand in `places` (n,). With one patch in sight, hiding it leaves the class token alone.

    >>> from core.models.images.vision_transformer import VisionConfig
    >>> blind = VisionTransformer(VisionConfig(side=4, patch=2, channels=1, classes=2, layers=0, width=4))
    >>> occlusion(blind, torch.ones(4, 4), torch.arange(4), of=1).tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    n = len(patches)
    rest = torch.stack([torch.cat((torch.arange(i), torch.arange(i + 1, n))) for i in range(n)])  # (n, n - 1)
    tokens = model.tokens(patches[None], places, positions)[0]  # (n + 1, C)
    seen = torch.cat((tokens[:1].expand(n, 1, -1), tokens[1:][rest]), dim=1)  # (n, n, C)
    whole = model.read(tokens[None]).softmax(1)[0, of]
    return whole - model.read(seen).softmax(1)[:, of]
