"""What the recipes of captioners share: fitting on drawn scenes, and what is right to the word of those held out."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from core.models.fit_language_model import FitConfig
from core.models.images.captioner import WORDS
from core.models.images.fit_captions import CaptionFitting
from core.models.images.held_out_scenes import KINDS, measured_scenes, right_to_the_word
from core.models.images.stored_captioner import build_captioner, stored_captioner
from core.models.stored import sha256_of_text
from core.pictures.described_scenes import FIRST_LEARNT, UNSEEN, described_scene, scene_picture
from core.training.language_models import fit_with_checkpoints
from core.training.recipe import Progress, Trained
from core.training.vision import measure_accuracy

SHAPE = {"width": 64, "layers": 2, "heads": 4}
FIT = {"steps": 3000, "batch": 32, "muon_rate": 0.02, "adam_rate": 0.004, "cool_down": 0.6}
# A warm restart, from lower rates: the second time over, pictures of other seeds.
AGAIN = {"steps": 2000, "batch": 32, "muon_rate": 0.012, "adam_rate": 0.0025, "cool_down": 1.0}
MEASURED = " Its measures are of held-out scenes by which nothing of its recipe was chosen."
CREDITS = [
    "Xu et al. (2015), Show, Attend and Tell",
    "Loshchilov and Hutter (2017), SGDR: Stochastic Gradient Descent with Warm Restarts",
    "Pictures and captions made by this course, core/pictures/described_scenes.py",
]


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Fit the captioner that `config` describes to scenes drawn once each, none with an unseen combination.

    The rates fall to nought twice: over the steps of "fit", and from lower ones over those of "again".
    """
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    model: nn.Module = build_captioner(config["decoder"], config["shape"])
    for leg, name in enumerate(("fit", "again")):
        kept = checkpoint / name
        kept.mkdir(exist_ok=True)
        fitting = CaptionFitting(
            model, FitConfig(**config[name], seed=seed + leg)
        )  # other pictures each time
        fit_with_checkpoints(fitting, kept, progress)
    first = described_scene(FIRST_LEARNT)
    corpus = {
        "name": "scenes of core/pictures/described_scenes.py",
        "training_pictures": sum(config[name]["steps"] * config[name]["batch"] for name in ("fit", "again")),
        "combinations_never_drawn": [" ".join(each) for each in UNSEEN],
        "sha256": sha256_of_text(first.caption + scene_picture(first, FIRST_LEARNT).tobytes().hex()),
    }
    weights = {name: tensor.half().numpy() for name, tensor in model.state_dict().items()}
    shape = {"decoder": config["decoder"], "config": config["shape"]}
    return Trained(weights, corpus, {"shape": shape, "vocabulary": list(WORDS)})


def measure(name: str) -> dict[str, float]:
    """Return the share of held-out scenes described right to the word: seen and unseen combinations, and no image."""
    model, found = stored_captioner.__wrapped__(name), {}
    for kind in KINDS:
        scenes = measured_scenes(kind)
        found |= measure_accuracy(right_to_the_word(model, scenes), f"right to the word, {kind}")
    blind = right_to_the_word(model, measured_scenes(KINDS[0]), no_image=True)
    return found | measure_accuracy(blind, "right to the word, no image")
