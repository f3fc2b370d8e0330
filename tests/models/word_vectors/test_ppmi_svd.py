"""PPMI is that of the lesson on co-occurrence, and the largest factors are scikit-learn's."""

import numpy as np
import pytest
from scipy.sparse import random_array
from sklearn.decomposition import TruncatedSVD

from core.models.word_vectors import ppmi_svd
from core.models.word_vectors.co_occurrence import co_occurrences, weighted
from core.models.word_vectors.near_matrix import near_matrix
from core.models.word_vectors.ppmi_svd import PpmiSvd, largest, ppmi
from core.models.word_vectors.word2vec import encoded
from core.text.samples.microworld import microworld
from core.text.tokenization.tokens import words

WORLD = [words(sentence) for sentence in microworld(300, seed=4)]


def test_without_smoothing_it_is_the_ppmi_of_the_lesson_on_co_occurrence():
    vocabulary, text = encoded(WORLD, 1)
    found = co_occurrences(WORLD, window=4, most=10_000)
    assert found.words == vocabulary.types
    X = near_matrix(text, len(vocabulary), 4)
    np.testing.assert_array_equal(X.toarray(), found.counts)
    np.testing.assert_allclose(ppmi(X, power=1).toarray(), weighted(found, "PPMI"), atol=1e-12)


def test_a_smoothed_cell_by_hand():
    """Counts 8 and 1 of 9 in a row: p(c) goes with 8^0.75 = 4.757 and 1, so p(rare) = 0.1737 in place of 1/9."""
    X = near_matrix(encoded([["a", "b"]] * 8 + [["a", "c"]], 1)[1], 3, 1)
    totals = np.array([9, 8, 1])
    shares = totals**0.75 / (totals**0.75).sum()
    assert X.toarray().tolist() == [[0, 8, 1], [8, 0, 0], [1, 0, 0]]
    assert ppmi(X)[0, 2] == pytest.approx(np.log2((1 / 18) / (9 / 18 * shares[2])))


@pytest.mark.parametrize("small", [0, 400])
def test_the_largest_factors_are_scikit_learn_s(monkeypatch, small):
    monkeypatch.setattr(ppmi_svd, "SMALL", small)
    M = random_array((60, 60), density=0.3, rng=np.random.default_rng(2)).tocsr()
    found, theirs = largest(M, 8), TruncatedSVD(8, algorithm="arpack", random_state=0).fit(M)
    np.testing.assert_allclose(found.sigma, theirs.singular_values_, rtol=1e-8)
    np.testing.assert_allclose(np.abs(found.Vt), np.abs(theirs.components_), atol=1e-6)


def test_cosines_are_those_of_u_and_the_root_of_sigma():
    model = PpmiSvd(dimension=10, window=4).fit(WORLD)
    U, sigma, _ = np.linalg.svd(ppmi(near_matrix(encoded(WORLD, 1)[1], len(model.vocabulary_), 4)).toarray())
    X = U[:, :10] * np.sqrt(sigma[:10])
    one, other = model.vectors_.rows(["king", "queen"])
    cosine = X[one] @ X[other] / np.linalg.norm(X[one]) / np.linalg.norm(X[other])
    assert model.vectors_.similarity("king", "queen") == pytest.approx(cosine, abs=1e-5)
    assert model.parameters == 2 * 10 * len(model.vocabulary_) + 10


def test_the_power_of_sigma_weighs_the_directions_and_those_that_hold_nothing_weigh_nothing():
    even, whole = (PpmiSvd(dimension=10, window=4, power=p).fit(WORLD) for p in (0.0, 1.0))
    np.testing.assert_allclose(even.vectors_.vectors, even.factors_.U)
    np.testing.assert_allclose(whole.vectors_.vectors, whole.factors_.U * whole.factors_.sigma)
    few = PpmiSvd(dimension=3, window=2, power=0.0).fit([["a", "b"], ["c", "d"]] * 3)
    lost = few.factors_.sigma < few.factors_.sigma[0] * 1e-9
    assert not few.vectors_.vectors[:, lost].any()


def test_a_shift_is_taken_from_pmi_before_what_is_below_0_becomes_0():
    vocabulary, text = encoded(WORLD, 1)
    X = near_matrix(text, len(vocabulary), 4)
    plain, shifted = ppmi(X).toarray(), ppmi(X, shift=1.0).toarray()
    np.testing.assert_allclose(shifted, np.maximum(0, plain - 1), atol=1e-12)


def test_it_has_fewer_dimensions_than_words():
    assert PpmiSvd(dimension=50).fit([["a", "b", "c"]]).vectors_.dimension == 2
