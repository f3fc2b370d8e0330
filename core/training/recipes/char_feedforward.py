"""A feed-forward language model on the characters of the plays."""

from core.training.language_models import PLAYS, measure_characters, train_on_characters

DESCRIPTION = "A feed-forward network over the last 16 characters of the plays."
CREDITS = PLAYS
CONFIG = {
    "network": "feed-forward",
    "shape": {"context": 16, "embedding": 32, "hidden": 1024},
    "fit": {"steps": 1200, "batch": 16, "window": 256, "muon_rate": 0.03, "adam_rate": 0.006},
}
train = train_on_characters


def measure() -> dict:
    """Return its quality on the held-out plays."""
    return measure_characters("char_feedforward")
