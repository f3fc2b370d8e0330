"""A GPT on the characters of the plays."""

from core.training.language_models import PLAYS, measure_characters, train_on_characters

DESCRIPTION = "A decoder-only transformer on the characters of the plays."
CREDITS = PLAYS
CONFIG = {
    "network": "gpt",
    "shape": {"context": 256, "layers": 4, "heads": 6, "width": 192},
    "fit": {
        "steps": 3200,
        "batch": 16,
        "window": 256,
        "cool_down": 0.25,
        "muon_rate": 0.03,
        "adam_rate": 0.006,
    },
    "note": "The stored weights come from a run that was resumed twice with a shorter schedule each time: steps"
    " 2300 to 2400 ran at 0.98 to 0.93 of the full rate, 2400 to 2600 at 1 to 0.83; run anew they differ a little.",
}
train = train_on_characters


def measure() -> dict:
    """Return its quality on the held-out plays."""
    return measure_characters("char_gpt")
