"""Fitting a captioner: teacher forcing, cross-entropy, the course's descent.

    loss = -1/n sum_t ln p(y_t | y_<t, picture)          y_<t are the right words, whatever the model would have said

Every step sees pictures drawn for it alone, from seeds that depend on the fit's seed and the step.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from core.models.fit_language_model import FitConfig, Fitting
from core.models.images.captioner import PADDING, Described, ids_of
from core.models.translation.fit_translation import words_before
from core.pictures.described_scenes import FIRST_LEARNT, described_scene, scene_picture


def caption_loss(said: Described, right: Tensor) -> Tensor:
    """Return the mean of -ln p of the right words, ids (B, T), padding left out, in nats a word."""
    return functional.cross_entropy(said.logits.flatten(0, 1).float(), right.flatten(), ignore_index=PADDING)


def with_captions(seeds: range) -> tuple[Tensor, Tensor]:
    """Return the pictures of some seeds, (B, 3, S, S), and their captions, ids (B, T) with padding at the end."""
    scenes = [described_scene(seed) for seed in seeds]
    pictures = np.stack([scene_picture(scene, seed) for scene, seed in zip(scenes, seeds, strict=True)])
    right = [torch.tensor(ids_of(scene.caption)) for scene in scenes]
    return torch.from_numpy(pictures), pad_sequence(right, batch_first=True, padding_value=PADDING)


class CaptionFitting(Fitting):
    """A captioner on its way down the loss of pictures that are drawn once each."""

    def __init__(self, model: nn.Module, config: FitConfig):
        super().__init__(model, torch.empty(0), config)

    def batch(self) -> tuple[Tensor, Tensor]:
        """Return the pictures of the step to come, and their captions."""
        start = FIRST_LEARNT + self.draw * self.config.batch
        return with_captions(range(start, start + self.config.batch))

    def loss(self) -> Tensor:
        """Return the loss of the step to come."""
        pictures, right = self.batch()
        return caption_loss(self.model(pictures, words_before(right)), right)
