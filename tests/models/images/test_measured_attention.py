"""Attention measured over scenes: whose patch has it, and whether a word stays without the patch that has most."""

import numpy as np
import torch
from torch import nn

from core.models.images.captioner import WORDS, Described, ids_of
from core.models.images.group_attention import patches_in
from core.models.images.held_out_scenes import KINDS, held_out_scenes
from core.models.images.measured_attention import attention_on_groups, kept_words, steps_of
from core.models.images.occluded_picture import painted_over

SCENES = held_out_scenes(KINDS[0], 4)


class Recited(nn.Module):
    """A stand-in that knows the captions; it attends to one patch, and loses the word where that patch is masked."""

    def __init__(self, place: int, fragile: bool):
        super().__init__()
        self.place, self.fragile = place, fragile

    def forward(self, pictures, previous):
        B, T = previous.shape
        logits = torch.zeros(B, T, len(WORDS))
        weights = torch.zeros(B, 1, 1, T, 64)
        weights[..., self.place] = 1.0
        for b in range(B):
            match = min(SCENES, key=lambda each: float(np.abs(each[1] - pictures[b].numpy()).mean()))
            words = ids_of(match[0].caption)
            whole = np.array_equal(match[1], pictures[b].numpy())
            for t, word in enumerate(words):
                logits[b, t, word if whole or not self.fragile else 0] = 9.0
        return Described(logits, weights)


def test_all_attention_on_one_patch_is_counted_for_the_group_that_has_it():
    scene, _ = SCENES[0]
    place = int(patches_in(scene.second_cells, 8)[0])
    shares, even = attention_on_groups(Recited(place, False), SCENES[:1])
    assert shares.tolist() == [[0.0, 1.0]] * 7
    assert even.tolist() == [
        len(patches_in(cells, 8)) / 64 for cells in (scene.first_cells, scene.second_cells)
    ]


def test_words_stay_where_the_decoder_does_not_need_the_patch_and_go_where_it_does():
    words = sum(len(ids_of(scene.caption)) for scene, _ in SCENES)
    shapes = 2 * len(SCENES)
    others = words - shapes
    assert kept_words(Recited(27, False), SCENES) == ((shapes, shapes), (others, others))
    (kept, n), (kept_others, m) = kept_words(Recited(27, True), SCENES)
    assert (kept < n, n) == (True, shapes) and (kept_others < m, m) == (True, others)


def test_a_random_patch_is_drawn_and_not_the_one_with_most_attention():
    class First:
        """A generator that always draws the first patch, which is background in these scenes."""

        def integers(self, high, size):
            assert high == 64
            return np.zeros(size, int)

    background = [int(np.abs(painted_over(picture, [0]) - picture).max() > 0) for _, picture in SCENES]
    fragile = kept_words(Recited(27, True), SCENES, First())
    assert all(background) and fragile[0][0] == fragile[1][0] == 0
    (kept, n), (kept_others, m) = kept_words(Recited(27, False), SCENES, First())
    assert (kept, kept_others) == (n, m)


def test_the_steps_are_those_of_the_words():
    for scene, _ in SCENES:
        words = scene.caption.split()
        assert [words[t] for t in steps_of(scene)] == [
            *scene.first.words.split(),
            scene.relation.split()[0],
            *scene.second.words.split(),
        ]
