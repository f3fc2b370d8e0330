"""A GPT on the characters of the plays."""

from core.training.language_models import PLAYS, measure_characters, train_on_characters

DESCRIPTION = "A decoder-only transformer on the characters of the plays."
CREDITS = PLAYS
CONFIG = {
    "network": "gpt",
    "shape": {"context": 256, "layers": 4, "heads": 6, "width": 192},
    "fit": {
        "steps": 7000,
        "batch": 16,
        "window": 256,
        "cool_down": 0.7,
        "muon_rate": 0.03,
        "adam_rate": 0.006,
    },
}
train = train_on_characters


def measure() -> dict:
    """Return its quality on the held-out plays."""
    return measure_characters("char_gpt")
