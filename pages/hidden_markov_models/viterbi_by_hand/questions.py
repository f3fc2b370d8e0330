"""Exercises on Viterbi by hand: a cell from the column before it, a whole table, and the path that arrows lead back."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.hidden_markov_models.forward import forward
from core.models.hidden_markov_models.viterbi import trace_back, viterbi
from pages.hidden_markov_models.shared.small_weather import (
    Weather,
    draw_weather,
    lead,
    list_probabilities,
    write_path,
)

NEAR = 0.05  # nats: ways that differ by less are too close to call


def draw_next_cell(draws: Draws, difficulty: int) -> Draw | None:
    """A cell from the scores before it; mistakes: add the ways, keep the smallest way, leave out the emission."""
    weather = draw_weather(draws, 2 if difficulty == 1 else 3, 2)
    K = len(weather.states)
    state = draws.integer(0, K - 1)
    before = np.array([draws.integer(5, 60) for _ in range(K)]) / (100 if difficulty < 3 else 1000)
    start, transition, emission = np.log(before), *weather.logarithms[1:]
    tables = start, transition, np.array([np.zeros(K), emission[1]])
    unseen = start, transition, np.zeros((2, K))
    lattice = viterbi(*tables)
    ways = np.exp(lattice.candidates[1, :, state])
    if lead(lattice.candidates[1, :, state]) < NEAR:
        return None
    return Draw(
        given={
            "states": weather.states,
            "transitions": Table(weather.states, weather.states, weather.transition.tolist()),
            "before": Table(("v",), weather.states, [before.tolist()]),
            "state": weather.states[state],
            "count": weather.diary[1],
            "emitted": float(weather.emission[state, int(weather.diary[1]) - 1]),
        },
        answer=ways.max(),
        mistakes={
            "sum": np.exp(forward(*tables).log_alpha[1, state]),
            "smaller": ways.min(),
            "no_emission": np.exp(viterbi(*unseen).scores[1, state]),
        },
        steps={
            "scores": before,
            "into": weather.transition[:, state],
            "ways": ways,
            "kept": weather.states[int(ways.argmax())],
            "least": weather.states[int(ways.argmin())],
        },
        digits=5,
    )


def draw_table(draws: Draws, difficulty: int) -> Draw:
    """The whole table; mistakes: add the ways, leave out every emission after day 1, begin with the emission alone."""
    weather = draw_weather(draws, 2, difficulty + 1 if difficulty < 3 else 3)
    start, transition, emission = weather.logarithms
    late = np.vstack([emission[:1], np.zeros((len(emission) - 1, 2))])
    lattice = viterbi(start, transition, emission)
    found = np.exp(lattice.scores)
    ways = [(name, found[0, i], weather.transition[i, 0]) for i, name in enumerate(weather.states)]
    return Draw(
        given=weather.given,
        answer=list_probabilities(lattice.scores),
        mistakes={
            "sum": list_probabilities(forward(start, transition, emission).log_alpha),
            "no_emission": list_probabilities(viterbi(start, transition, late).scores),
            "no_start": list_probabilities(viterbi(np.zeros(2), transition, emission).scores),
        },
        steps={
            "first": found[0],
            "start": weather.initial,
            "emitted": np.exp(emission[:2]),
            "ways": ways,
            "second": float(found[1, 0]),
        },
        digits=5,
        table=Table(weather.states, weather.days, [[None] * len(weather.diary)] * 2, is_lattice=True),
    )


def draw_trace(draws: Draws, difficulty: int) -> Draw | None:
    """The path that the arrows lead back; mistakes: take each column's largest, trace back from the smallest end."""
    weather = draw_weather(draws, 2 if difficulty == 1 else 3, (3, 3, 4)[difficulty - 1])
    lattice = viterbi(*weather.logarithms)
    if (
        min(map(lead, [*lattice.scores, *(column for day in lattice.candidates[1:] for column in day.T)]))
        < NEAR
    ):
        return None
    last = int(lattice.scores[-1].argmax())
    return Draw(
        given={
            "scores": Table(weather.states, weather.days, np.exp(lattice.scores).T.round(6).tolist()),
            "arrows": Table(weather.states, weather.days, arrows_of(weather, lattice.backpointers)),
        },
        answer=write_path(weather, lattice.path),
        mistakes={
            "largest": write_path(weather, lattice.scores.argmax(axis=1)),
            "smallest": write_path(
                weather, trace_back(lattice.backpointers, int(lattice.scores[-1].argmin()))
            ),
        },
        steps={
            "last": weather.states[last],
            "n": len(weather.diary),
            "end": float(np.exp(lattice.scores[-1].max())),
            "low": float(np.exp(lattice.scores[-1].min())),
            "before": weather.states[lattice.path[-2]],
            "parted": first_parting(weather, lattice.path, lattice.scores.argmax(axis=1)),
        },
    )


def arrows_of(weather: Weather, backpointers: np.ndarray) -> list[list[str]]:
    """Return which state each cell came from, state by state; a dash on day 1."""
    return [["–", *(weather.states[i] for i in row[1:])] for row in backpointers.T]


def first_parting(weather: Weather, path: tuple[int, ...], other: np.ndarray) -> tuple[int, str, str]:
    """Return the first day on which two paths differ, from 1, and their states then; day 1 where they never do."""
    t = next((t for t, (i, j) in enumerate(zip(path, other, strict=True)) if i != j), 0)
    return t + 1, weather.states[path[t]], weather.states[other[t]]


MAKERS = (Maker(draw_next_cell), Maker(draw_table), Maker(draw_trace))
