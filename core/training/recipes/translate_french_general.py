"""English into French with general (multiplicative) attention."""

from core.training import translation

DESCRIPTION = (
    "Encoder-decoder with general (multiplicative) attention that translates English into French."
    + translation.HOW
)
CREDITS = translation.CREDITS
CONFIG = {**translation.CONFIG, "score": "general"}


def train(config, seed, checkpoint, progress):
    """Train on the sentences that all four French translators share."""
    return translation.train_french(config, seed, checkpoint, progress)


def measure():
    """Measure on held-out sentences, also by their length, and on harder tests."""
    return translation.measure_french("translate_french_general")
