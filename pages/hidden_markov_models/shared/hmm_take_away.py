"""What the lessons on hidden Markov models share at their end: a notebook's parameters and sources."""

from __future__ import annotations

import numpy as np

from core.models.stored import load_card
from pages.hidden_markov_models.shared import WORDS
from pages.hidden_markov_models.shared.hmm_choice import model_of


def list_sources() -> list[str]:
    """Return the sources of the subject and of the stored tagger. Raises StoredModelError."""
    return [*WORDS.entries("sources"), *load_card("tagger").credits]


def model_parameters(name: str) -> dict[str, object]:
    """Return the values of a notebook's parameters `tables` and `name`: a learner's own model is written out."""
    if name != "yours":
        return {"tables": None, "name": name}
    model = model_of(name)
    logs = {
        "initial": model.log_initial,
        "transition": model.log_transition,
        "emission": model.log_emission,
        "end": model.log_end,
    }
    tables = {key: None if log is None else np.exp(log).round(9).tolist() for key, log in logs.items()}
    named = {"states": list(model.states), "vocabulary": list(model.vocabulary)}
    return {"tables": {**named, **tables}, "name": name}
