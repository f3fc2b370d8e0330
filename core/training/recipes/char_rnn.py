"""A plain recurrent network on the characters of the plays."""

from core.training.language_models import PLAYS, measure_characters, train_on_characters

DESCRIPTION = "A plain recurrent network on the characters of the plays."
CREDITS = PLAYS
CONFIG = {
    "network": "recurrent",
    "shape": {"cell": "rnn", "width": 160},
    "fit": {"steps": 1000, "batch": 64, "window": 64, "muon_rate": 0.01, "adam_rate": 0.003},
}
train = train_on_characters


def measure() -> dict:
    """Return its quality on the held-out plays."""
    return measure_characters("char_rnn")
