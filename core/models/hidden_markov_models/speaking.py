"""A hidden Markov model speaks: it draws a state, draws what the state emits, draws the next state.

Each draw turns one number u, even between 0 and 1, into one of several things: the first whose cumulative probability
p_1 + ... + p_j is larger than u.

Source: Rabiner, A tutorial on hidden Markov models (1989), section II.B: the model as a generator of observations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.what_if import without_memory


@dataclass(frozen=True)
class Draw:
    """One draw: what it was made from, the number that decided, and what came of it."""

    kind: str  # "state" or "word"
    t: int  # which word of the sentence, from 0
    row: int  # the state whose row was drawn from; -1: the initial probabilities
    probabilities: np.ndarray  # (m,)
    uniform: float  # 0 <= u < 1
    chosen: int

    @property
    def cumulative(self) -> np.ndarray:
        """p_1 + ... + p_j of each thing, shape (m,): where its part of the line from 0 to 1 ends."""
        return self.probabilities.cumsum()


def chosen_by(probabilities: np.ndarray, uniform: float) -> int:
    """Return the first thing whose cumulative probability is larger than u.

    >>> chosen_by(np.array([0.6, 0.4]), 0.59), chosen_by(np.array([0.6, 0.4]), 0.6)
    (0, 1)
    """
    cumulative = probabilities.cumsum()  # its end may be 1 but for rounding
    return int(np.searchsorted(cumulative, uniform * cumulative[-1], side="right"))


def speak(model: HiddenMarkovModel, length: int, seed: int) -> list[Draw]:
    """Return the 2 `length` draws by which a model without end probabilities says so many words: state, word, ...

    The n-th number of the seed decides the n-th draw, whatever the tables: with another table the same luck.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> [(draw.kind, round(draw.uniform, 2), draw.chosen) for draw in speak(ice_cream_diary(), 2, seed=1)]
    [('state', 0.51, 0), ('word', 0.95, 2), ('state', 0.14, 0), ('word', 0.95, 2)]
    """
    luck = np.random.default_rng(seed).random(2 * length)
    initial, transition, emission = map(np.exp, (model.log_initial, model.log_transition, model.log_emission))
    draws, state = [], -1
    for t in range(length):
        row = initial if t == 0 else transition[state]
        draws.append(Draw("state", t, state, row, float(luck[2 * t]), chosen_by(row, luck[2 * t])))
        state = draws[-1].chosen
        word = chosen_by(emission[state], luck[2 * t + 1])
        draws.append(Draw("word", t, state, emission[state], float(luck[2 * t + 1]), word))
    return draws


def drawn(draws: list[Draw], kind: str) -> list[int]:
    """Return what the draws of a kind, "state" or "word", gave."""
    return [draw.chosen for draw in draws if draw.kind == kind]


def mean_run(states: list[int]) -> float:
    """Return how many times in a row a state comes up on average before another one does.

    >>> mean_run([0, 0, 0, 1])
    2.0
    """
    runs = 1 + sum(before != after for before, after in pairwise(states))
    return len(states) / runs


def expected_run(model: HiddenMarkovModel) -> float:
    """Return how many times in a row a state comes up in the long run: 1 / sum_i pi_i (1 - a_ii), with pi = pi A.

    For a model without end probabilities whose state changes at times.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> round(expected_run(ice_cream_diary()), 2)  # pi = (2/7, 5/7): 1 / (2/7 · 0.5 + 5/7 · 0.2)
    3.5
    """
    stationary = np.exp(without_memory(model).log_initial)
    leaves = 1 - np.exp(np.diag(model.log_transition))
    return float(1 / (stationary @ leaves))


def sampled_sentences(model: HiddenMarkovModel, length: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Yield, for ever, sentences of `length` words emitted by the model itself, its end left out."""
    generator = np.random.default_rng(seed)
    K, V = model.log_emission.shape
    initial, emission = np.exp(model.log_initial), np.exp(model.log_emission).cumsum(axis=1)  # (K,), (K, V)
    transition = np.exp(model.log_transition)
    transition = transition / np.maximum(transition.sum(axis=1, keepdims=True), 1e-300)
    while True:
        state, words = generator.choice(K, p=initial / initial.sum()), []
        for _ in range(length):
            column = np.searchsorted(emission[state], generator.random() * emission[state, -1], side="right")
            words.append(model.vocabulary[min(column, V - 1)])
            state = min(np.searchsorted(transition[state].cumsum(), generator.random()), K - 1)
        yield tuple(words)
