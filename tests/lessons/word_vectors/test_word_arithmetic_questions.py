"""The key of the exercises on word analogies: numpy and scipy's cosine distance."""

import numpy as np
import pytest
from scipy.spatial.distance import cosine

from tests.exercises.drawn import drawn, entries


def sum_of(rows):
    king, man, woman = (np.array(row) / np.hypot(*row) for row in rows[:3])
    return king - man + woman


def test_a_sum_is_that_of_unit_vectors():
    for exercise in drawn("word_arithmetic", "sum"):
        expected = sum_of(entries(exercise.draw.given["vectors"]))
        assert exercise.draw.answer == pytest.approx(expected, abs=1e-5)


def test_the_answer_is_the_nearest_word_that_is_not_of_the_question():
    for exercise in drawn("word_arithmetic", "answer"):
        draw, table = exercise.draw, exercise.draw.given["words"]
        apart = [cosine(row, sum_of(entries(table))) for row in entries(table)]
        assert draw.answer == table.rows[3 + int(np.argmin(apart[3:]))]
        assert draw.mistakes["rule"] == table.rows[int(np.argmin(apart))]


def test_two_steps_have_scipy_s_cosine():
    for exercise in drawn("word_arithmetic", "steps"):
        man, woman, king, queen = np.array(entries(exercise.draw.given["vectors"]))
        assert exercise.draw.answer == pytest.approx(1 - cosine(woman - man, queen - king), abs=1e-5)
