"""English into Dutch with additive attention."""

from core.text.grammar.english_dutch import english_dutch
from core.training import translation

DESCRIPTION = "Encoder-decoder with additive attention that translates English into Dutch." + translation.HOW
CREDITS = translation.CREDITS
CONFIG = {**translation.CONFIG, "score": "additive", "pairs": 80_000}


def train(config, seed, checkpoint, progress):
    """Train on generated sentences."""
    return translation.train(
        config, seed, checkpoint, progress, english_dutch(seed), "English-Dutch sentences"
    )


def measure():
    """Measure on held-out sentences, also by their length, and on harder tests."""
    held_out = english_dutch(seed=2, held_out=True)
    usual = translation.measure("translate_dutch", translation.first(held_out), translation.LENGTHS)
    return usual | translation.measure_harder("translate_dutch", translation.DUTCH)
