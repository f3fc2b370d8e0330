"""A picture on its way into a model: ours or the learner's, scaled, shuffled, some of its patches hidden; then read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from core.models.images.held_out_pictures import held_out_picture, shuffled_order
from core.models.images.vision_transformer import (
    StoredVision,
    VisionTrace,
    patches_of,
    trace_vision_transformer,
)
from core.pictures import WORDS as PICTURE_WORDS
from core.pictures.reading import Picture
from core.pictures.scaling import as_ink, scaled

SHUFFLE_SEED = 1


@dataclass(frozen=True)
class Found:
    """A picture as a model sees it, (c, S, S): its class's name, none where nobody knows, and what was done to it."""

    picture: np.ndarray
    truth: str = ""
    done: tuple[str, ...] = ()


@dataclass(frozen=True)
class Seen:
    """A picture (c, S, S) as it was read, shuffled or not: which places are hidden, and what the model made of it.

    `places` (n,) are those in sight, in order; without `positions` no token was told where it stands.
    """

    model: StoredVision
    picture: np.ndarray
    truth: str
    hidden: tuple[int, ...]
    places: torch.Tensor
    positions: bool
    read: VisionTrace

    @property
    def given(self) -> int:
        """The class that the model gives."""
        return int(self.read.probabilities.argmax())

    @property
    def name(self) -> str:
        """The name of the class that the model gives."""
        return self.model.classes[self.given]

    def p(self, name: str) -> float:
        """Return the probability of a class by its name."""
        return float(self.read.probabilities[self.model.classes.index(name)])


def load_held_out_picture(model: StoredVision, number: int) -> Found:
    """Return one of the pictures that the model has not learnt from; numbers count from 1."""
    picture, y = held_out_picture(model.name, number - 1)
    return Found(picture, model.classes[y])


def as_the_model_sees(model: StoredVision, own: Picture) -> Found:
    """Return the learner's picture in the model's size and colours."""
    config = model.network.config
    colours = scaled(own, config.side)
    done = (PICTURE_WORDS.label("scaling.square", side=config.side),)
    if config.channels == 3:
        return Found(colours, done=done)
    ink, more = as_ink(colours)
    return Found(ink, done=(*done, *more))


def rearranged(picture: np.ndarray, patch: int, order: Sequence[int]) -> np.ndarray:
    """Return a picture (c, S, S) with patch order[i] at place i.

    >>> rearranged(np.array([[[1, 2], [3, 4]]]), 1, [3, 2, 1, 0]).tolist()
    [[[4, 3], [2, 1]]]
    """
    across = picture.shape[-1] // patch
    moved = np.empty_like(picture)
    for place, source in enumerate(order):
        (r, c), (from_r, from_c) = divmod(place, across), divmod(int(source), across)
        moved[:, r * patch : (r + 1) * patch, c * patch : (c + 1) * patch] = picture[
            :, from_r * patch : (from_r + 1) * patch, from_c * patch : (from_c + 1) * patch
        ]
    return moved


def look_at(
    model: StoredVision,
    found: Found,
    hidden: tuple[int, ...] = (),
    shuffled: bool = False,
    positions: bool = True,
) -> Seen:
    """Return what a model makes of a picture, the patches of some places hidden, all of them shuffled first if wanted."""
    config, picture = model.network.config, found.picture
    if shuffled:
        picture = rearranged(picture, config.patch, shuffled_order(config.patches, SHUFFLE_SEED).tolist())
    places = torch.tensor([i for i in range(config.patches) if i not in hidden], dtype=torch.long)
    patches = patches_of(torch.from_numpy(picture), config.patch)[places]
    read = trace_vision_transformer(model.network, patches, places, positions)
    return Seen(model, picture, found.truth, hidden, places, positions, read)
