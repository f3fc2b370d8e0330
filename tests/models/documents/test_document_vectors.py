"""Documents' vectors are those of scikit-learn's TfidfVectorizer and cosines its pairwise ones; nearest are the nearest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, issparse
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from core.models.documents.bag_of_words import bags_of
from core.models.documents.document_map import document_map
from core.models.documents.document_space import (
    COUNTS,
    TF_IDF,
    count_documents,
    document_space,
    turn_to,
)
from core.models.documents.document_vectors import (
    cosine_terms,
    count_rows,
    divided_by_length,
    parts_of,
    tf_idf_rows,
    vector_rows,
)
from core.models.documents.nearest_documents import leave_one_out, most_alike
from core.models.documents.tf_idf import document_frequencies, inverse_document_frequencies, tf_idf
from core.models.word_vectors.word_vectors import WordVectors, stored_vectors
from core.text.reading.labelled import some_places
from core.text.samples.reviews import reviews
from core.text.tokenization.tokens import words

SOME = reviews(300)
KINDS = (COUNTS, TF_IDF, "glove")


def vectors(kind):
    return stored_vectors(kind) if kind == "glove" else kind


@pytest.fixture(scope="module")
def counted():
    return count_documents(SOME.texts, SOME.labels)


def dense(matrix):
    return matrix.toarray() if issparse(matrix) else matrix


@pytest.mark.parametrize("norm", ["l2", None])
def test_tf_idf_is_tfidf_vectorizer_s_by_default(counted, norm):
    peer = TfidfVectorizer(analyzer=words, norm=norm)
    expected = peer.fit_transform(SOME.texts)
    order = [peer.vocabulary_[word] for word in counted.index]
    ours = document_space(counted, TF_IDF, divide=norm is not None).vectors
    np.testing.assert_allclose(ours.toarray(), expected[:, order].toarray(), atol=1e-12)
    np.testing.assert_allclose(
        inverse_document_frequencies(document_frequencies(counted.X), 300), peer.idf_[order]
    )


def test_counts_are_count_vectorizer_s(counted):
    peer = CountVectorizer(analyzer=words)
    expected = peer.fit_transform(SOME.texts)
    order = [peer.vocabulary_[word] for word in counted.index]
    assert (document_space(counted, COUNTS, divide=False).vectors != expected[:, order]).nnz == 0


def test_tf_idf_by_hand():
    """Two of three documents have “lid”, one has “dull” twice: 1.2877 and 2 · 1.6931, of length 3.6230."""
    index = {}
    X = bags_of([["dull", "lid", "dull"], ["lid"], ["love"]], index)
    assert tf_idf(X).toarray()[0] == pytest.approx([3.38629, 1.28768, 0], abs=1e-5)
    assert divided_by_length(tf_idf(X)).toarray()[0] == pytest.approx([0.93471, 0.35543, 0], abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_nearest_by_cosine_are_scikit_learn_s(counted, kind):
    space = document_space(counted, vectors(kind))
    cosines = cosine_similarity(dense(document_space(counted, vectors(kind), divide=False).vectors))
    np.fill_diagonal(cosines, -np.inf)
    rows = np.arange(300)
    np.testing.assert_allclose(cosines[rows, space.left_out.nearest], cosines.max(axis=1), atol=1e-9)
    y = np.array(SOME.labels)
    assert (space.left_out.same == (y[space.left_out.nearest] == y)).all()
    for place in (0, 7, 299):
        parts = parts_of(counted.tokens[place], space.rows)
        near = most_alike(space.vectors, parts.vector / parts.length, 5, place)
        assert place not in near
        np.testing.assert_allclose(cosines[place, near], np.sort(cosines[place])[::-1][:5], atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_words_add_is_the_cosine(counted, kind):
    space = document_space(counted, vectors(kind), divide=False)
    rows = dense(space.vectors)
    for one, other in ((0, 1), (5, 250), (17, 17)):
        x, y = (parts_of(counted.tokens[i], space.rows) for i in (one, other))
        np.testing.assert_allclose(x.vector, rows[one], atol=1e-6)
        expected = cosine_similarity(rows[[one]], rows[[other]])[0, 0]
        assert cosine_terms(x, y.vector).sum() == pytest.approx(expected, abs=1e-9)
        assert cosine_terms(x, y.vector, divide=False).sum() == pytest.approx(rows[one] @ rows[other])


def test_a_mean_leaves_out_words_without_a_vector_and_counts_the_others_as_often_as_they_stand_there():
    known = WordVectors(["good", "bad"], [[2, 0], [-1, 3]])
    index = {"good": 0, "zzz": 1, "bad": 2}
    x = parts_of(["good", "zzz", "bad", "good"], vector_rows(index, known))
    assert (x.words, x.vector.tolist()) == (("good", "bad"), [1.0, 1.0])


def test_a_document_of_unknown_words_has_no_neighbour_and_is_no_other_s():
    X = csr_matrix([[1.0, 0], [0, 0], [2, 1]])
    found = leave_one_out(divided_by_length(X), np.array([0, 0, 1]))
    assert found.nearest.tolist() == [2, -1, 0]
    assert (found.right, found.neighbours) == (0, 2)
    assert most_alike(X, np.zeros(2), 3).tolist() == []
    assert parts_of(["never"], count_rows({"a": 0})).length == 0


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=12))
def test_leaving_one_out_finds_the_greatest_product_with_any_other(rows):
    X = csr_matrix(np.array(rows, dtype=float))
    found, products = leave_one_out(X, np.zeros(len(rows))), (X @ X.T).toarray()
    np.fill_diagonal(products, -1)
    for place, near in enumerate(found.nearest):
        best = products[place].max()
        assert (near == -1) == (best == 0)
        assert near == -1 or products[place, near] == best


def test_the_map_is_that_of_all_principal_components(counted):
    space = document_space(counted, TF_IDF)
    whole = PCA(2, svd_solver="full").fit(space.vectors.toarray())
    ours = document_map(space.vectors)
    assert ours.variance == pytest.approx(whole.explained_variance_ratio_, rel=1e-6)
    np.testing.assert_allclose(
        abs(ours.coordinates), abs(whole.transform(space.vectors.toarray())), atol=1e-5
    )
    np.testing.assert_allclose(ours.place(space.vectors[[3]].toarray()), ours.coordinates[[3]], atol=1e-9)


def test_a_turn_moves_a_map_onto_one_that_was_turned(counted):
    space = document_space(counted, COUNTS)
    assert turn_to(space, space) == pytest.approx(np.eye(2), abs=1e-9)


def test_of_too_many_documents_some_are_looked_at_whatever_the_order_of_their_labels():
    found = count_documents(SOME.texts, SOME.labels, most=100)
    places = some_places(len(SOME.texts), 100)
    assert found.texts == tuple(SOME.texts[i] for i in places)
    assert found.y.tolist() == [SOME.labels[i] == "positive" for i in places]
    n = sum(found.y)
    assert found.chance == pytest.approx((n * (n - 1) + (100 - n) * (99 - n)) / 9900)
    in_turn = count_documents(["a", "b"] * 200, ["x", "y"] * 200, most=100)
    assert 30 < sum(in_turn.y) < 70


def test_rows_of_tf_idf_are_the_weights_of_one_word_each(counted):
    rows = tf_idf_rows(counted.index, counted.X)
    assert (rows.vectors(counted.X) != tf_idf(counted.X)).nnz == 0
