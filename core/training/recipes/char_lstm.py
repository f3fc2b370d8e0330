"""An LSTM on the characters of the plays."""

from core.training.language_models import PLAYS, measure_characters, train_on_characters

DESCRIPTION = "A long short-term memory on the characters of the plays."
CREDITS = PLAYS
CONFIG = {
    "network": "recurrent",
    "shape": {"cell": "lstm", "width": 160},
    "fit": {"steps": 1000, "batch": 64, "window": 64, "muon_rate": 0.03, "adam_rate": 0.006},
}
train = train_on_characters


def measure() -> dict:
    """Return its quality on the held-out plays."""
    return measure_characters("char_lstm")
