"""What the lessons on hidden Markov models share at their end: notebook cells and sources."""

from __future__ import annotations

import numpy as np

from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.stored import load_card
from pages.hidden_markov_models.shared import WORDS
from pages.hidden_markov_models.shared.hmm_choice import model_of

SOURCES = [*WORDS.entries("sources"), *load_card("tagger").credits]
CELLS = {
    "diary": "from core.models.hidden_markov_models.hmm_tables import ice_cream_diary\n\nmodel = ice_cream_diary()",
    "toy": "from core.models.hidden_markov_models.hmm_tables import noun_verb_toy\n\nmodel = noun_verb_toy()",
    "tagger": "from core.models.hidden_markov_models.tagger import load_tagger\n\nmodel = load_tagger()",
}


def model_cell(name: str) -> str:
    """Return the notebook cell that makes a model as `model`."""
    return CELLS.get(name) or tables_cell(model_of(name))


def tables_cell(model: HiddenMarkovModel) -> str:
    """Return the notebook cell that writes a model's tables out."""
    tables = {
        name: None if table is None else np.exp(table).round(9).tolist()
        for name, table in (
            ("initial", model.log_initial),
            ("transition", model.log_transition),
            ("emission", model.log_emission),
            ("end", model.log_end),
        )
    }
    lines = "".join(f"{name} = {table!r}\n" for name, table in tables.items())
    return (
        "from core.models.hidden_markov_models.hmm_tables import from_probabilities\n\n"
        f"states = {list(model.states)!r}\nvocabulary = {list(model.vocabulary)!r}\n{lines}"
        "model = from_probabilities(states, vocabulary, initial, transition, emission, end)"
    )


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
