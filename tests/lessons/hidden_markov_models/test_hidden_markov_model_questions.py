"""The key of the exercises on hidden Markov models: a line of tenths, a plain product, and spells drawn at random."""

import random
from itertools import pairwise
from math import prod

import pytest

from tests.exercises.drawn import drawn, entries


def thing_at(tenths, u):
    """Return the thing on whose part of a line of ten equal pieces u falls."""
    pieces = [thing for thing, p in enumerate(tenths) for _ in range(round(10 * p))]
    return pieces[int(10 * u)]


def test_a_run_is_what_the_numbers_fall_on():
    for exercise in drawn("hidden_markov_model", "run"):
        draw, given = exercise.draw, exercise.draw.given
        row, *transition = entries(given["steps"])
        emission, days = entries(given["emission"]), []
        for u, v in zip(given["luck"][::2], given["luck"][1::2], strict=True):
            state = thing_at(row, u)
            days.append(f"{given['states'][state]} {1 + thing_at(emission[state], v)}")
            row = transition[state]
        assert draw.answer == ", ".join(days)


def test_a_run_s_probability_is_the_product_of_its_arrows_and_bars():
    for exercise in drawn("hidden_markov_model", "product"):
        draw, given = exercise.draw, exercise.draw.given
        initial, *transition = entries(given["steps"])
        path = [given["states"].index(name) for name in given["path"]]
        moves = initial[path[0]] * prod(transition[i][j] for i, j in pairwise(path))
        seen = zip(path, given["diary"], strict=True)
        eaten = prod(entries(given["emission"])[i][int(count) - 1] for i, count in seen)
        assert draw.answer == pytest.approx(moves * eaten)
        assert draw.mistakes["emissions"] == pytest.approx(moves)


def test_a_spell_lasts_as_long_as_drawn_spells_do():
    luck = random.Random(1)
    for exercise in drawn("hidden_markov_model", "spell", 3):
        draw, given = exercise.draw, exercise.draw.given
        at = given["states"].index(given["state"])
        stays = entries(given["steps"])[at + 1][at]
        days = 0
        for _ in range(20_000):
            days += 1
            while luck.random() < stays:
                days += 1
        assert draw.answer == pytest.approx(days / 20_000, rel=0.05)
