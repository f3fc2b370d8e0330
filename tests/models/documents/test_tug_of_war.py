"""Both sums are scikit-learn's log-odds, and doubled features multiply naive Bayes but hardly move logistic regression."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression as PeerRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import MultinomialNB

from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import NaiveBayes
from core.models.documents.tug_of_war import (
    duplicate_features,
    how_sure,
    log_ratios,
    mean_cross_entropy,
    pulls,
)
from core.text.samples.reviews import reviews

REVIEWS = reviews()
LEARNT, REST, _ = learnt_and_held_out(REVIEWS.texts, REVIEWS.labels)
TOKENS = "flimsy and dull but i love love the handle zzz".split()


def fitted(copies, l2=1.0):
    X = duplicate_features(LEARNT.X, copies)
    return NaiveBayes(1.0).fit(X, LEARNT.y), LogisticRegression(l2).fit(X, LEARNT.y)


@pytest.mark.parametrize("copies", [1, 3])
def test_both_sums_are_scikit_learn_s_log_odds_also_of_copied_features(copies):
    X, bag = duplicate_features(LEARNT.X, copies), duplicate_features(LEARNT.counted(TOKENS), copies)
    found = pulls(*fitted(copies), LEARNT.index, TOKENS, copies)
    bayes = MultinomialNB(alpha=1.0).fit(X, LEARNT.y).predict_log_proba(bag)[0]
    regression = PeerRegression(C=1.0, solver="newton-cg", tol=1e-10, max_iter=10_000).fit(X, LEARNT.y)
    assert found.z[0] == pytest.approx(bayes[1] - bayes[0], abs=1e-6)
    assert found.z[1] == pytest.approx(regression.decision_function(bag)[0], abs=1e-3)
    assert found.begin + found.terms.sum(axis=1) == pytest.approx(found.z)


def test_copies_multiply_what_the_words_add_in_naive_bayes_exactly_and_not_in_logistic_regression():
    one, three = (pulls(*fitted(n), LEARNT.index, TOKENS, n) for n in (1, 3))
    np.testing.assert_allclose(three.terms[0], 3 * one.terms[0], rtol=1e-9)
    assert three.begin[0] == one.begin[0]
    assert np.abs(three.terms[1]).sum() < 2 * np.abs(one.terms[1]).sum()


def test_logistic_regression_shares_the_weight_equally_among_copies():
    _, regression = fitted(3)
    shares = regression.coef_.reshape(3, -1)
    np.testing.assert_allclose(shares[0], shares[1], atol=1e-5)
    np.testing.assert_allclose(
        3 * shares[0], LogisticRegression(1 / 3).fit(LEARNT.X, LEARNT.y).coef_, atol=1e-4
    )


@given(st.integers(1, 12))
def test_a_word_said_again_is_the_document_with_the_word_typed_again(times):
    models = fitted_once()
    found = pulls(*models, LEARNT.index, TOKENS)
    place = found.tokens.index("love")
    typed = [token for token in TOKENS if token != "love"] + ["love"] * times
    again = pulls(*models, LEARNT.index, typed)
    assert found.said(place, np.array([times]))[:, 0] == pytest.approx(again.p)


def fitted_once(kept=[]):  # noqa: B006 - one fit for all examples
    if not kept:
        kept.append(fitted(1))
    return kept[0]


def test_the_loss_is_scikit_learn_s_and_a_judge_is_as_sure_as_its_larger_probability():
    p = fitted_once()[0].posterior(REST.X)[:, 1]
    assert mean_cross_entropy(p, REST.y) == pytest.approx(log_loss(REST.y, p))
    assert how_sure(p) == pytest.approx(np.maximum(p, 1 - p).mean())
    assert np.isfinite(mean_cross_entropy(np.array([0.0]), np.array([1])))


def test_log_ratios_are_those_of_the_counts():
    prior, ratios = log_ratios(
        NaiveBayes(2.0).fit(csr_matrix([[3.0, 0.0], [1.0, 4.0], [0.0, 1.0]]), np.array([1, 0, 0]))
    )
    assert prior == pytest.approx(np.log(1 / 2))
    assert np.exp(ratios) == pytest.approx([(5 / 7) / (3 / 10), (2 / 7) / (7 / 10)])
