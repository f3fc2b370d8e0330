"""Where a captioner attends on many scenes, word by word, and how often it can do without the patch it attends to most.

    share_w,g = mean over scenes of sum_i a_ti     i: the patches of group g; t: the step of word w
    kept      = 1 where argmax p(y | y_<t, picture) = argmax p(y | y_<t, picture with patch argmax_i a_ti masked out)

Only scenes that are described right to the word count, so that step t is the same word in all of them. The attention of a
decoder with several layers and heads is their mean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from core.models.images.captioner import PADDING, Described, ids_of
from core.models.images.group_attention import patches_in
from core.models.images.occluded_picture import painted_over
from core.models.images.stored_captioner import Captioner
from core.models.translation.fit_translation import right_words, words_before
from core.pictures.described_scenes import DescribedScene

ROLES = ("number_1", "colour_1", "shape_1", "relation", "number_2", "colour_2", "shape_2")
SHAPE_ROLES = ("shape_1", "shape_2")
Scene = tuple[DescribedScene, np.ndarray]


def steps_of(scene: DescribedScene) -> list[int]:
    """Return the step, from 0, at which each of ROLES is written; a relation of two words counts once, at its first.

    >>> from core.pictures.described_scenes import described_scene
    >>> scene = described_scene(3)
    >>> scene.caption, steps_of(scene)
    ('three green circles left of a purple circle', [0, 1, 2, 3, 5, 6, 7])
    """
    second = 3 + len(scene.relation.split())
    return [0, 1, 2, 3, second, second + 1, second + 2]


@torch.inference_mode()
def described_right(network: Captioner, scenes: Sequence[Scene]) -> tuple[list[Scene], Tensor, Described]:
    """Return the scenes that are described right to the word, their captions' ids (B, T), and what the decoder says."""
    captions = pad_sequence([torch.tensor(ids_of(scene.caption)) for scene, _ in scenes], True, PADDING)
    said = network(torch.from_numpy(np.stack([picture for _, picture in scenes])), words_before(captions))
    right = right_words(said, captions)
    kept = [each for each, fine in zip(scenes, right.tolist(), strict=True) if fine]
    return kept, captions[right], Described(said.logits[right], said.weights[right])


def attention_on_groups(network: Captioner, scenes: Sequence[Scene]) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean share of attention on the first and the second group at each of ROLES, (7, 2).

    Beside it the shares that evenly spread attention would have there, (2,).
    """
    right, _, said = described_right(network, scenes)
    weights = said.weights.mean((1, 2)).numpy()  # (B, T, N)
    across = int(weights.shape[-1] ** 0.5)
    shares, even = [], []
    for (scene, _), a in zip(right, weights, strict=True):
        groups = [patches_in(cells, across) for cells in (scene.first_cells, scene.second_cells)]
        shares.append([[a[t, places].sum() for places in groups] for t in steps_of(scene)])
        even.append([len(places) / across**2 for places in groups])
    return np.mean(shares, axis=0), np.mean(even, axis=0)


@torch.inference_mode()
def kept_words(
    network: Captioner, scenes: Sequence[Scene], random: np.random.Generator | None = None
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return how many words stay the likeliest when a patch is masked out, and of how many: shape words, then all others.

    The patch is the one with most attention before the word, or a `random` one.
    """
    right, captions, said = described_right(network, scenes)
    attention = said.weights.mean((1, 2))  # (B, T, N)
    rows, steps = torch.nonzero(captions != PADDING, as_tuple=True)
    places = attention[rows, steps].argmax(-1).tolist()
    if random is not None:
        places = random.integers(attention.shape[-1], size=len(rows)).tolist()
    masked = [painted_over(right[row][1], [place]) for row, place in zip(rows.tolist(), places, strict=True)]
    again = network(torch.from_numpy(np.stack(masked)), words_before(captions)[rows])
    kept = again.logits[torch.arange(len(rows)), steps].argmax(-1) == captions[rows, steps]
    steps_of_shapes = [[steps_of(scene)[ROLES.index(role)] for role in SHAPE_ROLES] for scene, _ in right]
    shape = torch.tensor(
        [t in steps_of_shapes[row] for row, t in zip(rows.tolist(), steps.tolist(), strict=True)]
    )
    return tuple((int(kept[each].sum()), int(each.sum())) for each in (shape, ~shape))
