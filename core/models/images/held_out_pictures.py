"""Pictures that the stored vision transformers have never learnt from, and how many of them they name.

Whole, without positions, and with each picture's patches shuffled by a seed of its own.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from core.models.images.digits import digits
from core.models.images.vision_transformer import StoredVision, patches_of
from core.models.stored import load_card
from core.pictures.scenes import CLASSES, shape_picture

DIGITS, SHAPES = "vit_digits", "vit_shapes"
MACHINE = "support vector machine"  # that a card compares the model with
HELD_OUT = {DIGITS: 899, SHAPES: 2000}  # shapes: of the seeds below it, which nothing is learnt from


def held_out_picture(name: str, number: int) -> tuple[np.ndarray, int]:
    """Return a held-out picture of a model's kind, (c, S, S), and its class, `number` counting from 0.

    >>> picture, y = held_out_picture("vit_shapes", 0)
    >>> picture.shape, CLASSES[y]
    ((3, 32, 32), 'purple ring')
    """
    if name == DIGITS:
        rest = digits()[1]
        return rest.pictures[number], int(rest.y[number])
    picture, thing = shape_picture(number)
    return picture, CLASSES.index(thing.name)


def held_out_pictures(name: str, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the first `most` held-out pictures, (N, c, S, S), and their classes, (N,)."""
    pairs = [held_out_picture(name, number) for number in range(min(most, HELD_OUT[name]))]
    return np.stack([picture for picture, _ in pairs]), np.array([y for _, y in pairs])


def measured_right(name: str, how: str = "held out") -> float:
    """Return the share of all held-out pictures of its kind that a stored model names right, as its card says.

    `how` may be "shuffled", "no positions", and of the shuffled ones "shuffled, colour" or a shape.
    """
    return load_card(name).quality[f"right, {how}"]


def shuffled_order(N: int, seed: int) -> Tensor:
    """Return an order of N patches drawn from a seed, (N,): place i gets patch order[i].

    >>> sorted(shuffled_order(4, seed=1).tolist())
    [0, 1, 2, 3]
    """
    return torch.randperm(N, generator=torch.Generator().manual_seed(seed))


@torch.inference_mode()
def classes_given(
    model: StoredVision, pictures: np.ndarray, positions: bool = True, shuffled: bool = False
) -> np.ndarray:
    """Return the class that a model gives each of the pictures (N, c, S, S), (N,).

    `shuffled` puts the patches of picture i in an order of its own, drawn from the seed i.
    """
    patches = patches_of(torch.from_numpy(pictures), model.network.config.patch)  # (N, n, P)
    if shuffled:
        patches = torch.stack([each[shuffled_order(len(each), i)] for i, each in enumerate(patches)])
    return model.network(patches, positions=positions).argmax(1).numpy()
