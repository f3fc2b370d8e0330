"""The key of the exercises on fastText: n-grams by nltk."""

import numpy as np
import pytest
from nltk import everygrams

from tests.exercises.drawn import drawn, entries


def grams(word, least, most):
    return ["".join(each) for each in everygrams(f"<{word}>", least, most)]


def test_a_word_has_as_many_n_grams_as_nltk_finds():
    for exercise in drawn("subwords", "count"):
        given, draw = exercise.draw.given, exercise.draw
        assert draw.answer == len(grams(given["word"], given["least"], given["most"]))


def test_an_unseen_word_is_the_mean_of_its_n_grams():
    for exercise in drawn("subwords", "vector"):
        z = np.array(entries(exercise.draw.given["vectors"]))
        assert len(z) == len(grams(exercise.draw.given["word"], 3, 3))
        assert exercise.draw.answer == pytest.approx(z.mean(axis=0))
        assert exercise.draw.mistakes["added"] == pytest.approx(z.sum(axis=0))


def test_shared_n_grams_are_in_both_words():
    for exercise in drawn("subwords", "shared"):
        given = exercise.draw.given
        one, other = (set(grams(given[each], given["least"], given["most"])) for each in ("one", "other"))
        assert exercise.draw.answer == len(one & other)
