"""The key of the exercises on the leaderboard: numpy's weighted mean, sets of strings, and two perplexities."""

import numpy as np
import pytest

from tests.exercises.drawn import drawn, entries


def test_a_score_is_the_weighted_mean_of_the_new_lines():
    for exercise in drawn("one_text", "new_lines"):
        table, repeated = exercise.draw.given["table"], exercise.draw.given["repeated"]
        lines = zip(table.rows, entries(table), strict=True)
        weights, rates = zip(*(row for name, row in lines if name not in repeated), strict=True)
        assert exercise.draw.answer == pytest.approx(np.average(rates, weights=weights))


def test_an_n_gram_keeps_each_different_string_once():
    for exercise in drawn("one_text", "counts"):
        text, n = exercise.draw.given["text"].split(), exercise.draw.given["n"]
        strings = {tuple(text[i : i + k]) for k in range(1, n + 1) for i in range(len(text) - k + 1)}
        assert exercise.draw.answer == len(strings)


def test_a_difference_in_bits_is_a_ratio_of_perplexities():
    for exercise in drawn("one_text", "among"):
        one, other = (np.exp2(exercise.draw.given[name]) for name in ("one", "other"))
        assert exercise.draw.answer == pytest.approx(one / other)
