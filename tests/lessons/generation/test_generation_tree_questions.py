"""The key of the exercises on the tree of texts: fractions, and the geometric mean of the standard library."""

from fractions import Fraction
from math import log, prod
from statistics import geometric_mean

import pytest

from tests.exercises.drawn import drawn, entries


def test_a_path_is_a_product_of_fractions():
    for exercise in drawn("generation_tree", "path"):
        [p] = entries(exercise.draw.given["table"])
        assert exercise.draw.answer == pytest.approx(float(prod(Fraction(str(each)) for each in p)))


def test_ln_p_per_token_is_the_logarithm_of_the_geometric_mean():
    for exercise in drawn("generation_tree", "per_token"):
        [p] = entries(exercise.draw.given["table"])
        assert exercise.draw.answer == pytest.approx(log(geometric_mean(p)))


def test_a_forced_text_is_compared_as_a_whole():
    for exercise in drawn("generation_tree", "forced"):
        one, other = (
            prod(Fraction(str(each)) for each in row) for row in entries(exercise.draw.given["table"])
        )
        assert exercise.draw.answer == pytest.approx(float(other / one))
