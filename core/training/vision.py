"""What the recipes of vision transformers share: fitting with pieces of the picture missing, and what is right of N."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from core.models.descent import Descent, adam_and_muon
from core.models.documents.held_out import wilson
from core.models.fit_language_model import FitConfig, rate
from core.models.images.vision_transformer import (
    VisionConfig,
    VisionTransformer,
    patches_of,
    shape_of,
)
from core.training.language_models import fit_with_checkpoints
from core.training.recipe import Progress, Trained

CREDITS = ["Dosovitskiy et al. (2021), An Image is Worth 16x16 Words; Liu et al. (2023), PatchDropout"]
Batch = Callable[[int], tuple[Tensor, Tensor]]  # a seed's pictures (B, c, S, S) and their classes (B,)


class VisionFitting(Descent):
    """A vision transformer on its way down the loss; in every second step some patches are missing.

    A model that has always seen every patch has never learnt what a missing one means. Batch and missing patches
    of a step depend on the seed and the step alone.
    """

    def __init__(self, model: VisionTransformer, batch: Batch, config: FitConfig, fewest: float):
        optimisers = adam_and_muon(model, config.adam_rate, config.muon_rate)
        super().__init__(model, optimisers, lambda step: rate(step, config))
        self.batch, self.config, self.fewest = batch, config, fewest

    @property
    def done(self) -> bool:
        """Whether all steps have been taken."""
        return self.step_count >= self.config.steps

    def loss(self) -> Tensor:
        """Return the loss of the step to come, in nats a picture."""
        seed = self.config.seed * 1_000_000 + self.step_count
        pictures, y = self.batch(seed)
        patches = patches_of(pictures, self.model.config.patch)  # (B, N, P)
        places = self.in_sight(seed, patches.shape[1])
        with torch.autocast("cpu", torch.bfloat16, self.config.bfloat16):
            logits = self.model(patches[:, places], places)
        return functional.cross_entropy(logits.float(), y, label_smoothing=0.05)

    def in_sight(self, seed: int, N: int) -> Tensor:
        """Return the places of the patches that a step sees: all, or in every second step a share drawn for it."""
        if self.step_count % 2 == 0:
            return torch.arange(N)
        generator = torch.Generator().manual_seed(seed)
        share = self.fewest + (1 - self.fewest) * torch.rand((), generator=generator).item()
        return torch.randperm(N, generator=generator)[: max(1, round(share * N))].sort().values

    def step(self) -> float:
        """Take one step and return the loss before it."""
        return super().step(self.loss)


def train_vision(
    config: dict,
    names: tuple[str, ...],
    batch: Batch,
    corpus: dict,
    seed: int,
    checkpoint: Path,
    progress: Progress,
) -> Trained:
    """Fit the vision transformer that `config` describes to the batches."""
    torch.manual_seed(seed)
    network = VisionTransformer(VisionConfig(**config["shape"], classes=len(names)))
    fitting = VisionFitting(network, batch, FitConfig(**config["fit"], seed=seed), config["fewest patches"])
    fit_with_checkpoints(fitting, checkpoint, progress)
    weights = {name: tensor.half().numpy() for name, tensor in network.state_dict().items()}
    return Trained(weights, corpus, {"shape": shape_of(network, list(names))})


def measure_accuracy(right: np.ndarray, what: str) -> dict[str, float]:
    """Return a measure and its interval at 95%, of which of N answers are right."""
    low, high = wilson(int(right.sum()), len(right))
    return {what: float(right.mean()), f"{what}, 95% from": low, f"{what}, 95% to": high}
