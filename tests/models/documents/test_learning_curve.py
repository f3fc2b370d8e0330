"""The learning curve's points are what scikit-learn's two classifiers get right with so many documents."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import MultinomialNB

from core.models.documents.bag_of_words import Bags, learnt_and_held_out
from core.models.documents.learning_curve import DOCUMENTS_AT_MOST, learning_curve, numbers_of
from core.text.samples.reviews import reviews
from tests.lessons.documents.labelled_page import documents


@pytest.mark.parametrize("which", ["reviews", "pasted"])
def test_every_point_is_scikit_learn_s(which):
    given = documents()[which]
    learnt, rest, _ = learnt_and_held_out(given.texts, given.labels)
    curve = learning_curve(learnt, rest)
    order = np.random.default_rng(0).permutation(len(learnt.y))
    for place, n in enumerate(curve.numbers):
        X, y = learnt.X[order[:n]], learnt.y[order[:n]]
        bayes = MultinomialNB(alpha=1.0).fit(X, y)
        assert curve.judged["naive Bayes"][place].right == (bayes.predict(rest.X) == rest.y).sum()
        regression = OneVsRestClassifier(LogisticRegression(C=1.0, max_iter=5000)).fit(X, y)
        right = (regression.predict(rest.X) == rest.y).sum()
        assert abs(curve.judged["logistic regression"][place].right - right) <= 1


def test_the_numbers_double_and_end_with_all():
    assert numbers_of(800) == (10, 20, 40, 80, 160, 320, 640, 800)
    assert numbers_of(10) == (10,)


def test_more_documents_help_on_the_reviews():
    learnt, rest, _ = learnt_and_held_out(reviews().texts, reviews().labels)
    for judged in learning_curve(learnt, rest).judged.values():
        assert judged[-1].interval[0] > judged[0].interval[1]


def test_a_class_that_was_not_seen_yet_is_never_named():
    y = np.array([0] * 60 + [1] * 2)
    X = csr_matrix(np.eye(2)[y])
    bags = Bags(("a", "b"), ("x", "y"), X, y)
    curve = learning_curve(bags, bags, seed=1)
    first = curve.judged["naive Bayes"][0]
    assert first.confusion[:, 1].sum() == 0 or 1 in y[np.random.default_rng(1).permutation(62)[:10]]
    assert curve.judged["naive Bayes"][-1].right == 62


def test_of_many_documents_and_classes_some_are_read():
    y = np.arange(6000) % 8
    bags = Bags(tuple("abcdefgh"), tuple("stuvwxyz"), csr_matrix(np.eye(8)[y]), y)
    curve = learning_curve(bags, bags)
    assert curve.numbers[-1] == DOCUMENTS_AT_MOST and list(curve.judged) == ["naive Bayes"]
