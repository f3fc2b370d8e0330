"""What if a table said otherwise: one probability changed, the neighbours ignored, the words ignored.

Each function returns a new model; the model that it is given stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.models.hidden_markov_models.hmm import HiddenMarkovModel, viterbi

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
    nought they share what is left equally.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> changed = with_probability(ice_cream_diary(), "emission", 0, 0, 0.6)  # [0.2, 0.3, 0.5] before
    >>> np.exp(changed.log_emission[0]).round(3).tolist()
    [0.6, 0.15, 0.25]
    """
    logs = rows_of(model, table)
    probabilities = np.exp(logs[row])
    others = np.delete(probabilities, column)
    total = others.sum()
    others = (
        others * (1 - value) / total if total > 0 else np.full(len(others), (1 - value) / max(1, len(others)))
    )
    changed = logs.copy()
    with np.errstate(divide="ignore"):
        changed[row] = np.log(np.insert(others, column, value))
    if table == "initial":
        return replace(model, log_initial=changed[0])
    if table == "emission":
        return replace(model, log_emission=changed)
    K = len(model.states)
    return replace(
        model, log_transition=changed[:, :K], log_end=None if model.log_end is None else changed[:, K]
    )


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


@dataclass(frozen=True)
class Sweep:
    """The best path, and its ln p, for each value of one probability."""

    values: np.ndarray  # (m,)
    log_probabilities: np.ndarray  # (m,)
    paths: tuple[tuple[int, ...], ...]

    @property
    def flips(self) -> list[float]:
        """The values at which the best path becomes another one."""
        return [
            float(self.values[i]) for i in range(1, len(self.paths)) if self.paths[i] != self.paths[i - 1]
        ]


def sweep(
    model: HiddenMarkovModel, words: list[str], table: str, row: int, column: int, points: int = 101
) -> Sweep:
    """Return what Viterbi finds as one probability goes from 0 to 1, `points` values in all.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> sweep(ice_cream_diary(), ["2", "1"], "initial", 0, 0).flips  # p(hot) on day one
    [0.62]
    """
    values = np.linspace(0, 1, points)
    found = []
    for value in values:
        changed = with_probability(model, table, row, column, float(value))
        emission = changed.emissions(words).log_emission
        found.append(viterbi(changed.log_initial, changed.log_transition, emission, changed.log_end))
    return Sweep(
        values,
        np.array([lattice.log_probability for lattice in found]),
        tuple(lattice.path for lattice in found),
    )
