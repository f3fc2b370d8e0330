"""The key of the exercises on attention in translation: plain Python, and lines drawn as points that change order."""

from math import exp, log

import pytest

from tests.exercises.drawn import drawn, entries


def test_the_context_is_a_weighted_mean_of_the_states():
    for exercise in drawn("translation", "context"):
        given, draw = exercise.draw.given, exercise.draw
        [row], column = entries(given["step"]), entries(given["states"])[given["j"] - 1]
        powers = row if given["has_weights"] else [exp(each) for each in row]
        assert draw.answer == pytest.approx(
            sum(a * h for a, h in zip(powers, column, strict=True)) / sum(powers)
        )
        assert draw.mistakes["equal"] == pytest.approx(sum(column) / len(column))


def test_the_ratio_is_a_power_of_the_difference():
    for exercise in drawn("translation", "ratio"):
        given, draw = exercise.draw.given, exercise.draw
        scores = dict(zip(given["scores"].columns, entries(given["scores"])[0], strict=True))
        assert log(draw.answer) == pytest.approx(scores[given["one"]] - scores[given["other"]])


def test_lines_cross_where_sorting_must_swap_them():
    for exercise in drawn("translation", "crossings"):
        given, draw = exercise.draw.given, exercise.draw
        ends, swaps = [row.index(max(row)) for row in entries(given["weights"])], 0
        for _ in ends:  # bubble sort swaps every pair that is out of order once
            for i in range(len(ends) - 1):
                if ends[i] > ends[i + 1]:
                    ends[i], ends[i + 1], swaps = ends[i + 1], ends[i], swaps + 1
        assert draw.answer == swaps
