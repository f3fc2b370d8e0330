"""A transformer decoder that describes scenes of coloured shapes, attending over 64 patches."""

from __future__ import annotations

from core.training import captions
from core.training.recipe import Trained

DESCRIPTION = "A convolutional encoder and a transformer decoder that describe two groups of coloured shapes."
DESCRIPTION += captions.MEASURED
CREDITS = [*captions.CREDITS, "Vaswani et al. (2017), Attention Is All You Need"]
# Most errors are counts, of two groups of one colour: a third block and half as many pictures again halve them.
CONFIG = {
    "decoder": "transformer",
    "shape": captions.SHAPE | {"layers": 3},
    "fit": captions.FIT | {"steps": 4500},
    "again": captions.AGAIN | {"steps": 3000},
}


def train(config, seed, checkpoint, progress) -> Trained:
    """Fit on scenes drawn once each."""
    return captions.train(config, seed, checkpoint, progress)


def measure() -> dict:
    """Measure on held-out scenes, on unseen combinations, and without an image."""
    return captions.measure("captions_transformer")
