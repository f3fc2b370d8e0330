"""A feed-forward language model on the characters of the plays."""

from core.training.language_models import PLAYS, measure_characters, train_on_characters

DESCRIPTION = "A feed-forward network over the last 20 characters of the plays."
CREDITS = PLAYS
CONFIG = {
    "network": "feed-forward",
    "shape": {"context": 20, "embedding": 32, "hidden": 512, "layers": 5, "cut_short": 0.25, "dropout": 0.1},
    "fit": {
        "steps": 6500,
        "batch": 16,
        "window": 256,
        "cool_down": 0.5,
        "muon_rate": 0.03,
        "adam_rate": 0.006,
    },
}
train = train_on_characters


def measure() -> dict:
    """Return its quality on the held-out plays."""
    return measure_characters("char_feedforward")
