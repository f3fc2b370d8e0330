"""The key of the exercises on scaled attention: plain Python, random vectors, and differences for the gradient."""

from math import exp, sqrt

import numpy as np
import pytest

from tests.exercises.drawn import drawn, entries


def softmax(scores):
    return [exp(score) / sum(map(exp, scores)) for score in scores]


def test_weights_are_the_softmax_of_scores_over_the_root():
    for exercise in drawn("attention_scaling", "weights"):
        draw, given = exercise.draw, exercise.draw.given
        query, *keys = entries(given["vectors"])
        scores = [sum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
        scaled = [score / sqrt(given["d"]) for score in scores]
        rows = zip(scores, scaled, softmax(scaled), strict=True)
        assert draw.answer == pytest.approx([each for row in rows for each in row])


def test_the_spread_is_that_of_random_vectors():
    rng = np.random.default_rng(1)
    for exercise in drawn("attention_scaling", "spread", 3):
        draw, given = exercise.draw, exercise.draw.given
        queries, keys = rng.normal(size=(2, 20_000, given["d"]))
        measured = (given["of_query"] * queries * given["of_key"] * keys).sum(axis=1).std()
        assert draw.answer == pytest.approx(measured, rel=0.05)


def test_the_derivative_is_the_difference_of_two_softmaxes():
    step = 1e-6
    for exercise in drawn("attention_scaling", "gradient"):
        draw, given = exercise.draw, exercise.draw.given
        root, i, j = sqrt(given["d"]), given["i"] - 1, given["j"] - 1
        products = [root * np.log(each) for each in given["weights"]]
        moved = [each + step * (at == j) for at, each in enumerate(products)]
        before, after = (softmax([each / root for each in both])[i] for both in (products, moved))
        assert draw.answer == pytest.approx((after - before) / step, abs=1e-5)
