"""English into Dutch with a transformer."""

from core.text.grammar.english_dutch import english_dutch
from core.training import transformer_translation

DESCRIPTION = (
    "Transformer (encoder and decoder) that translates English into Dutch."
    + transformer_translation.CHOSEN_BY
)
CREDITS = transformer_translation.CREDITS
CONFIG = {**transformer_translation.CONFIG, "pairs": 80_000}


def train(config, seed, checkpoint, progress):
    """Train on the sentences of the recurrent translators."""
    return transformer_translation.train(
        config, seed, checkpoint, progress, english_dutch(seed), "English-Dutch sentences"
    )


def measure():
    """Measure on held-out sentences and on longer ones, beside the recurrent translator."""
    return transformer_translation.measure("transformer_dutch", "translate_dutch", english_dutch)
