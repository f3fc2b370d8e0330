"""The key of the exercises on tagging: fractions, scikit-learn's measures, and sentences drawn token by token."""

import random
from fractions import Fraction

import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, precision_score

from tests.exercises.drawn import drawn, entries


def test_a_ratio_is_that_of_two_products():
    for exercise in drawn("tagging", "ratio"):
        into, emitted, out = (
            [Fraction(str(each)) for each in row] for row in entries(exercise.draw.given["table"])
        )
        assert exercise.draw.answer == pytest.approx(
            float(into[1] * emitted[1] * out[1] / (into[0] * emitted[0] * out[0]))
        )


def test_accuracy_and_its_mistakes_are_scikit_learn_s_measures():
    for exercise in drawn("tagging", "accuracy", 5):
        draw, matrix = exercise.draw, entries(exercise.draw.given["table"])
        pairs = [(i, j) for i in range(3) for j in range(3) for _ in range(matrix[i][j])]
        true, called = zip(*pairs, strict=True)
        assert draw.answer == pytest.approx(accuracy_score(true, called))
        assert draw.mistakes["mean"] == pytest.approx(balanced_accuracy_score(true, called))
        assert draw.mistakes["column"] == pytest.approx(precision_score(true, called, average=None)[0])


def test_a_sentence_is_right_as_often_as_drawn_ones_are():
    luck = random.Random(1)
    for exercise in drawn("tagging", "sentences", 3):
        right, n = exercise.draw.given["right"], exercise.draw.given["n"]
        good = sum(all(luck.random() < right for _ in range(n)) for _ in range(5000))
        assert exercise.draw.answer == pytest.approx(good / 5000, abs=0.03)
