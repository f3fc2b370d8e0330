"""A small vision transformer for coloured shapes drawn by this course, 64 patches each."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from core.models.images.attended_or_needed import measure_attended
from core.models.images.held_out_pictures import HELD_OUT, SHAPES, classes_given, held_out_pictures
from core.models.images.vision_transformer import stored_vision
from core.models.stored import sha256_of_text
from core.pictures.scenes import CLASSES, SIDE, shape_picture
from core.training import vision
from core.training.recipe import Trained

DESCRIPTION = "A vision transformer of 4 layers that names a coloured shape, patches of 4 by 4 pixels."
CREDITS = [*vision.CREDITS, "Pictures drawn by this course, core/pictures/scenes.py"]
CONFIG = {
    "shape": {"side": SIDE, "patch": 4, "channels": 3, "layers": 4, "heads": 4, "width": 64},
    "fewest patches": 0.4,
    "fit": {"steps": 2500, "batch": 64, "muon_rate": 0.01, "adam_rate": 0.002, "cool_down": 0.8},
}
FIRST_LEARNT = 10_000_000_000  # the first seed that is learnt from: far above those held out


def pictures_of(seeds: range) -> tuple[np.ndarray, np.ndarray]:
    """Return the pictures of some seeds, (N, 3, S, S), and their classes (N,)."""
    pairs = [shape_picture(seed) for seed in seeds]
    return np.stack([picture for picture, _ in pairs]), np.array(
        [CLASSES.index(thing.name) for _, thing in pairs]
    )


def train(config, seed, checkpoint, progress) -> Trained:
    """Fit on pictures each drawn once, from seeds of their own."""
    size = config["fit"]["batch"]

    def batch(draw: int) -> tuple[Tensor, Tensor]:
        start = FIRST_LEARNT + draw * size
        pictures, y = pictures_of(range(start, start + size))
        return torch.from_numpy(pictures), torch.from_numpy(y)

    corpus = {
        "name": "coloured shapes of core/pictures/scenes.py",
        "training_pictures": config["fit"]["steps"] * size,
        "held_out_pictures": HELD_OUT[SHAPES],
        "sha256": sha256_of_text(shape_picture(FIRST_LEARNT)[0].tobytes().hex()),
    }
    return vision.train_vision(config, CLASSES, batch, corpus, seed, checkpoint, progress)


def measure() -> dict:
    """Return the share right of pictures never seen, in order and broken, and how attention and need agree."""
    pictures, y = held_out_pictures(SHAPES, HELD_OUT[SHAPES])
    model = stored_vision.__wrapped__(SHAPES)
    shuffled = classes_given(model, pictures, shuffled=True)
    colours, shapes = np.array([name.split() for name in CLASSES]).T
    right = shapes[shuffled] == shapes[y]
    return {
        **vision.measure_accuracy(classes_given(model, pictures) == y, "right, held out"),
        "right, no positions": float(np.mean(classes_given(model, pictures, False) == y)),
        "right, shuffled": float(np.mean(shuffled == y)),
        "right, shuffled, colour": float(np.mean(colours[shuffled] == colours[y])),
        **{
            f"right, shuffled, {each}": float(right[shapes[y] == each].mean()) for each in sorted(set(shapes))
        },
        **measure_attended(model),
    }
