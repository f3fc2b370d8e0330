"""The key of the exercises on two directions: plain Python, word by word."""

from math import exp, tanh

import pytest

from tests.exercises.drawn import drawn, entries


def chain(x):
    h, found = 0.0, []
    for each in x:
        h = h / 2 + tanh(each) / 2
        found.append(h)
    return found


def test_both_chains_pass_half_of_the_state_on():
    for exercise in drawn("two_directions", "states"):
        draw = exercise.draw
        x = [float(each.split(" = ")[1].replace("−", "-")) for each in draw.table.columns]
        expected = chain(x) + list(reversed(chain(reversed(x))))
        assert draw.answer == pytest.approx(expected, abs=1e-6)
        assert draw.mistakes["left"] == pytest.approx(chain(x) * 2, abs=1e-6)


def test_the_label_is_made_of_the_last_state_of_each_chain():
    for exercise in drawn("two_directions", "label"):
        draw, (ahead, back) = exercise.draw, entries(exercise.draw.given["evidence"])
        b = draw.given["b"]
        assert draw.answer == pytest.approx(1 / (1 + exp(-(ahead[-1] + back[0] + b))))
        assert draw.mistakes["column"] == pytest.approx(1 / (1 + exp(-(ahead[-1] + back[-1] + b))))
        assert draw.mistakes["left"] == pytest.approx(1 / (1 + exp(-(ahead[-1] + b))))


def test_the_distance_is_the_probability_that_one_must_move():
    for exercise in drawn("two_directions", "distance"):
        draw, (p, q) = exercise.draw, entries(exercise.draw.given["answers"])
        assert draw.answer == pytest.approx(1 - sum(map(min, p, q)))
        assert draw.mistakes["twice"] == pytest.approx(2 - 2 * sum(map(min, p, q)))
