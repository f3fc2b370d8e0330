"""Stored counts and weights are those of classifiers of documents, whatever alpha, penalty and copies are asked for."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as PeerRegression
from sklearn.naive_bayes import MultinomialNB

from core.models.documents.stored_classifiers import ALPHAS, COPIES, PENALTIES, stored_classifiers
from core.models.documents.tug_of_war import duplicate_features, pulls
from core.models.stored import load_card
from core.training.classifiers import split, train_classifiers
from core.training.recipes import classify_sms

NAMES = ("classify_movies", "classify_sms", "classify_news")


@pytest.fixture(scope="module")
def messages():
    config = classify_sms.CONFIG
    return split(classify_sms.text_messages(), config["in_documents"], config["near_doubles"])


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("alpha", [0.1, 1.0, 5.0])
def test_naive_bayes_of_the_counts_is_scikit_learn_s_of_the_documents(messages, alpha, binary):
    learnt, rest = (bags.binary if binary else bags for bags in messages)
    stored, peer = stored_classifiers("classify_sms"), MultinomialNB(alpha=alpha).fit(learnt.X, learnt.y)
    assert stored.vocabulary == learnt.vocabulary and stored.classes == learnt.classes
    model = stored.naive_bayes(alpha, binary)
    np.testing.assert_allclose(model.posterior(rest.X), peer.predict_proba(rest.X), atol=1e-6)
    confusion = stored.bayes_confusion(alpha, binary)
    assert confusion.right == (peer.predict(rest.X) == rest.y).sum()


@pytest.mark.parametrize("l2", [0.1, 1.0, 10.0])
def test_the_weights_are_scikit_learn_s_as_near_as_half_precision_holds_them(messages, l2):
    learnt, rest = messages
    stored = stored_classifiers("classify_sms")
    peer = PeerRegression(C=1 / l2, solver="newton-cg", tol=1e-8, max_iter=5000).fit(learnt.X, learnt.y)
    model = stored.regression(1, l2)
    np.testing.assert_allclose(model.coef_, peer.coef_[0], atol=4e-3)
    assert abs(stored.regression_confusion(1, l2).right - (peer.predict(rest.X) == rest.y).sum()) <= 1


def test_copied_features_are_those_that_would_be_learnt_from_copies(messages):
    learnt, rest = messages
    stored = stored_classifiers("classify_sms")
    X = duplicate_features(learnt.X, COPIES)
    bayes = MultinomialNB(alpha=1.0).fit(X, learnt.y)
    regression = PeerRegression(C=1.0, solver="newton-cg", tol=1e-8, max_iter=5000).fit(X, learnt.y)
    held = duplicate_features(rest.X, COPIES)
    ours = stored.against_rest(1, 1.0, COPIES), stored.regression(1, 1.0, COPIES)
    np.testing.assert_allclose(ours[0].posterior(held), bayes.predict_proba(held), atol=1e-6)
    np.testing.assert_allclose(ours[1].posterior(held), regression.predict_proba(held), atol=2e-3)
    sure = stored.sure(1, 1.0, 1.0, COPIES)
    assert sure[0, 0] == pytest.approx(bayes.score(held, rest.y), abs=1e-6)


def test_without_alpha_as_many_documents_are_silenced_as_have_a_word_their_class_never_said(messages):
    learnt, rest = messages
    spoken = [set(learnt.X[learnt.y == c].nonzero()[1].tolist()) for c in (0, 1)]
    expected = sum(not set(rest.X[d].indices.tolist()) <= spoken[rest.y[d]] for d in range(len(rest.y)))
    assert stored_classifiers("classify_sms").silenced == expected


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stored_fits_together_and_is_small(name):
    from core.models.stored import MODELS

    stored, C = stored_classifiers(name), len(stored_classifiers(name).classes)
    K = C if C > 2 else 1
    arrays = stored.arrays
    assert arrays["counts"].shape == (2, C, len(stored.vocabulary))
    assert arrays["coef"].shape == (2 * len(PENALTIES), K, len(stored.vocabulary))
    assert arrays["bayes"].shape == (2, len(ALPHAS), C, C + 1)
    assert {int(each.sum()) for each in arrays["bayes"].reshape(-1, C * (C + 1))} == {stored.held_out}
    assert (arrays["counts"][1] <= arrays["counts"][0]).all()
    assert sum(path.stat().st_size for path in (MODELS / name).iterdir()) <= 1.5 * 2**20
    words = ["the", stored.vocabulary[-1], "zzzzz"]
    found = pulls(stored.against_rest(C - 1, 1.0), stored.regression(C - 1, 1.0), stored.index, words)
    assert np.isfinite(found.z).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_card_sets_them_beside_scikit_learn_s(name):
    quality = load_card(name).quality
    for method in ("naive Bayes", "logistic regression"):
        assert quality[method] == pytest.approx(quality[f"{method} of scikit-learn"], abs=0.005)
        assert quality[f"{method}, 95% from"] < quality[method] < quality[f"{method}, 95% to"]
        assert quality[method] > quality["always the most frequent class"]


def test_a_recipe_learns_from_any_labelled_documents():
    pairs = [("a", f"red round {n % 3}") for n in range(12)] + [
        ("b", f"blue flat {n % 4}") for n in range(12)
    ]
    pairs += [("c", f"green tall {n % 5}") for n in range(12)]
    pairs = [(label, f"{text} number{place}") for place, (label, text) in enumerate(pairs)]
    trained = train_classifiers(pairs, 2, lambda share, message: None)
    assert trained.weights["coef"].shape[1] == 3
    assert trained.files["peer"]["naive Bayes"] == 1.0
