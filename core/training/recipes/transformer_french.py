"""English into French with a transformer."""

from core.text.grammar.english_french import english_french
from core.training import transformer_translation

DESCRIPTION = (
    "Transformer (encoder and decoder) that translates English into French."
    + transformer_translation.CHOSEN_BY
)
CREDITS = transformer_translation.CREDITS
CONFIG = transformer_translation.CONFIG


def train(config, seed, checkpoint, progress):
    """Train on the sentences of the recurrent translators."""
    return transformer_translation.train(
        config, seed, checkpoint, progress, english_french(seed), "English-French sentences"
    )


def measure():
    """Measure on held-out sentences and on longer ones, beside the recurrent translator."""
    return transformer_translation.measure("transformer_french", "translate_french_additive", english_french)
