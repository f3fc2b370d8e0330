"""Two recurrent classifiers of the course's reviews, one from the left and one from both ends."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.models.documents.bag_of_words import held_out_places
from core.models.documents.held_out import judge
from core.models.documents.recurrent_classifier import (
    BATCH,
    EPOCHS,
    RATES,
    UNITS,
    WIDTH,
    fit_classifiers,
    load_review_classifiers,
)
from core.models.stored import sha256_of_text
from core.text.samples.reviews import reviews
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "Two recurrent classifiers of reviews: a GRU from the left, and one from each end with half the units."
)
CREDITS = ["Reviews by the seeded grammar of this course, core/text/samples/reviews.py"]
CONFIG = {"width": WIDTH, "units": UNITS, "batch": BATCH, "epochs": EPOCHS, **RATES}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Fit both on the reviews that are not held out; a minute needs no checkpoint."""
    documents = reviews()

    def report(now) -> bool:
        progress(now.step / now.steps, f"{now.network}: loss {now.loss:.3f}")
        return True

    found = fit_classifiers(report, documents.texts, documents.labels, seed)
    weights = {
        f"{name}.{key}": tensor.half().numpy()
        for name, each in found.items()
        for key, tensor in each.network.state_dict().items()
    }
    held = held_out_places(documents.labels)
    corpus = {
        "name": "the course's own reviews, core/text/samples/reviews.py",
        "training_documents": int((~held).sum()),
        "held_out_documents": int(held.sum()),
        "sha256": sha256_of_text("\n".join(documents.texts)),
    }
    one = next(iter(found.values()))
    return Trained(weights, corpus, {"pieces": one.pieces.names, "classes": one.classes})


def measure() -> dict:
    """Return the share of held-out reviews that each stored classifier is right on."""
    documents = reviews()
    held = held_out_places(documents.labels)
    _, y = np.unique(np.asarray(documents.labels), return_inverse=True)
    found = load_review_classifiers([documents.texts[i] for i in np.flatnonzero(held)])
    return {name: judge(each.posteriors, y[held]).accuracy for name, each in found.items()}
