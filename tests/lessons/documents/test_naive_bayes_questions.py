"""The key of the exercises on naive Bayes: scikit-learn learns from messages that have the counts."""

import math

import numpy as np
import pytest
from sklearn.naive_bayes import MultinomialNB

from tests.exercises.drawn import drawn, entries


def fitted(given, alpha=1.0, prior=True):
    """Return scikit-learn's model, learned from one message a class; its prior is set by the numbers of messages."""
    shares = np.array([given["spam"], given["ham"]]) / (given["spam"] + given["ham"])
    model = MultinomialNB(alpha=alpha, class_prior=shares if prior else [0.5, 0.5])
    return model.fit(np.array(entries(given["counts"])), [0, 1])


def bag(given):
    return [[given["message"].split().count(word) for word in given["counts"].columns]]


def test_a_word_s_probability_is_scikit_learn_s():
    for exercise in drawn("naive_bayes", "word"):
        draw, given = exercise.draw, exercise.draw.given
        c = ("spam", "ham").index(given["class_"])
        w = given["counts"].columns.index(given["word"])
        assert draw.answer == pytest.approx(math.exp(fitted(given, given["alpha"]).feature_log_prob_[c, w]))
        counts = entries(given["counts"])[c]
        assert draw.mistakes["unsmoothed"] == pytest.approx(counts[w] / sum(counts))


def test_the_score_is_the_log_odds_of_scikit_learn_s_posterior():
    for exercise in drawn("naive_bayes", "score"):
        draw, given = exercise.draw, exercise.draw.given
        spam, ham = fitted(given).predict_log_proba(bag(given))[0]
        assert draw.answer == pytest.approx(spam - ham)
        spam, ham = fitted(given, prior=False).predict_log_proba(bag(given))[0]
        assert draw.mistakes["prior"] == pytest.approx(spam - ham)


def test_the_posterior_is_scikit_learn_s():
    for exercise in drawn("naive_bayes", "posterior"):
        draw, given = exercise.draw, exercise.draw.given
        assert draw.answer == pytest.approx(fitted(given).predict_proba(bag(given))[0, 0])
        prior = fitted(given, prior=False).predict_proba(bag(given))[0, 0]
        assert draw.mistakes["prior"] == pytest.approx(prior)
