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
from torch.nn.utils.rnn import pad_sequence

from core.models.images.captioner import PADDING, ids_of
from core.models.images.stored_captioner import StoredCaptioner
from core.models.translation.fit_translation import right_words, words_before
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
def right_to_the_word(
    model: StoredCaptioner, scenes: Sequence[tuple[DescribedScene, np.ndarray]], no_image: bool = False
) -> np.ndarray:
    """Return of each scene whether greedy search writes its caption and nothing else, (N,).

    It does just where each of the caption's words, <end> too, is the likeliest after those before it: all T words are
    asked at once. With `no_image` the model is given the ground alone in place of every picture.
    """
    right: list[bool] = []
    for begin in range(0, len(scenes), AT_ONCE):
        part = scenes[begin : begin + AT_ONCE]
        pictures = [empty_picture() if no_image else picture for _, picture in part]
        ids = [torch.tensor(ids_of(scene.caption)) for scene, _ in part]
        captions = pad_sequence(ids, batch_first=True, padding_value=PADDING)  # (B, T)
        said = model.network(torch.from_numpy(np.stack(pictures)), words_before(captions))
        right += right_words(said, captions).tolist()
    return np.array(right)
