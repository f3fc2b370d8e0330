"""The best n-gram model of the plays' characters, which every network has to beat."""

from pathlib import Path

from core.models.n_grams.ngram_counts import count_ngrams
from core.models.n_grams.packed_counts import pack
from core.training.language_models import PLAYS, character_ids, measure_characters
from core.training.play_text import ALPHABET, play_text
from core.training.recipe import Progress, Trained

DESCRIPTION = "Counts of all runs of up to 7 characters of the plays, read with Kneser-Ney smoothing."
CREDITS = PLAYS
CONFIG = {"network": "n-gram", "order": 7, "smoothing": "Kneser-Ney, three discounts a level"}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Count; nothing here is drawn, so the seed changes nothing."""
    text = play_text()
    progress(0.0, "counting")
    counts = count_ngrams(character_ids("".join(text.training)).numpy(), ALPHABET, config["order"])
    described = {"network": "n-gram", "order": config["order"], "start": ALPHABET.index("\n")}
    return Trained(pack(counts), text.corpus, {"vocabulary": list(ALPHABET), "network": described})


def measure() -> dict:
    """Return its quality on the held-out plays."""
    return measure_characters("char_ngram")
