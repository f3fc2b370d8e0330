"""The key of the exercises on smoothing: fractions, distributions that sum to 1, and nltk's Kneser-Ney."""

from fractions import Fraction

import pytest
from nltk import FreqDist
from nltk.probability import LidstoneProbDist

from tests.exercises.drawn import drawn, entries


def test_laplace_is_nltk_s_lidstone():
    for exercise in drawn("smoothing", "laplace"):
        draw, given = exercise.draw, exercise.draw.given
        counts = FreqDist(dict(zip(given["table"].columns, entries(given["table"])[0], strict=True)))
        model = LidstoneProbDist(counts, given["alpha"], bins=given["V"])
        assert draw.answer == pytest.approx(model.prob(given["word"]))


def test_discounting_moves_d_for_each_seen_word_and_keeps_a_distribution():
    for exercise in drawn("smoothing", "discount"):
        draw, given = exercise.draw, exercise.draw.given
        times, shorter = entries(given["table"])
        d, total = Fraction(str(given["d"])), sum(times)
        free = sum(d for each in times if each) / total
        p = [
            max(Fraction(0), each - d) / total + free * Fraction(str(share))
            for each, share in zip(times, shorter, strict=True)
        ]
        assert sum(p) == 1
        assert draw.answer == pytest.approx([float(each) for each in p])
        assert sum(draw.mistakes["whole"]) == pytest.approx(float(1 + free))


def test_kneser_ney_shares_by_the_rows_of_a_column_that_are_above_0():
    for exercise in drawn("smoothing", "kneser_ney"):
        draw = exercise.draw
        columns = list(zip(*entries(draw.given["table"]), strict=True))
        places = [sum(1 for count in column if count) for column in columns]
        expected = [
            value
            for column, place in zip(columns, places, strict=True)
            for value in (sum(column), place, place / sum(places))
        ]
        assert draw.answer == pytest.approx(expected)
