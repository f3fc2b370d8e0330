"""The key of the exercises on soft lookup: normal densities over their sum, scikit-learn's neighbours, plain Python."""

from statistics import mean

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor

from tests.exercises.drawn import drawn, entries


def keys_and_values(given):
    return [int(name.split()[-1]) for name in given["day"].columns], entries(given["day"])[0]


def test_weights_are_normal_densities_over_their_sum():
    for exercise in drawn("soft_lookup", "weights"):
        given, draw = exercise.draw.given, exercise.draw
        variance = given["bandwidth"] ** 2
        K = [2.718281828459045 ** (-((given["query"] - k) ** 2) / variance / 2) for k in given["keys"]]
        assert draw.answer == pytest.approx([each for k in K for each in (k, k / sum(K))])


def test_the_answer_is_the_mean_that_numpy_weighs():
    for exercise in drawn("soft_lookup", "answer"):
        given, draw = exercise.draw.given, exercise.draw
        keys, values = keys_and_values(given)
        u, b = np.abs(np.array(keys) - given["query"]), given["bandwidth"]
        near = {
            "boxcar": u <= b,
            "triangle": np.clip(1 - u / b, 0, 1),
            "gaussian": np.exp(-0.5 * (u / b) ** 2),
        }
        assert draw.answer == pytest.approx(np.average(values, weights=near[given["kernel"]]))
        assert draw.mistakes["all"] == pytest.approx(mean(values), abs=1e-3)


def test_extremes_are_the_nearest_neighbour_and_the_mean():
    for exercise in drawn("soft_lookup", "extreme"):
        given, draw = exercise.draw.given, exercise.draw
        keys, values = keys_and_values(given)
        neighbours = 1 if given["is_narrow"] else len(keys)
        model = KNeighborsRegressor(neighbours).fit(np.array(keys)[:, None], values)
        assert draw.answer == pytest.approx(model.predict([[given["query"]]])[0], abs=1e-3)
