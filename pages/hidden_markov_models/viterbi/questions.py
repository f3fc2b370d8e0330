"""Exercises on the Viterbi algorithm: one cell, a whole lattice, and the best path of a small weather model."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.hidden_markov_models.forward import forward
from core.models.hidden_markov_models.searches import greedy
from core.models.hidden_markov_models.viterbi import viterbi
from pages.hidden_markov_models.shared.small_weather import draw_weather, lead, write_path


def draw_cell(draws: Draws, difficulty: int) -> Draw:
    """One score of the second day; mistakes: sum, follow the largest score only, forget the emission."""
    weather = draw_weather(draws, min(difficulty + 1, 3), 2)
    start, transition, emission = weather.logarithms
    state = draws.integer(0, len(weather.states) - 1)
    lattice = viterbi(start, transition, emission)
    unseen = np.array([emission[0], np.zeros(len(start))])
    first, ways = np.exp(lattice.scores[0]), np.exp(lattice.candidates[1, :, state])
    return Draw(
        given={**weather.given, "state": weather.states[state]},
        answer=np.exp(lattice.scores[1, state]),
        mistakes={
            "sum": np.exp(forward(start, transition, emission).log_alpha[1, state]),
            "greedy": np.exp(greedy(start, transition, emission).scores[1, state]),
            "emission": np.exp(viterbi(start, transition, unseen).scores[1, state]),
        },
        steps={
            "first": first.tolist(),
            "into": weather.transition[:, state].tolist(),
            "emitted": float(np.exp(emission[1, state])),
            "ways": ways.tolist(),
            "kept": weather.states[int(ways.argmax())],
            "ahead": weather.states[int(first.argmax())],
        },
        digits=4,
    )


def draw_lattice(draws: Draws, difficulty: int) -> Draw:
    """Every score of a lattice; mistakes: sum, extend the best state only, read the transitions the wrong way round."""
    weather = draw_weather(draws, 3 if difficulty == 3 else 2, 2 if difficulty == 1 else 3)
    start, transition, emission = weather.logarithms
    scores = np.exp(viterbi(start, transition, emission).scores).T  # (K, n)
    blank = [[None] * len(weather.diary) for _ in weather.states]
    return Draw(
        given=weather.given,
        answer=scores.ravel(),
        mistakes={
            "sum": np.exp(forward(start, transition, emission).log_alpha).T.ravel(),
            "greedy": np.exp(greedy(start, transition, emission).scores).T.ravel(),
            "transposed": np.exp(viterbi(start, transition.T, emission).scores).T.ravel(),
        },
        steps={
            "top": weather.states[0],
            "begun": float(weather.initial[0]),
            "emitted": np.exp(emission[:2, 0]).tolist(),
            "first": scores[:, 0].tolist(),
            "into": weather.transition[:, 0].tolist(),
            "out": weather.transition[0].tolist(),
            "second": float(scores[0, 1]),
        },
        digits=5,
        table=Table(weather.states, weather.days, blank, is_lattice=True),
    )


def draw_best_path(draws: Draws, difficulty: int) -> Draw | None:
    """The best path; mistakes: search greedily, take the largest score of every column, let the ice creams decide."""
    weather = draw_weather(draws, 2 if difficulty == 1 else 3, 4 if difficulty != 2 else 3)
    tables = weather.logarithms
    lattice = viterbi(*tables)
    searched, emission = greedy(*tables).path, tables[2]
    into = [lattice.candidates[t, :, lattice.path[t]] for t in range(1, len(lattice.path))]
    if min(map(lead, [lattice.final, *into, *emission])) < 0.05:
        return None  # too close to call by hand
    return Draw(
        given=weather.given,
        answer=write_path(weather, lattice.path),
        mistakes={
            "greedy": write_path(weather, searched),
            "alone": write_path(weather, emission.argmax(axis=1)),
        },
        steps={
            "scores": Table(weather.states, weather.diary, np.exp(lattice.scores).T.round(6).tolist()),
            "last": weather.states[lattice.path[-1]],
            "best": float(np.exp(lattice.final.max())),
            "searched": float(np.exp(greedy(*tables).log_probability)),
            "day": weather.diary[0],
            "emitted": np.exp(emission[0]).tolist(),
        },
    )


MAKERS = (Maker(draw_cell), Maker(draw_lattice), Maker(draw_best_path))
