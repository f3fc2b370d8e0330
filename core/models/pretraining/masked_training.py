"""A step of a masked model's training, looked at: which tokens are drawn, what is shown instead, and the loss.

    M         the places drawn, 15% of all
    shown     at a place of M: <mask> in 80% of the cases, a random token in 10%, the token itself in 10%
    loss      -1/|M| sum_{t in M} ln p(x_t | shown)       the visible tokens do not count

A visible token is its own answer: counted too, it would teach the model to copy. Some of M is shown as it is, or as
another token, so that the model must have an answer at every place and not at <mask> alone.

Source: Devlin, Chang, Lee and Toutanova (2019), BERT: Pre-training of Deep Bidirectional Transformers, 3.1 and A.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.models.self_attention.masked_language_model import MaskedLanguageModel, hide

MASK, OTHER, KEPT = "<mask>", "another token", "as it is"


@dataclass(frozen=True)
class TrainingStep:
    """A text in training: its ids, what is shown, where it must guess (True in M), and ln p (T, V + 1) of each token."""

    ids: np.ndarray
    shown: np.ndarray
    places: np.ndarray
    ln_p: np.ndarray
    mask: int

    @property
    def losses(self) -> np.ndarray:
        """-ln p(x_t | shown) at every place, in nats, (T,)."""
        return -self.ln_p[np.arange(len(self.ids)), self.ids]

    @property
    def loss(self) -> float:
        """The loss that is trained: the mean over M; nan when nothing was drawn."""
        return float(self.losses[self.places].mean()) if self.places.any() else float("nan")

    @property
    def loss_everywhere(self) -> float:
        """The mean over all places, the visible ones too."""
        return float(self.losses.mean())

    @property
    def guesses(self) -> np.ndarray:
        """The likeliest token at every place, (T,)."""
        return self.ln_p.argmax(axis=1)

    @property
    def copied_right(self) -> np.ndarray:
        """Where the token that is shown is the right answer, (T,): what a model that only copies gets right."""
        return self.shown == self.ids

    @property
    def fates(self) -> list[str]:
        """What each place drawn is shown as, in the text's order; a random token may be the token itself: KEPT."""
        return [
            MASK if shown == self.mask else KEPT if shown == own else OTHER
            for shown, own in zip(self.shown[self.places], self.ids[self.places], strict=True)
        ]


@torch.inference_mode()
def masked_training_step(model: MaskedLanguageModel, ids: Tensor, share: float, seed: int) -> TrainingStep:
    """Return what a step of training would do with ids (T,), a share of the places drawn with a seed."""
    generator = torch.Generator().manual_seed(seed)
    hidden = hide(ids[None], share, model.mask, generator)
    ln_p = model.network(hidden.shown)[0][0].double().log_softmax(-1)  # (T, V + 1)
    return TrainingStep(
        *(each.numpy() for each in (ids, hidden.shown[0], hidden.places[0], ln_p)), model.mask
    )
