"""Exercises on hidden Markov models: what random numbers write, the product of a run, and how long a spell lasts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker
from core.models.hidden_markov_models.hmm import joint_log_probability
from core.models.hidden_markov_models.speaking import chosen_by
from pages.hidden_markov_models.shared.small_weather import ICE_CREAMS, Weather, draw_weather


def draw_run(draws: Draws, difficulty: int) -> Draw | None:
    """What random numbers write; mistakes: take the most probable, one number for a whole day, start again each day."""
    days = (2, 2, 3)[difficulty - 1]
    weather = draw_weather(draws, 2 if difficulty == 1 else 3, days)
    luck = [draws.integer(0, 18) * 0.05 + 0.05 for _ in range(2 * days)]
    luck = [round(u + 0.02, 2) for u in luck]  # never at the end of a part, which is a tenth
    run = write_run(weather, luck)
    again = Weather(
        weather.states,
        weather.initial,
        np.tile(weather.initial, (len(weather.states), 1)),
        weather.emission,
        weather.diary,
    )
    runs = {
        "greedy": most_probable_run(weather, days),
        "shared": write_run(weather, [luck[2 * (at // 2)] for at in range(2 * days)]),
        "again": write_run(again, luck),
    }
    before = ["π", *(weather.states[state] for state, _ in run[:-1])]
    return Draw(
        given={**weather.given, "luck": luck},
        answer=spell(weather, run),
        mistakes={name: spell(weather, other) for name, other in runs.items()},
        steps={
            "days": [
                (before[t], luck[2 * t], weather.states[state], luck[2 * t + 1], ICE_CREAMS[eaten])
                for t, (state, eaten) in enumerate(run)
            ],
            "row": weather.transition[run[0][0]].tolist(),
        },
    )


def write_run(weather: Weather, luck: Sequence[float]) -> list[tuple[int, int]]:
    """Return the state and the ice creams of each day: two random numbers a day decide."""
    run = []
    for t in range(0, len(luck), 2):
        row = weather.transition[run[-1][0]] if run else weather.initial
        state = chosen_by(row, luck[t])
        run.append((state, chosen_by(weather.emission[state], luck[t + 1])))
    return run


def most_probable_run(weather: Weather, days: int) -> list[tuple[int, int]]:
    """Return what comes out when each draw takes the most probable thing."""
    states = [int(weather.initial.argmax())]
    while len(states) < days:
        states.append(int(weather.transition[states[-1]].argmax()))
    return [(state, int(weather.emission[state].argmax())) for state in states]


def spell(weather: Weather, run: Sequence[tuple[int, int]]) -> str:
    """Return a run as its days: the state with its ice creams."""
    return ", ".join(f"{weather.states[state]} {ICE_CREAMS[eaten]}" for state, eaten in run)


def draw_product(draws: Draws, difficulty: int) -> Draw:
    """The probability of a path with its diary; mistakes: leave out the emissions, the weather, start again each day."""
    weather = draw_weather(draws, min(difficulty + 1, 3), (2, 2, 3)[difficulty - 1])
    path = [draws.integer(0, len(weather.states) - 1) for _ in weather.diary]
    factors = np.exp(joint_log_probability(path, *weather.logarithms))
    states, words = factors[::2], factors[1::2]
    starts = weather.initial[path]
    return Draw(
        given={**weather.given, "path": [weather.states[state] for state in path]},
        answer=factors.prod(),
        mistakes={"emissions": states.prod(), "transitions": words.prod(), "again": (starts * words).prod()},
        steps={"factors": factors, "moves": states, "words": words, "starts": starts, "n": len(factors)},
        digits=6,
    )


def draw_spell(draws: Draws, difficulty: int) -> Draw:
    """How long a spell lasts; mistakes: leave out the first day, divide by staying, read the column."""
    size = min(difficulty + 1, 3)
    weather = draw_weather(draws, size, 1)
    i = draws.integer(0, size - 1)
    stays = float(weather.transition[i, i])
    j = (i + 1) % size
    return Draw(
        given={**weather.given, "state": weather.states[i]},
        answer=1 / (1 - stays),
        mistakes={
            "first": stays / (1 - stays),
            "stays": 1 / stays,
            "other": 1 / (1 - float(weather.transition[j, j])),
        },
        steps={
            "p": stays,
            "leaves": 1 - stays,
            "another": weather.states[j],
            "p_other": float(weather.transition[j, j]),
        },
        digits=2,
    )


MAKERS = (Maker(draw_run), Maker(draw_product), Maker(draw_spell))
