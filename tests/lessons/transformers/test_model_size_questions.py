"""The key of the exercises on a model's size: torch's own layers, a cache of zeros, and logarithms."""

from math import exp, log

import numpy as np
import pytest
from torch import nn

from tests.exercises.drawn import drawn


def numbers_of(module):
    return sum(each.numel() for each in module.parameters())


def test_a_model_has_what_torch_counts():
    for exercise in drawn("model_size", "parameters", 5):
        draw, given = exercise.draw, exercise.draw.given
        C, at = given["C"], {"device": "meta"}
        layer = [nn.MultiheadAttention(C, 1, bias=False, **at), nn.Linear(C, 4 * C, bias=False, **at)]
        layer.append(nn.Linear(4 * C, C, bias=False, **at))
        tables = numbers_of(nn.Embedding(given["V"], C, **at)) + numbers_of(nn.Embedding(given["T"], C, **at))
        assert draw.answer == tables + given["L"] * sum(map(numbers_of, layer))
        assert draw.mistakes["one_matrix"] == draw.answer - given["L"] * numbers_of(layer[-1])


def test_a_cache_takes_what_an_array_takes():
    for exercise in drawn("model_size", "cache", 5):
        draw, given = exercise.draw, exercise.draw.given
        a_layer = np.broadcast_to(np.float16(0), (2, given["G"], given["T"], given["d"]))
        assert draw.answer == pytest.approx(given["L"] * a_layer.size * a_layer.itemsize / 1e6)
        assert draw.mistakes["unshared"] == pytest.approx(draw.answer * given["H"] / given["G"])


def test_training_costs_six_operations_for_each_parameter_and_token():
    for exercise in drawn("model_size", "training"):
        draw, given = exercise.draw, exercise.draw.given
        N, D = given["N"] * 10 ** given["of_N"], given["D"] * 10 ** given["of_D"]
        assert draw.answer * 10 ** given["power"] == pytest.approx(2 * N * D + 2 * (2 * N * D))


def test_the_law_is_a_line_through_two_logarithms():
    for exercise in drawn("model_size", "law"):
        draw, given = exercise.draw, exercise.draw.given
        x = [log(float(each.replace(",", ""))) for each in given["sizes"]]
        slope = (log(given["large"]) - log(given["small"])) / (x[1] - x[0])
        assert draw.answer == pytest.approx(exp(log(given["large"]) + slope * (x[2] - x[1])), rel=1e-6)
