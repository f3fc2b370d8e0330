"""The key of the exercises on co-occurrence: pairs listed in plain Python, PMI from probabilities, scipy's cosine."""

from math import log2

import numpy as np
import pytest
from scipy.spatial.distance import cosine

from tests.exercises.drawn import drawn, entries


def test_a_row_counts_all_pairs_of_places_that_are_near():
    for exercise in drawn("co_occurrence", "window"):
        draw, words = exercise.draw, exercise.draw.given["sentence"].split()
        near = [
            words[j]
            for i, word in enumerate(words)
            for j in range(len(words))
            if word == draw.given["word"] and 0 < abs(i - j) <= draw.given["size"]
        ]
        assert draw.answer == tuple(near.count(word) for word in draw.table.columns)


def test_pmi_compares_probabilities():
    for exercise in drawn("co_occurrence", "pmi"):
        draw, table = exercise.draw, exercise.draw.given["counts"]
        p = np.array(entries(table)) / np.sum(entries(table))
        i, j = (table.rows.index(draw.given[each]) for each in ("one", "other"))
        assert draw.answer == pytest.approx(log2(p[i, j] / (p[i].sum() * p[:, j].sum())), abs=1e-5)


def test_the_cosine_is_scipy_s_of_the_positive_part():
    for exercise in drawn("co_occurrence", "rows"):
        draw, (x, y) = exercise.draw, np.array(entries(exercise.draw.given["rows"]), dtype=float)
        assert draw.answer == pytest.approx(1 - cosine(x.clip(0), y.clip(0)), abs=1e-5)
        assert draw.mistakes["kept"] == pytest.approx(1 - cosine(x, y), abs=1e-5)
