"""The key of the exercises on counting methods: plain Python, and PMI from probabilities."""

from math import log, log2

import pytest

from tests.exercises.drawn import drawn, entries


def test_a_weight_is_a_root_of_a_root_of_a_cube():
    for exercise in drawn("shoot_out", "weight"):
        given = exercise.draw.given
        share = given["x"] / given["x_max"]
        assert exercise.draw.answer == pytest.approx(((share**3) ** 0.5) ** 0.5)


def test_the_loss_is_the_weighted_square_of_the_gap_to_the_logarithm():
    for exercise in drawn("shoot_out", "loss"):
        draw, given = exercise.draw, exercise.draw.given
        gap = given["b"] + given["b_context"] - log(given["x"])
        for one, other in zip(given["w"], given["c"], strict=True):
            gap += one * other
        assert draw.answer == pytest.approx(given["f"] * gap * gap)
        assert draw.mistakes["unweighted"] == pytest.approx(draw.answer / given["f"])


def test_ppmi_is_the_logarithm_of_a_quotient_of_probabilities():
    for exercise in drawn("shoot_out", "ppmi"):
        draw, given = exercise.draw, exercise.draw.given
        table = entries(given["counts"])
        names = list(given["counts"].rows)
        i, j = names.index(given["one"]), names.index(given["other"])
        N = sum(map(sum, table))
        p_row, p_column = sum(table[i]) / N, sum(row[j] for row in table) / N
        assert draw.answer == pytest.approx(max(0.0, log2(table[i][j] / N / (p_row * p_column))))
