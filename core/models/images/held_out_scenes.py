"""Scenes that the captioners have never learnt from, and of how many of them what they write is right to the word.

Of one kind every combination of colour, shape and place was seen in training, in other scenes; in every scene of the
other kind there is at least one that never was.

The first HELD_OUT of a kind are shown, and were looked at while the recipes were chosen; by the next HELD_OUT no choice
was made, and what a card tells of a captioner is measured on them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from core.models.images.captioner import END, LONGEST, PADDING, START, ids_of
from core.models.images.stored_captioner import Captioner, StoredCaptioner
from core.pictures.described_scenes import DescribedScene, described_scene, empty_picture, scene_picture

KINDS = ("seen combinations", "unseen combinations")
HELD_OUT = (
    2000  # scenes of each kind that are shown, and that are measured: seeds that nothing is learnt from
)
AT_ONCE = 250


def held_out_scene(kind: str, number: int) -> tuple[DescribedScene, np.ndarray]:
    """Return a held-out scene and its picture, (3, S, S), `number` counting from 0.

    >>> held_out_scene("unseen combinations", 0)[0].unseen
    True
    """
    scene = described_scene(number, unseen=kind == KINDS[1])
    return scene, scene_picture(scene, number)


def held_out_scenes(kind: str, most: int) -> list[tuple[DescribedScene, np.ndarray]]:
    """Return the first `most` held-out scenes of a kind, each with its picture."""
    return [held_out_scene(kind, number) for number in range(min(most, HELD_OUT))]


def measured_scenes(kind: str, most: int = HELD_OUT) -> list[tuple[DescribedScene, np.ndarray]]:
    """Return the first `most` held-out scenes of a kind that come after those by which recipes were chosen."""
    return [held_out_scene(kind, HELD_OUT + number) for number in range(min(most, HELD_OUT))]


@torch.inference_mode()
def likeliest_words(network: Captioner, pictures: torch.Tensor) -> torch.Tensor:
    """Return what greedy search writes about each picture, ids (B, T): the likeliest word at every step.

    What comes after the first <end> is padding.
    """
    states = network.encode(pictures)
    written = torch.full((len(pictures), 1), START)
    while written.shape[1] <= LONGEST and not (written == END).any(1).all():
        word = network.decode(written, states).logits[:, -1].argmax(-1)
        over = (written == END).any(1)
        written = torch.cat((written, torch.where(over, PADDING, word)[:, None]), 1)
    return written[:, 1:]


def right_to_the_word(
    model: StoredCaptioner, scenes: Sequence[tuple[DescribedScene, np.ndarray]], no_image: bool = False
) -> np.ndarray:
    """Return of each scene whether its caption is written, and nothing else, (N,); the likeliest word at each step.

    With `no_image` the model is given the ground alone in place of every picture.
    """
    right = []
    for begin in range(0, len(scenes), AT_ONCE):
        part = scenes[begin : begin + AT_ONCE]
        pictures = [empty_picture() if no_image else picture for _, picture in part]
        rows = likeliest_words(model.network, torch.from_numpy(np.stack(pictures))).tolist()
        for (scene, _), row in zip(part, rows, strict=True):
            right.append([word for word in row if word != PADDING] == ids_of(scene.caption))
    return np.array(right)
