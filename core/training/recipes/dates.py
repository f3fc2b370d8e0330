"""Dates as people write them in four languages into ISO dates, letter by letter, with additive attention."""

from itertools import islice

from core.text.samples.dates import dates
from core.training import translation

DESCRIPTION = "Encoder-decoder with additive attention that turns dates in four languages into ISO dates."
CREDITS = translation.CREDITS
CONFIG = {
    **translation.CONFIG,
    "score": "additive",
    "pairs": 30_000,
    "epochs": 6,
    "rate": 2e-3,
    "hidden": 160,
    "embedding": 48,
    "dropout": 0.1,
}


def train(config, seed, checkpoint, progress):
    """Train on generated dates."""
    return translation.train(
        config, seed, checkpoint, progress, dates(seed), "dates in English, French, Dutch and German"
    )


def measure():
    """Measure on 1,000 held-out dates."""
    return translation.measure("dates", islice(dates(seed=2, held_out=True), 1000))
