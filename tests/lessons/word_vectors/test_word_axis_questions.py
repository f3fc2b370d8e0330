"""The key of the exercises on semantic axes: lengths and angles in plain Python."""

from math import dist, sqrt

import pytest

from tests.exercises.drawn import drawn, entries


def test_a_position_follows_from_the_distances_to_both_ends():
    for exercise in drawn("word_axis", "position"):
        he, she, x = entries(exercise.draw.given["vectors"])
        expected = (dist(x, he) ** 2 - dist(x, she) ** 2) / (2 * dist(he, she))
        assert exercise.draw.answer == pytest.approx(expected, abs=1e-5)
        assert exercise.draw.mistakes["turned"] == pytest.approx(-expected, abs=1e-5)


def test_a_position_is_the_difference_of_cosines_over_the_length():
    for exercise in drawn("word_axis", "from_cosines"):
        given = exercise.draw.given
        apart = given["apart"] if given["told"] else sqrt(2 - 2 * given["between"])
        assert exercise.draw.answer == pytest.approx((given["she"] - given["he"]) / apart)


def test_a_standard_position_counts_deviations_from_the_mean():
    for exercise in drawn("word_axis", "standard"):
        given = exercise.draw.given
        assert given["mean"] + exercise.draw.answer * given["deviation"] == pytest.approx(given["place"])
