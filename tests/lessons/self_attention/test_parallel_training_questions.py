"""The key of the exercises on parallel training: plain Python, prefix by prefix."""

from fractions import Fraction
from math import log, prod

import pytest

from tests.exercises.drawn import drawn, entries


def test_the_loss_is_that_of_the_next_tokens():
    for exercise in drawn("parallel_training", "loss"):
        draw, given = exercise.draw, exercise.draw.given
        rows = [dict(zip(given["rows"].columns, row, strict=True)) for row in entries(given["rows"])]
        p = prod(row[token] for row, token in zip(rows, given["line"][1:], strict=True))
        assert draw.answer == pytest.approx(-log(p) / given["T"])
        assert draw.mistakes["bits"] == pytest.approx(draw.answer / log(2))
        read = prod(row[token] for row, token in zip(rows, given["line"], strict=False))
        assert draw.mistakes["unmoved"] == pytest.approx(-log(read) / given["T"])


def test_every_prefix_but_the_whole_line_is_read():
    for exercise in drawn("parallel_training", "read"):
        line = "x" * exercise.draw.given["n"]
        assert exercise.draw.answer == sum(len(line[:t]) for t in range(1, len(line)))


def test_the_factor_is_the_ratio_of_the_passes():
    for exercise in drawn("parallel_training", "times", 5):
        draw, given = exercise.draw, exercise.draw.given
        L, C, V, T = (given[name] for name in "LCVT")
        costs = [sum(2 * L * C * t + 12 * L * C**2 + C * V for _ in range(t)) for t in range(1, T + 1)]
        assert draw.answer == pytest.approx(float(Fraction(sum(costs), costs[-1])))
