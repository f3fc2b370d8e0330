"""The key of the exercises on token prices, by code points and whole numbers."""

from fractions import Fraction

import pytest

from tests.exercises.drawn import drawn, entries


def test_the_bytes_follow_from_the_code_points():
    for exercise in drawn("token_prices", "bytes"):
        draw, text = exercise.draw, exercise.draw.given["text"]
        assert draw.answer == sum(
            1 + (ord(c) >= 0x80) + (ord(c) >= 0x800) + (ord(c) >= 0x10000) for c in text
        )
        assert draw.mistakes["characters"] == len(text)
        assert draw.mistakes["two"] == 2 * len(text)


def test_a_premium_is_the_ratio_of_tokens():
    for exercise in drawn("token_prices", "premium"):
        draw, table = exercise.draw, exercise.draw.given["costs"]
        rows = dict(zip(table.rows, entries(table), strict=True))
        ratios = [Fraction(a, b) for a, b in zip(rows[draw.given["language"]], rows["en"], strict=True)]
        assert draw.answer == pytest.approx(float(ratios[2]))
        assert draw.mistakes["turned"] == pytest.approx(float(1 / ratios[2]))
        assert draw.mistakes["bytes"] == pytest.approx(float(ratios[1]))


def test_so_many_sentences_fit_and_one_more_does_not():
    for exercise in drawn("token_prices", "context"):
        draw, given = exercise.draw, exercise.draw.given
        n = given["n"] if given["premium"] is None else round(given["english"] * given["premium"])
        assert draw.answer * n <= given["window"] < (draw.answer + 1) * n
        assert draw.mistakes["up"] == draw.answer + 1
