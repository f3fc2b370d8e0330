"""A small vision transformer for scikit-learn's handwritten digits, 16 patches each."""

from __future__ import annotations

import numpy as np
import torch
from sklearn.svm import SVC
from torch import Tensor
from torch.nn import functional

from core.models.images.digits import NAMES, SIDE, Digits, digits
from core.models.images.held_out_pictures import DIGITS, classes_given
from core.models.images.vision_transformer import stored_vision
from core.models.stored import sha256_of_text
from core.training import vision
from core.training.recipe import Trained

DESCRIPTION = (
    "A vision transformer of 4 layers that tells handwritten digits apart, patches of 2 by 2 pixels."
)
CREDITS = [*vision.CREDITS, "Digits: Alpaydin and Kaynak (1998), UCI, in scikit-learn (BSD-3)"]
CONFIG = {
    "shape": {"side": SIDE, "patch": 2, "channels": 1, "layers": 4, "heads": 4, "width": 64},
    "fewest patches": 0.5,
    "fit": {"steps": 3000, "batch": 64, "muon_rate": 0.01, "adam_rate": 0.002, "cool_down": 0.8},
}


def bent(pictures: Tensor, generator: torch.Generator) -> Tensor:
    """Return pictures (B, 1, S, S) each turned, stretched, moved and bent a little, at random."""
    B = len(pictures)

    def between(low: float, high: float, *shape: int) -> Tensor:
        return low + (high - low) * torch.rand(*shape, generator=generator)

    angle, slant = between(-0.26, 0.26, B), between(-0.2, 0.2, B)
    wide, tall = between(0.85, 1.2, B), between(0.85, 1.2, B)
    to_right, down = between(-0.25, 0.25, B), between(-0.2, 0.2, B)  # in half pictures
    rows = (
        torch.stack((wide * angle.cos(), slant - angle.sin(), to_right), 1),
        torch.stack((angle.sin(), tall * angle.cos(), down), 1),
    )
    grid = functional.affine_grid(torch.stack(rows, 1), pictures.shape, align_corners=False)
    bend = functional.interpolate(between(-0.2, 0.2, B, 2, 3, 3), SIDE, mode="bicubic", align_corners=True)
    return functional.grid_sample(pictures, grid + bend.movedim(1, 3), align_corners=False)


def draw_digit_batches(learnt: Digits, size: int) -> vision.Batch:
    """Return what draws a seed's batch: digits learnt from, each bent anew."""
    pictures, y = torch.from_numpy(learnt.pictures), torch.from_numpy(learnt.y)

    def batch(seed: int) -> tuple[Tensor, Tensor]:
        generator = torch.Generator().manual_seed(seed)
        rows = torch.randint(len(y), (size,), generator=generator)
        return bent(pictures[rows], generator), y[rows]

    return batch


def train(config, seed, checkpoint, progress) -> Trained:
    """Fit on the half that is learnt from."""
    learnt, held_out = digits()
    corpus = {
        "name": "scikit-learn's load_digits",
        "training_pictures": len(learnt.y),
        "held_out_pictures": len(held_out.y),
        "sha256": sha256_of_text(learnt.pictures.tobytes().hex()),
    }
    batch = draw_digit_batches(learnt, config["fit"]["batch"])
    return vision.train_vision(config, NAMES, batch, corpus, seed, checkpoint, progress)


def measure() -> dict:
    """Return the share right of the digits held out; beside it scikit-learn's support vector machine, same halves."""
    learnt, held_out = digits()
    model = stored_vision.__wrapped__(DIGITS)
    rows = [each.pictures.reshape(len(each.y), -1) * 16 for each in (learnt, held_out)]
    machine = SVC(gamma=0.001).fit(rows[0], learnt.y)  # as in scikit-learn's own example
    return {
        **vision.measure_accuracy(classes_given(model, held_out.pictures) == held_out.y, "right, held out"),
        **vision.measure_accuracy(machine.predict(rows[1]) == held_out.y, "right, support vector machine"),
        "right, no positions": float(np.mean(classes_given(model, held_out.pictures, False) == held_out.y)),
    }
