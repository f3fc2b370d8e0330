"""The key of the exercises on fine-tuning: plain Python sums, parameters counted one by one, quotients of products."""

from math import exp, prod

import pytest

from tests.exercises.drawn import drawn, entries


def test_a_label_is_a_softmax_over_the_mean_vector():
    for exercise in drawn("fine_tuning", "classified"):
        given, draw = exercise.draw.given, exercise.draw
        h = [sum(row) / len(row) for row in entries(given["vectors"])]
        *W, b = entries(given["head"])
        z = [b[k] + sum(x * row[k] for x, row in zip(h, W, strict=True)) for k in (0, 1)]
        k = given["head"].columns.index(given["label"])
        assert draw.answer == pytest.approx(1 / (1 + exp(z[1 - k] - z[k])))


def test_the_head_has_a_weight_and_a_bias_for_each_class():
    for exercise in drawn("fine_tuning", "trained"):
        given, draw = exercise.draw.given, exercise.draw
        head = (given["C"] + 1) * given["K"]
        assert draw.answer == head + (0 if given["is_frozen"] else given["body"])


def test_what_is_forgotten_is_the_quotient_of_the_geometric_means():
    for exercise in drawn("fine_tuning", "forgotten"):
        before, after = entries(exercise.draw.given["p"])
        assert exp(-exercise.draw.answer * len(before)) == pytest.approx(prod(after) / prod(before))
