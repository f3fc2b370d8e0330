"""A hidden Markov model's tables as grids of probabilities that can be edited, and the edits as a short text.

The text names places and values only, never a word or a state: transition.0.1:0.9 is row 0, column 1. So it can stand
in an address without giving a learner's words away.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import from_probabilities
from core.models.hidden_markov_models.what_if import rows_of

TABLES = ("initial", "transition", "emission")
DIGITS = 9  # decimals that can be typed
EDITS_AT_MOST = 500

Edits = dict[tuple[str, int, int], float]  # {(table, row, column): probability}


def grids_of(model: HiddenMarkovModel) -> dict[str, np.ndarray]:
    """Return a model's tables as probabilities, rounded to what can be typed: (1, K), (K, K or K + 1), (K, V)."""
    return {name: np.exp(rows_of(model, name)).round(DIGITS) for name in TABLES}


def model_of_grids(model: HiddenMarkovModel, grids: Mapping[str, np.ndarray]) -> HiddenMarkovModel:
    """Return the model that grids describe, with a model's states and words.

    Raises ValueError, with a sentence, for a row that is no distribution.
    """
    K, transition = len(model.states), grids["transition"]
    end = transition[:, K] if transition.shape[1] > K else None
    tables = (grids["initial"][0], transition[:, :K], grids["emission"], end)
    return from_probabilities(model.states, model.vocabulary, *tables)


def edits_between(before: Mapping[str, np.ndarray], after: Mapping[str, np.ndarray]) -> Edits:
    """Return the places at which two sets of grids differ, with the later value; an empty cell is no value."""
    return {
        (name, int(row), int(column)): float(after[name][row, column])
        for name in TABLES
        for row, column in np.argwhere(before[name] != after[name])
        if np.isfinite(after[name][row, column])
    }


def with_edits(grids: Mapping[str, np.ndarray], edits: Edits) -> dict[str, np.ndarray]:
    """Return grids with edits made; what lies outside them is left out."""
    changed = {name: grid.copy() for name, grid in grids.items()}
    for (name, row, column), value in edits.items():
        if row < len(changed[name]) and column < changed[name].shape[1]:
            changed[name][row, column] = value
    return changed


def write_edits(edits: Edits) -> str:
    """Return edits as a short text, the same for the same edits.

    >>> write_edits({("transition", 0, 1): 0.9, ("initial", 0, 0): 0.25})
    'initial.0.0:0.25 transition.0.1:0.9'
    """
    return " ".join(
        f"{name}.{row}.{column}:{value:.{DIGITS}g}" for (name, row, column), value in sorted(edits.items())
    )


def read_edits(text: str) -> Edits:
    """Return the edits that a text names; what is no edit, or no probability, is left out.

    >>> read_edits("initial.0.0:0.25 transition.0.1:7 nonsense emission.0.0:inf")
    {('initial', 0, 0): 0.25}
    """
    edits: Edits = {}
    for part in text.split()[:EDITS_AT_MOST]:
        place, _, value = part.partition(":")
        name, *numbers = place.split(".")
        try:
            row, column = (int(number) for number in numbers)
            probability = float(value)
        except ValueError:
            continue
        if name in TABLES and min(row, column) >= 0 and math.isfinite(probability) and 0 <= probability <= 1:
            edits[name, row, column] = probability
    return edits
