"""Small hidden Markov models of the weather for exercises, whose probabilities are tenths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Table

STATES, ICE_CREAMS = ("hot", "cold", "mild"), ("1", "2", "3")
SUBSCRIPTS = "₁₂₃₄"


@dataclass(frozen=True)
class Weather:
    """A small hidden Markov model with a diary: its tables as probabilities, and the days' ice creams."""

    states: tuple[str, ...]
    initial: np.ndarray  # (K,)
    transition: np.ndarray  # (K, K)
    emission: np.ndarray  # (K, V)
    diary: tuple[str, ...]

    @property
    def logarithms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The logarithms that the algorithms read: start, transitions, and each day's emissions (n, K)."""
        days = [ICE_CREAMS.index(each) for each in self.diary]
        return np.log(self.initial), np.log(self.transition), np.log(self.emission.T[days])

    @property
    def days(self) -> list[str]:
        """The columns of a lattice: each day with its ice creams."""
        return [f"o{SUBSCRIPTS[t]} = {each}" for t, each in enumerate(self.diary)]

    @property
    def given(self) -> dict[str, object]:
        """The model's tables and its diary, as a question shows them."""
        return {
            "steps": Table(
                ("π", *self.states), self.states, [self.initial.tolist(), *self.transition.tolist()]
            ),
            "emission": Table(self.states, ICE_CREAMS, self.emission.tolist()),
            "diary": self.diary,
            "states": self.states,
        }


def draw_weather(draws: Draws, states: int, days: int) -> Weather:
    """Return a model whose probabilities are tenths above 0, and a diary."""
    names = STATES[:states]
    transition = [draws.distribution(states) for _ in names]
    emission = [draws.distribution(len(ICE_CREAMS)) for _ in names]
    diary = tuple(draws.choose(ICE_CREAMS) for _ in range(days))
    tables = (np.array(each) for each in (draws.distribution(states), transition, emission))
    return Weather(names, *tables, diary)


def lead(scores: np.ndarray) -> float:
    """Return by how much the best of some scores is ahead of the second.

    >>> lead(np.array([1.0, 3.0, 2.5]))
    0.5
    """
    second, best = np.sort(scores)[-2:]
    return float(best - second)


def list_probabilities(scores: np.ndarray) -> np.ndarray:
    """Return a lattice's probabilities (K * n), state by state, from its scores (n, K)."""
    return np.exp(scores).T.ravel()


def write_path(weather: Weather, path: tuple[int, ...] | np.ndarray) -> str:
    """Return a path as its states."""
    return ", ".join(weather.states[state] for state in path)
