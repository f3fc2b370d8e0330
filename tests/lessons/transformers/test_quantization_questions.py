"""The key of the exercises on quantization, by plain Python."""

from fractions import Fraction

import pytest

from tests.exercises.drawn import drawn, entries


def nearest(ratio):
    """Return the nearest integer."""
    return min(range(-40, 41), key=lambda q: abs(q - ratio))


def test_integers_are_the_nearest_to_a_weight_over_its_scale():
    for exercise in drawn("quantization", "integers"):
        draw = exercise.draw
        (row,) = entries(draw.given["weights"])
        s = max(abs(w) for w in row) / (2 ** (draw.given["b"] - 1) - 1)
        assert list(draw.answer) == [nearest(w / s) for w in row]
        exact = [Fraction(str(w)) for w in row]
        scale = max(map(abs, exact)) / (2 ** (draw.given["b"] - 1) - 1)
        assert list(draw.mistakes["cut"]) == [int(w / scale) for w in exact]


def test_a_rounded_weight_is_the_nearest_multiple_of_the_scale():
    for exercise in drawn("quantization", "rounded"):
        draw = exercise.draw
        row, most = draw.given["weights"], 2 ** (draw.given["b"] - 1) - 1
        s = max(map(abs, row)) / most
        values = [q * s for q in range(-most, most + 1)]
        w = row[draw.given["k"] - 1]
        assert draw.answer == pytest.approx(min(values, key=lambda each: abs(each - w)), abs=1e-6)
        assert abs(draw.answer - w) <= s / 2 + 1e-9
        assert abs(draw.mistakes["cut"]) < abs(w)


def test_bytes_are_the_bits_of_all_integers_and_scales_over_8():
    for exercise in drawn("quantization", "bytes"):
        draw, given = exercise.draw, exercise.draw.given
        bits = sum(given["C"] * given["b"] + given["C"] // given["G"] * 32 for _ in range(given["R"]))
        assert draw.answer * 8 == bits == draw.mistakes["bits"]
        assert draw.mistakes["bare"] == given["R"] * given["C"] * given["b"] // 8
