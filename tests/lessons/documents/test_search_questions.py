"""The key of the exercises on search, by plain Python."""

import math

import pytest

from tests.exercises.drawn import drawn, entries


def test_a_word_adds_its_idf_times_its_worth():
    for exercise in drawn("search", "score"):
        draw, given = exercise.draw, exercise.draw.given
        tf, k1, b, length = (given[name] for name in ("tf", "k1", "b", "length"))
        worth = tf * (k1 + 1) / (tf + k1 * ((1 - b) + b * length))
        assert draw.answer == pytest.approx(given["idf"] * worth)
        assert draw.mistakes["idf"] == pytest.approx(worth)
        assert draw.mistakes["straight"] == pytest.approx(given["idf"] * tf)
        assert draw.mistakes["length"] == pytest.approx(given["idf"] * tf * (k1 + 1) / (tf + k1))


def test_the_weights_are_natural_logarithms():
    for exercise in drawn("search", "idf"):
        draw, N = exercise.draw, exercise.draw.given["N"]
        df = [row[0] for row in entries(draw.given["words"])]
        wanted = [math.log(1 + (N - each + 0.5) / (each + 0.5)) for each in df]
        assert draw.answer == pytest.approx(wanted)
        assert draw.mistakes["base"] == pytest.approx([each / math.log(10) for each in wanted])
        assert draw.mistakes["share"] == pytest.approx([each / N for each in df])


def test_a_query_that_fails_counts_0():
    for exercise in drawn("search", "mrr"):
        draw = exercise.draw
        ranks = [row[0] for row in entries(draw.given["ranks"])]
        found = [rank for rank in ranks if rank != "–"]
        assert len(found) == len(ranks) - 1
        assert draw.answer == pytest.approx(sum(1 / rank for rank in found) / len(ranks))
        assert draw.mistakes["found"] == pytest.approx(sum(1 / rank for rank in found) / len(found))
        assert draw.mistakes["mean"] == pytest.approx(len(found) / sum(found))
        assert draw.mistakes["first"] == pytest.approx(found.count(1) / len(ranks))
