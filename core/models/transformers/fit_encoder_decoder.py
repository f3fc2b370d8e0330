"""Fitting a transformer that translates: teacher forcing, cross-entropy, the course's descent.

    loss = -1/n sum_t ln p(y_t | y_<t, x)          y_<t are the right words, whatever the model would have said

One pass of a batch gives the loss of every word of every sentence: no step waits for the one before it, as the steps of
a recurrent translator must. Sentences of like length are put in one batch, so that little is padding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from core.models.fit_language_model import FitConfig, Fitting
from core.models.transformers.encoder_decoder import EncoderDecoder
from core.models.translation.fit_translation import batch_by_length, loss_of, pad_sentences


class TranslationFitting(Fitting):
    """A transformer on its way down the loss of its sentence pairs; an epoch goes through all of them once."""

    def __init__(
        self,
        model: EncoderDecoder,
        sources: Sequence[Sequence[int]],
        targets: Sequence[Sequence[int]],
        config: FitConfig,
    ):
        super().__init__(model, torch.empty(0), config)
        self.sources, self.targets = sources, targets
        self.order: tuple[int, list[np.ndarray]] = (-1, [])

    def loss(self) -> Tensor:
        """Return the loss of the step to come."""
        epoch, place = divmod(self.step_count, math.ceil(len(self.sources) / self.config.batch))
        if self.order[0] != epoch:
            chance = np.random.default_rng([self.config.seed, epoch])
            self.order = epoch, batch_by_length([len(s) for s in self.sources], self.config.batch, chance)
        chosen = self.order[1][place]
        sides = (pad_sentences([side[i] for i in chosen]) for side in (self.sources, self.targets))
        return loss_of(self.model, *sides)

    def step(self) -> float:
        """Take one step, Muon's products in 16 bits too where the loss is, and return the loss before it."""
        with torch.autocast("cpu", torch.bfloat16, self.config.bfloat16):
            return super().step()
