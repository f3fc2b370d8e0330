"""A transformer decoder that describes scenes of coloured shapes, attending over 64 patches."""

from __future__ import annotations

from core.training import captions
from core.training.recipe import Trained

DESCRIPTION = "A convolutional encoder and a transformer decoder that describe two groups of coloured shapes."
DESCRIPTION += captions.MEASURED
CREDITS = [*captions.CREDITS, "Vaswani et al. (2017), Attention Is All You Need"]
CONFIG = {"decoder": "transformer", "shape": captions.SHAPE, "fit": captions.FIT, "again": captions.AGAIN}


def train(config, seed, checkpoint, progress) -> Trained:
    """Fit on scenes drawn once each."""
    return captions.train(config, seed, checkpoint, progress)


def measure() -> dict:
    """Measure on held-out scenes, on unseen combinations, and without an image."""
    return captions.measure("captions_transformer")
