"""Counts are those of a double loop, scikit-learn and nltk; PMI is nltk's; singular values are scipy's."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.collocations import BigramCollocationFinder
from nltk.metrics import BigramAssocMeasures
from scipy.sparse.linalg import svds
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from core.models.word_vectors.co_occurrence import (
    CoOccurrence,
    co_occurrences,
    drawn_cells,
    keep_their_nearest,
    largest_products,
    mean_cosine,
    nearest_is_frequent,
    pmi,
    weighted,
    weighted_rows,
)
from core.models.word_vectors.truncated_svd import factorise
from core.models.word_vectors.word_vectors import WordVectors
from core.text.samples.microworld import microworld
from core.text.tokenization.tokens import words

WORLD = [words(sentence) for sentence in microworld(300, seed=3)]
SENTENCES = st.lists(
    st.lists(st.sampled_from("the a cat sat on mat dog".split()), min_size=2, max_size=9),
    min_size=1,
    max_size=6,
)
MATRICES = st.integers(2, 7).flatmap(
    lambda n: st.lists(st.integers(0, 9), min_size=n * n, max_size=n * n).map(
        lambda cells: np.array(cells, dtype=float).reshape(n, n)
    )
)


def counted(sentences, window, most=99):
    try:
        return co_occurrences(sentences, window, most)
    except ValueError:
        return None


@given(SENTENCES, st.integers(1, 9))
def test_the_counts_are_those_of_a_double_loop(sentences, window):
    found = counted(sentences, window)
    if found is None:
        assert len({token for sentence in sentences for token in sentence}) < 2
        return
    expected = np.zeros(found.counts.shape, int)
    for sentence in sentences:
        for i, w in enumerate(sentence):
            for j, c in enumerate(sentence):
                if i != j and abs(i - j) <= window:
                    expected[found.index[w], found.index[c]] += 1
    np.testing.assert_array_equal(found.counts, expected)


@given(SENTENCES, st.integers(1, 9))
def test_the_matrix_is_symmetric_and_its_sum_is_the_sum_of_all_windows(sentences, window):
    found = counted(sentences, window)
    if found is None:
        return
    np.testing.assert_array_equal(found.counts, found.counts.T)
    assert found.total == sum(
        min(i, window) + min(len(sentence) - 1 - i, window)
        for sentence in sentences
        for i in range(len(sentence))
    )


@given(SENTENCES, st.integers(1, 8))
def test_a_wider_window_takes_no_count_away_and_one_over_the_longest_sentence_adds_none(sentences, window):
    narrow, wide, widest = (counted(sentences, size) for size in (window, window + 1, 99))
    if narrow is None:
        return
    assert (narrow.counts <= wide.counts).all() and (wide.counts <= widest.counts).all()
    np.testing.assert_array_equal(counted(sentences, 8).counts, widest.counts)


def test_a_window_of_one_word_counts_the_bigrams_of_scikit_learn_both_ways():
    found = co_occurrences(WORLD, 1, 999)
    vectoriser = CountVectorizer(analyzer=lambda s: list(pairwise(s)))
    sums = np.asarray(vectoriser.fit_transform(WORLD).sum(axis=0))[0]
    expected = np.zeros(found.counts.shape, int)
    for (w, c), column in vectoriser.vocabulary_.items():
        expected[found.index[w], found.index[c]] += sums[column]
        expected[found.index[c], found.index[w]] += sums[column]
    np.testing.assert_array_equal(found.counts, expected)


@pytest.mark.parametrize("window", [1, 3])
def test_a_window_counts_the_pairs_of_nltk_both_ways(window):
    for sentence in (each for each in WORLD[:20] if len(set(each)) > 1):
        pairs = BigramCollocationFinder.from_words(sentence, window_size=window + 1).ngram_fd
        found = co_occurrences([sentence], window, 99)
        for w in found.words:
            for c in found.words:
                assert found.counts[found.index[w], found.index[c]] == pairs[w, c] + pairs[c, w]


def test_words_without_a_row_keep_their_places_in_the_window():
    some, every = (co_occurrences(WORLD, 2, most) for most in (30, 999))
    np.testing.assert_array_equal(some.counts, every.counts[:30, :30])
    assert some.words == every.words[:30]


def test_pmi_is_nltk_s_and_minus_infinity_where_a_pair_was_never_seen():
    found = co_occurrences(WORLD, 3, 60)
    bits = pmi(found)
    for w in range(60):
        for c in range(60):
            n = int(found.counts[w, c])
            if n:
                margins = int(found.totals[w]), int(found.totals[c])
                assert bits[w, c] == pytest.approx(BigramAssocMeasures.pmi(n, margins, found.total))
            else:
                assert bits[w, c] == -np.inf
    np.testing.assert_array_equal(weighted(found, "PPMI"), np.where(bits > 0, bits, 0))
    np.testing.assert_array_equal(weighted(found, "PMI"), np.where(found.counts > 0, bits, 0))
    np.testing.assert_array_equal(weighted(found, "counts"), found.counts)


def test_pmi_by_hand():
    """king beside crown 4 times; the rows' sums are 5 and 10, all cells' 22: log2(4 * 22 / 50)."""
    found = CoOccurrence(("the", "crown", "king"), np.array([[0, 6, 1], [6, 0, 4], [1, 4, 0]]))
    assert pmi(found)[2, 1] == pytest.approx(np.log2(4 * 22 / 50)) and pmi(found)[2, 0] < 0


@given(MATRICES, st.integers(1, 7))
def test_what_k_dimensions_restore_is_as_far_off_as_the_singular_values_say(M, k):
    factors = factorise(M)
    k = min(k, len(M))
    assert factors.error(k) == pytest.approx(np.linalg.norm(M - factors.restored(k)), abs=1e-9)
    assert np.linalg.matrix_rank(factors.restored(k), tol=1e-6) <= k
    if M.any():
        assert factors.kept(k) == pytest.approx(1 - (factors.error(k) / np.linalg.norm(M)) ** 2, abs=1e-9)
    np.testing.assert_allclose(factors.restored(k, [0], [1]), factors.restored(k)[:1, 1:2], atol=1e-12)


def test_the_singular_values_are_scipy_s_and_the_vectors_scikit_learn_s():
    M = weighted(co_occurrences(WORLD, 4, 80), "PPMI")
    factors = factorise(M)
    np.testing.assert_allclose(factors.sigma[:10], svds(M, 10, return_singular_vectors=False)[::-1])
    theirs = TruncatedSVD(10, algorithm="arpack", random_state=0).fit_transform(M)
    np.testing.assert_allclose(np.abs(factors.vectors(10)), np.abs(theirs), atol=1e-6)


def test_the_short_vectors_have_the_cosines_of_the_restored_rows():
    factors = factorise(weighted(co_occurrences(WORLD, 4, 80), "PPMI"))
    np.testing.assert_allclose(
        cosine_similarity(factors.vectors(7)), cosine_similarity(factors.restored(7)), atol=1e-9
    )


def test_the_measures_of_rows_are_scikit_learn_s():
    rows = weighted_rows(co_occurrences(WORLD, 4, 80), "counts")
    cosines = cosine_similarity(rows.M)
    assert mean_cosine(rows.vectors) == pytest.approx(cosines[np.triu_indices(80, 1)].mean(), abs=1e-6)
    np.fill_diagonal(cosines, -1)
    assert nearest_is_frequent(rows.vectors) == pytest.approx((cosines.argmax(axis=1) < 10).mean(), abs=0.02)
    few = WordVectors(rows.found.words, rows.factors.vectors(80))
    assert keep_their_nearest(rows.vectors, few) == 1.0


def test_equally_near_words_are_all_nearest():
    vectors = WordVectors(["a", "b", "c"], np.float32([[1, 0], [1, 0], [1, 0]]))
    other = WordVectors(["a", "b", "c"], np.float32([[1, 0], [0, 1], [1, 0.1]]))
    assert keep_their_nearest(vectors, other) == 1.0


@given(MATRICES)
def test_the_largest_terms_are_positive_and_add_up_to_at_least_any_other_as_many(M):
    x, y = M[0], M[1]
    places = largest_products(x, y, 3)
    assert (x[places] * y[places] > 0).all()
    assert (x * y)[places].sum() == pytest.approx(np.sort(x * y)[::-1][:3].clip(0).sum())


@given(MATRICES, st.integers(1, 7), st.integers(1, 9))
def test_cells_drawn_begin_with_those_asked_for_and_none_twice(M, rows, columns):
    found = drawn_cells(M, [len(M) - 1], rows, columns)
    assert found[0][0] == len(M) - 1
    for places, most in zip(found, (rows, columns), strict=True):
        assert len(set(places)) == len(places) == min(most, len(M))


@pytest.mark.parametrize("sentences", [[], [["word"]], [["word", "word"]], [["a"], ["b"]], [[]]])
def test_a_text_without_two_words_together_is_answered_with_a_sentence(sentences):
    with pytest.raises(ValueError, match="No two different words"):
        co_occurrences(sentences, 2, 10)
