"""The key of the exercises on residual connections and norms: the statistics module, and the law of cosines."""

from math import acos, cos, pi, sqrt
from statistics import mean, pstdev, stdev

import pytest

from tests.exercises.drawn import drawn


def normed(x):
    return [(each - mean(x)) / pstdev(x) for each in x]


def test_a_norm_leaves_mean_0_and_deviation_1():
    for exercise in drawn("residual_norm", "norm"):
        draw, given = exercise.draw, exercise.draw.given
        x, gain = given["x"].tolist(), given["gain"].tolist()
        assert draw.answer == pytest.approx([g * each for g, each in zip(gain, normed(x), strict=True)])
        sample = [g * (each - mean(x)) / stdev(x) for g, each in zip(gain, x, strict=True)]
        assert draw.mistakes["sample"] == pytest.approx(sample)


def test_the_length_of_a_sum_is_a_side_of_a_triangle():
    for exercise in drawn("residual_norm", "sum"):
        draw, (a, b, c) = exercise.draw, (exercise.draw.given[n] for n in ("stream", "added", "cosine"))
        assert draw.answer == pytest.approx(sqrt(a * a + b * b - 2 * a * b * cos(pi - acos(c))))
        assert draw.mistakes["opposite"] == pytest.approx(sqrt(a * a + b * b - 2 * a * b * c))


def test_a_sublayer_adds_to_the_stream_what_it_makes_of_a_copy():
    for exercise in drawn("residual_norm", "block"):
        draw, given = exercise.draw, exercise.draw.given
        x, factors = given["x"].tolist(), given["factors"].tolist()
        rows = list(zip(x, factors, normed(x), strict=True))
        assert draw.answer == pytest.approx([each + f * n for each, f, n in rows])
        assert draw.mistakes["no_residual"] == pytest.approx([f * n for _, f, n in rows])
        assert draw.mistakes["post"] == pytest.approx(normed([each + f * each for each, f, _ in rows]))
