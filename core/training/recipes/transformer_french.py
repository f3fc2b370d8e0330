"""English into French with a transformer."""

from core.text.grammar.english_french import english_french
from core.training import transformer_translation

DESCRIPTION = "Transformer (encoder and decoder) that translates English into French."
CREDITS = transformer_translation.CREDITS
CONFIG = {
    **transformer_translation.CONFIG,
    "fit": {**transformer_translation.CONFIG["fit"], "steps": 9000},
    "note": "The stored French weights come from a run that was planned for 3800 steps and resumed at step 3900 with this"
    " schedule: the rates, down to nought by then, rose again once. Run anew they differ a little.",
}


def train(config, seed, checkpoint, progress):
    """Train on the sentences of the recurrent translators."""
    return transformer_translation.train(
        config, seed, checkpoint, progress, english_french(seed), "English-French sentences"
    )


def measure():
    """Measure on held-out sentences and on longer ones, beside the recurrent translator."""
    return transformer_translation.measure("transformer_french", "translate_french_additive", english_french)
