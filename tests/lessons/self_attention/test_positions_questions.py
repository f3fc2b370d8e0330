"""The key of the exercises on positions: math's sines and cosines, and complex numbers for turns."""

from cmath import exp as turn
from math import cos, radians, sin

import pytest

from tests.exercises.drawn import drawn


def angles(given, t):
    return [t / given["base"] ** (2 * i / given["C"]) for i in range(given["C"] // 2)]


def test_a_row_is_sines_and_cosines():
    for exercise in drawn("positions", "encoding"):
        draw, given = exercise.draw, exercise.draw.given
        found = angles(given, given["t"])
        assert draw.answer == pytest.approx([f(a) for a in found for f in (sin, cos)], abs=1e-5)
        assert draw.mistakes["degrees"] == pytest.approx(
            [f(radians(a)) for a in found for f in (sin, cos)], abs=1e-5
        )


def test_the_dot_product_is_a_sum_over_dimensions():
    for exercise in drawn("positions", "product"):
        draw, given = exercise.draw, exercise.draw.given
        pairs = list(zip(*(angles(given, given[name]) for name in "ts"), strict=True))
        assert draw.answer == pytest.approx(
            sum(sin(a) * sin(b) + cos(a) * cos(b) for a, b in pairs), abs=1e-5
        )
        assert draw.mistakes["first"] == pytest.approx(cos(pairs[0][0] - pairs[0][1]), abs=1e-5)


def test_the_rotary_score_is_that_of_turned_complex_numbers():
    for exercise in drawn("positions", "rotary"):
        draw, given, score, wrong = exercise.draw, exercise.draw.given, 0, 0
        for hand, speed in enumerate(given["speeds"].tolist()):
            q, k = (complex(*given[name][2 * hand : 2 * hand + 2]) for name in ("query", "keyed"))
            turned = [z * turn(-1j * speed * given[at]) for z, at in ((q, "t"), (k, "s"))]
            score += (turned[0] * turned[1].conjugate()).real
            wrong += (q * (k * turn(-1j * speed * (given["t"] - given["s"]))).conjugate()).real
        assert draw.answer == pytest.approx(score, abs=1e-4)
        assert draw.mistakes["back"] == pytest.approx(wrong, abs=1e-4)
