"""A recurrent decoder that describes scenes of coloured shapes, attending over 64 patches."""

from __future__ import annotations

from core.training import captions
from core.training.recipe import Trained

DESCRIPTION = "A convolutional encoder and a recurrent decoder that describe two groups of coloured shapes."
DESCRIPTION += captions.MEASURED
CREDITS = [
    *captions.CREDITS,
    "Sennrich et al. (2017), Nematus: a Toolkit for Neural Machine Translation, for the conditional GRU",
]
# Combinations never seen go on gaining from more pictures.
AGAIN = captions.AGAIN | {"steps": 4000}
CONFIG = {"decoder": "recurrent", "shape": captions.SHAPE, "fit": captions.FIT, "again": AGAIN}


def train(config, seed, checkpoint, progress) -> Trained:
    """Fit on scenes drawn once each."""
    return captions.train(config, seed, checkpoint, progress)


def measure() -> dict:
    """Measure on held-out scenes, on unseen combinations, and without an image."""
    return captions.measure("captions_recurrent")
