"""Both models of paragraph vectors of the same documents: trained on a learner's, or stored for the course's reviews."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from core.models.documents.paragraph_vectors import ParagraphVectors, PvDbow, PvDm
from core.models.stored import MODELS, load_card, load_json, load_weights
from core.text.tokenization.tokens import words
from core.text.tokenization.vocabulary import Vocabulary

DM, DBOW = "PV-DM", "PV-DBOW"
SETTINGS = {"dimension": 32, "window": 5, "negatives": 5, "subsampling": 1e-3, "min_count": 1}
READ, MOST_EPOCHS = 1_200_000, 300  # tokens that a training reads over all its epochs
RATES = {DM: 0.1, DBOW: 0.025}
TOKENS_AT_MOST = 60_000  # of a learner's documents: of more of them only the beginnings are read

Pair = dict[str, ParagraphVectors]


def paragraph_epochs(tokens: int) -> int:
    """Return how often a training reads so many tokens: the fewer there are the more often.

    >>> paragraph_epochs(20_000), paragraph_epochs(100)
    (60, 300)
    """
    return min(MOST_EPOCHS, READ // max(1, tokens))


def unfitted(seed: int, epochs: int) -> Pair:
    """Return both models before training."""
    settings = {**SETTINGS, "epochs": epochs, "seed": seed}
    return {
        DM: PvDm(**settings, learning_rate=RATES[DM]),
        DBOW: PvDbow(**settings, learning_rate=RATES[DBOW]),
    }


def fit_paragraphs(
    report: Callable[[float], bool], texts: Sequence[str], seed: int = 1, epochs: int = 0
) -> Pair | None:
    """Return both models of some documents, None when `report(share done)` says to stop. Raises TrainingError.

    Without a number of epochs there are as many as so many words ask for.
    """
    each = max(1, TOKENS_AT_MOST // max(1, len(texts)))
    documents = [words(text)[:each] for text in texts]
    models = unfitted(seed, epochs or paragraph_epochs(sum(map(len, documents))))
    going = True
    for number, model in enumerate(models.values()):

        def on(share: float, number: int = number) -> bool:
            nonlocal going
            going = report((number + share) / len(models)) is not False
            return going

        model.fit(documents, on)
        if not going:
            return None
    return models


def stored_paragraphs(name: str = "paragraphs", folder: Path = MODELS) -> Pair:
    """Return both models of the course's reviews as they are stored, in the reviews' order."""
    weights, about, card = (
        load_weights(name, folder),
        load_json(name, "words", folder),
        load_card(name, folder),
    )
    models = unfitted(card.seed, card.config["epochs"])
    for kind, model in models.items():
        model.vocabulary_ = Vocabulary(tuple(about["words"]), tuple(about["counts"]))
        for part in ("documents", "input", "output"):
            setattr(model, f"{part}_", weights[f"{kind}_{part}"].astype(np.float32))
    return models
