"""The key of the exercises on the tug of war: scikit-learn's naive Bayes, its loss, and plain Python."""

from math import exp

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, log_loss
from sklearn.naive_bayes import MultinomialNB

from tests.exercises.drawn import drawn, entries


def test_a_word_s_term_is_the_difference_of_scikit_learn_s_logarithms():
    for exercise in drawn("tug_of_war", "term"):
        draw, given = exercise.draw, exercise.draw.given
        model = MultinomialNB().fit(np.array(entries(given["counts"])), [1, 0])
        v = given["counts"].columns.index(given["word"])
        assert draw.answer == pytest.approx(model.feature_log_prob_[1, v] - model.feature_log_prob_[0, v])
        assert exp(draw.answer) == pytest.approx(draw.mistakes["ratio"])


def test_copies_add_to_the_score_as_if_the_words_came_so_often():
    for exercise in drawn("tug_of_war", "copies"):
        draw, given = exercise.draw, exercise.draw.given
        x, terms = entries(given["terms"])
        words = sum(n * term for n, term in zip(x, terms, strict=True))
        assert draw.answer == pytest.approx(1 / (1 + exp(-given["begin"] - given["m"] * words)))
        assert draw.mistakes["unchanged"] == pytest.approx(1 / (1 + exp(-given["begin"] - words)))


def test_the_loss_is_scikit_learn_s():
    for exercise in drawn("tug_of_war", "loss"):
        draw, (p, y) = exercise.draw, entries(exercise.draw.given["reviews"])
        assert draw.answer == pytest.approx(log_loss(y, p))
        assert draw.mistakes["added"] == pytest.approx(log_loss(y, p, normalize=False))


def test_confidence_is_the_mean_of_the_larger_probability():
    for exercise in drawn("tug_of_war", "confidence"):
        draw, (p, y) = exercise.draw, entries(exercise.draw.given["reviews"])
        sure = sum(max(each, 1 - each) for each in p) / len(p)
        assert draw.answer == pytest.approx(sure - accuracy_score(y, [each > 0.5 for each in p]))
        assert draw.mistakes["alone"] == pytest.approx(sure)
