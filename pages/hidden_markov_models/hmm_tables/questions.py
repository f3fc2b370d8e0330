"""Exercises on editing HMM probabilities: a row that must sum to 1, the best path after an edit, and where it flips."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.hidden_markov_models.flips import Stretch, best_paths, curve_of_path
from core.models.hidden_markov_models.hmm import HiddenMarkovModel, joint_log_probability
from core.models.hidden_markov_models.hmm_tables import from_probabilities
from core.models.hidden_markov_models.viterbi import viterbi
from core.models.hidden_markov_models.what_if import with_probability, without_words
from pages.hidden_markov_models.shared.small_weather import (
    ICE_CREAMS,
    Weather,
    draw_weather,
    lead,
    write_path,
)

NEAR = 0.05  # nats: paths that differ by less are too close to call
MOVED = ("transition", 0, 0)  # p(hot after hot)
HALVINGS = 50


def model_of(weather: Weather) -> HiddenMarkovModel:
    """Return the model of a small weather."""
    return from_probabilities(
        weather.states, ICE_CREAMS, weather.initial, weather.transition, weather.emission
    )


def draw_row(draws: Draws, difficulty: int) -> Draw | None:
    """A row after one of its numbers moves; mistakes: leave the others, share equally, take the same off each."""
    size = min(difficulty + 2, 4)
    names = ("hot", "cold", "mild", "wet")[:size]
    row = np.array(draws.distribution(size, 20 if difficulty > 1 else 10))
    i = draws.integer(0, size - 1)
    p = draws.decimal(0.1, 0.9)
    even = np.full((size, size), 1 / size)
    even[0] = row
    model = from_probabilities(names, ("1",), even[1], even, np.ones((size, 1)))
    moved = np.exp(with_probability(model, "transition", 0, i, p).log_transition[0])
    others = np.arange(size) != i
    taken = (p - row[i]) / (size - 1)
    if abs(p - row[i]) < 0.1 or (row[others] - taken).min() <= 0:
        return None
    shown = next(j for j in range(size) if j != i)
    return Draw(
        given={"table": Table(("hot",), names, [row.tolist()]), "column": names[i], "p": p},
        answer=moved,
        mistakes={
            "left": np.where(others, row, p),
            "equal": np.where(others, (1 - p) / (size - 1), p),
            "same": np.where(others, row - taken, p),
        },
        steps={
            "rest": 1 - p,
            "old_rest": float(1 - row[i]),
            "name": names[shown],
            "share": float(row[shown]),
            "new": float(moved[shown]),
            "sum": float(row[others].sum() + p),
            "n": size - 1,
            "part": (1 - p) / (size - 1),
            "taken": abs(float(taken)),
        },
        table=Table(("hot",), names, [[None] * size]),
    )


def draw_edited_path(draws: Draws, difficulty: int) -> Draw | None:
    """The best path after an edit; mistakes: keep the old path, let each day decide alone."""
    weather = draw_weather(draws, 3 if difficulty == 3 else 2, 4 if difficulty == 2 else 3)
    p = draws.decimal(0.1, 0.9)
    changed = with_probability(model_of(weather), *MOVED, p)
    start, transition, emission = weather.logarithms
    before, after = viterbi(start, transition, emission), viterbi(start, changed.log_transition, emission)
    into = [each.candidates[t, :, each.path[t]] for each in (before, after) for t in range(1, len(each.path))]
    if min(map(lead, [before.final, after.final, *into, *emission])) < NEAR:
        return None
    old = np.exp(joint_log_probability(before.path, start, changed.log_transition, emission).sum())
    return Draw(
        given={**weather.given, "p": p, "now": float(weather.transition[0, 0])},
        answer=write_path(weather, after.path),
        mistakes={
            "before": write_path(weather, before.path),
            "alone": write_path(weather, emission.argmax(axis=1)),
        },
        steps={
            "row": np.exp(changed.log_transition[0]).round(6).tolist(),
            "best": float(np.exp(after.log_probability)),
            "old": float(old),
        },
    )


def draw_flip(draws: Draws, difficulty: int) -> Draw | None:
    """Where two paths are equal; mistakes: leave 1 - p as it is, leave out the emissions."""
    weather = draw_weather(draws, 2, 4 if difficulty == 3 else 3)
    model, words = model_of(weather), weather.diary
    days = [ICE_CREAMS.index(day) for day in words]
    stretches = best_paths(model, words, *MOVED)
    if len(stretches) < 2:
        return None
    paths = [stretch.path for stretch in stretches[:2]]
    curves = curves_of(model, words, paths)
    now = float(weather.transition[0, 0])
    still = [
        replace(curve, log_constant=curve.log_constant + curve.rest * np.log(1 - now), rest=0)
        for curve in curves
    ]
    flips = {
        "right": crossing(curves),
        "still": crossing(still),
        "emissions": crossing(curves_of(without_words(model), words, paths)),
    }
    if None in flips.values() or not 0.03 < flips["right"] < 0.97:
        return None
    return Draw(
        given={**weather.given, "paths": [write_path(weather, path) for path in paths]},
        answer=flips.pop("right"),
        mistakes=flips,
        steps={
            "curves": [(float(np.exp(curve.log_constant)), curve.own, curve.rest) for curve in curves],
            "now": now,
            "stay": 1 - now,
            "emitted": [weather.emission[list(path), days].tolist() for path in paths],
        },
    )


def curves_of(
    model: HiddenMarkovModel, words: tuple[str, ...], paths: list[tuple[int, ...]]
) -> list[Stretch]:
    """Return the probability of each path as a function of the number that is moved."""
    return [curve_of_path(model, words, path, *MOVED) for path in paths]


def crossing(curves: list[Stretch]) -> float | None:
    """Return where two curves cross between 0 and 1, None where they do not."""
    one, other = curves
    low, high = 1e-9, 1 - 1e-9

    def difference(p: float) -> float:
        return one.log_probability(p) - other.log_probability(p)

    if difference(low) * difference(high) >= 0:
        return None
    rises = difference(high) > 0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if (difference(middle) > 0) == rises else (middle, high)
    return float(high)


MAKERS = (Maker(draw_row), Maker(draw_edited_path), Maker(draw_flip))
