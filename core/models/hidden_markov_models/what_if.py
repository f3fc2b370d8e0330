"""What if a table said otherwise: one probability changed, the neighbours, the words or the memory ignored.

Each function returns a new model; the model that it is given stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.models.hidden_markov_models import WORDS
from core.models.hidden_markov_models.hmm import HiddenMarkovModel

TABLES = ("initial", "transition", "emission")


def without_neighbours(model: HiddenMarkovModel) -> HiddenMarkovModel:
    """Return the model with every transition, and every end, equally likely: only the words are left to decide.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> np.exp(without_neighbours(ice_cream_diary()).log_transition).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    K = len(model.states)
    ways = K if model.log_end is None else K + 1
    even = np.full((K, K), -np.log(ways))
    return replace(model, log_transition=even, log_end=None if model.log_end is None else even[0])


def without_memory(model: HiddenMarkovModel) -> HiddenMarkovModel:
    """Return the model whose next state does not depend on this one, though each state is as frequent as before.

    Every row of the transitions, and the initial probabilities, become the stationary distribution pi = pi A. For a
    model without end probabilities.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> np.exp(without_memory(ice_cream_diary()).log_transition).round(4).tolist()  # 0.2 / (0.2 + 0.5)
    [[0.2857, 0.7143], [0.2857, 0.7143]]
    """
    K = len(model.states)
    balance = np.exp(model.log_transition).T - np.eye(K)  # (K, K): pi A - pi = 0
    equations, total = np.vstack([balance, np.ones(K)]), np.append(np.zeros(K), 1.0)  # and pi sums to one
    stationary = np.clip(np.linalg.lstsq(equations, total)[0], 0, 1)
    with np.errstate(divide="ignore"):
        logs = np.log(stationary)
    return replace(model, log_initial=logs, log_transition=np.tile(logs, (K, 1)))


def without_words(model: HiddenMarkovModel) -> HiddenMarkovModel:
    """Return the model in which every state emits every word equally often: only the neighbours decide.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> np.exp(without_words(ice_cream_diary()).log_emission).round(3).tolist()
    [[0.333, 0.333, 0.333], [0.333, 0.333, 0.333]]
    """
    return replace(model, log_emission=np.full(model.log_emission.shape, -np.log(len(model.vocabulary))))


def with_probability(
    model: HiddenMarkovModel, table: str, row: int, column: int, value: float
) -> HiddenMarkovModel:
    """Return the model with one probability set, the others of its row scaled so that the row sums to one still.

    `table` is "initial" (row 0), "transition" (column K is the end) or "emission". Where the others are all
    nought they share what is left equally. Raises ValueError for a row of one thing alone: its probability is 1.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> changed = with_probability(ice_cream_diary(), "emission", 0, 0, 0.6)  # [0.2, 0.3, 0.5] before
    >>> np.exp(changed.log_emission[0]).round(3).tolist()
    [0.6, 0.15, 0.25]
    """
    logs = rows_of(model, table)
    if logs.shape[1] == 1:
        raise ValueError(
            "This row has one thing only, whose probability is always 1: nothing can be changed."
        )
    others = (1 - value) * shares_of_others(np.exp(logs[row]), column)
    changed = logs.copy()
    with np.errstate(divide="ignore"):
        changed[row] = np.log(others)
        changed[row, column] = np.log(value)
    if table == "initial":
        return replace(model, log_initial=changed[0])
    if table == "emission":
        return replace(model, log_emission=changed)
    K = len(model.states)
    return replace(
        model, log_transition=changed[:, :K], log_end=None if model.log_end is None else changed[:, K]
    )


def shares_of_others(row: np.ndarray, column: int) -> np.ndarray:
    """Return what part of the rest each thing but the one of `column` has, shape (m,); equal parts of a rest of nought.

    >>> shares_of_others(np.array([0.2, 0.3, 0.5]), 0).round(3).tolist()
    [0.0, 0.375, 0.625]
    """
    others = row.copy()
    others[column] = 0
    if others.sum() == 0:
        others[np.arange(len(row)) != column] = 1
    return others / others.sum()


def rows_of(model: HiddenMarkovModel, table: str) -> np.ndarray:
    """Return a table's rows, each the logarithms of one distribution: transitions carry the end as last column."""
    if table == "initial":
        return model.log_initial[None]
    if table == "emission":
        return model.log_emission
    return (
        model.log_transition
        if model.log_end is None
        else np.column_stack([model.log_transition, model.log_end])
    )


def cells_of(
    model: HiddenMarkovModel, words: Sequence[str], most: int = 30
) -> dict[str, tuple[str, int, int]]:
    """Return the probabilities that bear on a sentence and can be changed, by name: {name: (table, row, column)}.

    Of the emissions those of the sentence's first `most` words. A row of one thing alone is always 1 and left out.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> list(cells_of(ice_cream_diary(), ["2"]).items())[:3]
    [('p(hot | start)', ('initial', 0, 0)), ('p(cold | start)', ('initial', 0, 1)), ('p(hot | hot)', ('transition', 0, 0))]
    """
    states = model.states
    inside = [word for word in dict.fromkeys(words) if word in model.index][:most]
    start = WORDS.label("what_if.start")
    cells = {f"p({state} | {start})": ("initial", 0, j) for j, state in enumerate(states)}
    for i, before in enumerate(states):
        cells |= {f"p({state} | {before})": ("transition", i, j) for j, state in enumerate(states)}
    for j, state in enumerate(states):
        cells |= {f"p({word} | {state})": ("emission", j, model.index[word]) for word in inside}
    return {name: cell for name, cell in cells.items() if rows_of(model, cell[0]).shape[1] > 1}
