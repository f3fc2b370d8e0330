"""Paragraph vectors of the course's own reviews, by distributed memory and by the distributed bag of words."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.models.documents.document_vectors import divided_by_length
from core.models.documents.fit_paragraphs import RATES, SETTINGS, fit_paragraphs, stored_paragraphs
from core.models.documents.nearest_documents import leave_one_out
from core.text.samples.reviews import reviews
from core.training.recipe import Progress, Trained

DESCRIPTION = "Paragraph vectors of this course's thousand reviews and of their words: PV-DM and PV-DBOW."
CREDITS = ["The reviews, written by a grammar of this course."]
CONFIG = {**SETTINGS, "epochs": 60, "learning_rates": RATES, "precision": "float16"}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Train both; it takes a minute or two, so nothing is kept in the checkpoint folder."""
    documents = reviews()
    models = fit_paragraphs(
        lambda share: progress(share, "paragraph vectors"), documents.texts, seed, config["epochs"]
    )
    weights = {
        f"{kind}_{part}": getattr(model, f"{part}_").astype(np.float16)
        for kind, model in models.items()
        for part in ("documents", "input", "output")
    }
    vocabulary = next(iter(models.values())).vocabulary_
    about = {"words": list(vocabulary.types), "counts": [int(count) for count in vocabulary.counts]}
    corpus = {"The reviews": {"documents": len(documents.texts), "sha256": documents.digest}}
    return Trained(weights, corpus, {"words": about})


def measure() -> dict:
    """Return the share of the reviews of which the nearest other one has the same label."""
    labels = reviews().labels
    y = np.unique(np.asarray(labels), return_inverse=True)[1]
    return {
        f"nearest has the same label, {kind}": leave_one_out(divided_by_length(model.documents_), y).share
        for kind, model in stored_paragraphs().items()
    }
