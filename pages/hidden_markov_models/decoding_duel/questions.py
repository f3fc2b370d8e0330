"""Exercises on pruning searches: the path of greedy search, the scores of a beam, and how many products each needs."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.hidden_markov_models.searches import beam, greedy
from core.models.hidden_markov_models.viterbi import viterbi
from pages.hidden_markov_models.shared.small_weather import draw_weather, lead, list_probabilities, write_path

NEAR = 0.02  # nats: scores that differ by less are too close to call by hand
WIDTH = 2  # of the beam whose scores are computed by hand


def draw_greedy_path(draws: Draws, difficulty: int) -> Draw | None:
    """The path of greedy search; mistakes: find the best path, let each day decide alone."""
    weather = draw_weather(draws, 3, max(3, difficulty + 1))
    tables = weather.logarithms
    search, lattice, emission = greedy(*tables), viterbi(*tables), tables[2]
    into = [lattice.candidates[t, :, lattice.path[t]] for t in range(1, len(lattice.path))]
    if min(map(lead, [*search.scores, lattice.final, *into, *emission])) < NEAR:
        return None
    return Draw(
        given=weather.given,
        answer=write_path(weather, search.path),
        mistakes={
            "viterbi": write_path(weather, lattice.path),
            "alone": write_path(weather, emission.argmax(axis=1)),
        },
        steps={
            "scores": Table(weather.states, weather.diary, np.exp(search.scores).T.round(6).tolist()),
            "taken": [weather.states[state] for state in search.path],
            "found": float(np.exp(search.log_probability)),
            "best": float(np.exp(lattice.log_probability)),
            "day": weather.diary[0],
            "emitted": np.exp(emission[0]).tolist(),
        },
    )


def draw_beam(draws: Draws, difficulty: int) -> Draw | None:
    """The scores of a beam of two; mistakes: prune nothing, keep one state only."""
    weather = draw_weather(draws, 3, 2 if difficulty == 1 else 3)
    tables = weather.logarithms
    search = beam(*tables, width=WIDTH)
    best = greedy(*tables).scores
    if min(map(lead, [*best, *(np.sort(scores)[:2] for scores in search.scores)])) < NEAR:
        return None
    pruned = int(np.flatnonzero(~search.kept[0])[0])
    kept = [state for state in range(3) if state != pruned]
    state = int(search.scores[1].argmax())
    first = np.exp(search.scores[0])
    return Draw(
        given=weather.given,
        answer=list_probabilities(search.scores),
        mistakes={
            "viterbi": list_probabilities(viterbi(*tables).scores),
            "greedy": list_probabilities(greedy(*tables).scores),
        },
        steps={
            "first": first.tolist(),
            "pruned": weather.states[pruned],
            "kept": [weather.states[i] for i in kept],
            "ways": [(weather.states[i], first[i], weather.transition[i, state]) for i in kept],
            "state": weather.states[state],
            "emitted": float(np.exp(tables[2][1, state])),
            "second": float(np.exp(search.scores[1, state])),
        },
        digits=5,
        table=Table(weather.states, weather.days, [[None] * len(weather.diary)] * 3, is_lattice=True),
    )


def draw_products(draws: Draws, difficulty: int) -> Draw | None:
    """How many products a beam needs; mistakes: extend every state, keep one state, give the first word K^2 too."""
    K, n = draws.integer(4, 12), draws.integer(3, 8) * (1 if difficulty == 1 else 5)
    width = draws.integer(2, K - 1)
    tables = (np.zeros(K), np.zeros((K, K)), np.zeros((n, K)))
    search = beam(*tables, width=width)
    return Draw(
        given={"n": n, "K": K, "width": width},
        answer=search.products,
        mistakes={
            "viterbi": viterbi(*tables).products,
            "greedy": greedy(*tables).products,
            "first": search.products - K + width * K,
        },
        steps={"later": n - 1, "each": width * K, "all": K * K},
    )


MAKERS = (Maker(draw_greedy_path), Maker(draw_beam), Maker(draw_products))
