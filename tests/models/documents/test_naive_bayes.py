"""Naive Bayes is scikit-learn's MultinomialNB, on counts and on counts clipped at one, and worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from core.models.documents.bag_of_words import Bags, bags_of, clipped, held_out_places, learnt_and_held_out
from core.models.documents.naive_bayes import NaiveBayes, class_counts, explain_words
from core.text.samples.reviews import reviews
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences, words

PLAYS = {name: sentences(sample(name).read().text)[:1500] for name in ("hamlet", "macbeth")}
REVIEWS = reviews()
TEXTS = {
    "reviews": (REVIEWS.texts, REVIEWS.labels),
    "plays": (
        tuple(PLAYS["hamlet"] + PLAYS["macbeth"]),
        tuple(name for name, said in PLAYS.items() for _ in said),
    ),
}
COUNTS = st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=3, max_size=12)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("alpha", [0.1, 1.0, 5.0])
def test_posteriors_are_scikit_learn_s(text, binary, alpha):
    learnt, rest, _ = learnt_and_held_out(*TEXTS[text])
    learnt, rest = (learnt.binary, rest.binary) if binary else (learnt, rest)
    peer = MultinomialNB(alpha=alpha).fit(learnt.X, learnt.y)
    model = NaiveBayes(alpha).fit(learnt.X, learnt.y)
    np.testing.assert_allclose(model.posterior(rest.X), peer.predict_proba(rest.X), atol=1e-6)
    np.testing.assert_allclose(model.log_likelihood_, peer.feature_log_prob_, atol=1e-9)


def test_bags_are_count_vectorizer_s_and_the_held_out_words_do_not_enter_the_vocabulary():
    learnt, rest, held = learnt_and_held_out(*TEXTS["plays"])
    texts = np.array(TEXTS["plays"][0], dtype=object)
    peer = CountVectorizer(analyzer=words)
    expected = peer.fit_transform(texts[~held])
    order = [peer.vocabulary_[word] for word in learnt.vocabulary]
    assert (expected[:, order] != learnt.X).nnz == 0
    assert (peer.transform(texts[held])[:, order] != rest.X).nnz == 0


def test_jurafsky_and_martin_s_worked_example():
    """Chapter 4.3: "predictable with no fun" is negative, 6.1e-5 against 3.2e-5 (3.28e-5 before it is cut)."""
    texts = [
        "just plain boring",
        "entirely predictable and lacks energy",
        "no surprises and very few laughs",
        "very powerful",
        "the most fun film of the summer",
    ]
    index = {}
    X = bags_of([text.split() for text in texts], index)
    bags = Bags(tuple(index), ("-", "+"), X, np.array([0, 0, 0, 1, 1]))
    model = NaiveBayes(1.0).fit(bags.X, bags.y)
    reading = explain_words(model, bags, "predictable with no fun".split())
    assert reading.unknown == ("with",)
    assert np.exp(reading.sums[-1]) == pytest.approx([6.106e-5, 3.28e-5], rel=0.002)
    assert np.exp(reading.log_likelihoods) == pytest.approx(np.array([[2, 1], [2, 1], [1, 2]]) / [34, 29])


@given(COUNTS, st.floats(0.01, 10), st.randoms())
def test_a_reading_adds_up_to_the_model_s_own_sum_in_any_order(rows, alpha, random):
    y = np.arange(len(rows)) % 2
    bags = Bags(tuple("abcd"), ("x", "y"), csr_matrix(np.array(rows, dtype=float)), y)
    model = NaiveBayes(alpha).fit(bags.X, y)
    tokens = list("abcddda")
    random.shuffle(tokens)
    reading = explain_words(model, bags, tokens)
    assert reading.sums[-1] == pytest.approx(model.joint_log_probability(bags.counted(tokens))[0])
    assert np.exp(model.log_likelihood_).sum(axis=1) == pytest.approx(1)


def test_without_smoothing_one_word_silences_a_class_and_two_words_both():
    X, y = csr_matrix([[1.0, 1, 0], [1.0, 0, 1]]), np.array([0, 1])
    model = NaiveBayes(0.0).fit(X, y)
    assert model.posterior(csr_matrix([[5.0, 1, 0]])).tolist() == [[1, 0]]
    assert np.isnan(model.posterior(csr_matrix([[0.0, 1, 1]]))).all()


def test_a_class_without_words_says_none():
    model = NaiveBayes(0.0).fit(csr_matrix([[1.0], [0.0]]), np.array([0, 1]))
    assert model.log_likelihood_.tolist() == [[0.0], [-np.inf]]


def test_clipping_counts_a_word_once_a_document():
    assert clipped(csr_matrix([[3.0, 0, 1]])).toarray().tolist() == [[1, 0, 1]]


def test_class_counts_add_documents_up():
    X, y = csr_matrix([[1.0, 2], [3.0, 0], [0.0, 5]]), np.array([1, 1, 0])
    counts, documents = class_counts(X, y)
    assert (counts.tolist(), documents.tolist()) == ([[0, 5], [4, 2]], [1, 2])


@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=200))
def test_a_fifth_of_every_class_is_held_out_always_the_same(labels):
    held, every = held_out_places(labels), np.array(labels)
    assert (held == held_out_places(labels)).all()
    for label in set(labels):
        assert held[every == label].sum() == max(1, round(0.2 * (every == label).sum()))
