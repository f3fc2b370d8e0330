"""What is measured of pairs: every kind from where it should be, and vectors that do not depend on the batch."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from core.models.pretraining.pair_measures import (
    MEASURABLE,
    OTHER_BOOK,
    SAME_BOOK,
    SWAPPED,
    TRUE,
    OwnPairs,
    auc,
    drawn_quadruples,
    every_order,
    followers_found,
    linear_probe,
    own_pairs,
    pair_vectors,
    rarities,
    separate,
    shared_word_counts,
)
from core.models.pretraining.pair_training import Passages
from tests.models.pretraining.test_sentence_pairs import model


def test_the_vectors_of_a_batch_are_those_of_each_pair_alone():
    pairs = [model().read(a, b) for a, b in (("ab", "c"), ("abc", "de"), ("x", "yz"), ("ab", "d"))]
    found = pair_vectors(model(), pairs)
    for i, pair in enumerate(pairs):
        trace = model().trace(pair)
        assert found.c[i] == pytest.approx(trace.c.numpy(), abs=1e-5)
        assert found.first[i] == pytest.approx(trace.h[0].numpy(), abs=1e-5)
        assert found.mean[i] == pytest.approx(trace.h.mean(dim=0).numpy(), abs=1e-5)
        assert found.p[i] == pytest.approx(trace.p_next, abs=1e-6)


def test_each_kind_of_pair_is_what_its_name_says():
    draw = np.random.default_rng(5)
    ids = [tuple(draw.integers(0, 256, draw.integers(3, 5)).tolist()) for _ in range(160)]
    passages = Passages(ids, np.repeat([0, 1, 2, 3], 40))
    places = passages.followed[passages.books[passages.followed] % 2 == 1]
    found = drawn_quadruples(passages, places, 30, draw)
    assert len(found) == 30 == len({each.first for each in found})
    for each in found:
        book = passages.books[each.first]
        assert book in (1, 3)
        assert each.pair(TRUE) == (each.first, each.first + 1) == each.pair(SWAPPED)[::-1]
        same, far = each.pair(SAME_BOOK)[1], each.pair(OTHER_BOOK)[1]
        assert passages.books[same] == book and abs(same - each.first) > 1
        assert passages.books[far] == 4 - book and len(ids[far]) == len(ids[each.first + 1])


def test_the_auc_is_scikit_learn_s_with_ties_and_its_interval_holds_it():
    draw = np.random.default_rng(4)
    true, other = draw.normal(0.8, 1, 200).round(1), draw.normal(0, 1, 200).round(1)
    expected = roc_auc_score(np.repeat([1, 0], 200), np.concatenate([true, other]))
    assert auc(true, other) == pytest.approx(expected)
    nothing, books = np.zeros(200), np.arange(200) // 4
    found = separate((true, other), (nothing, nothing), books, np.random.default_rng(1), samples=300)
    assert found.auc == pytest.approx(expected) and found.low < expected < found.high
    assert found.second == 0.5 and found.ahead_low == pytest.approx(found.low - 0.5)
    few = separate((true, other), (nothing, nothing), books // 10, np.random.default_rng(1), samples=300)
    assert few.auc == found.auc, "which books are drawn moves the ends alone"


def test_of_a_short_text_no_auc_is_measured():
    few = OwnPairs(*np.random.default_rng(1).random((3, MEASURABLE - 1)))
    assert few.measure_auc(1) is None
    p = np.linspace(0.1, 0.9, MEASURABLE)
    found = OwnPairs(p, p - 1, p[::-1]).measure_auc(1)
    assert found[SWAPPED] == (1, 1, 1) and found[SAME_BOOK][0] == 0.5
    assert found[SAME_BOOK][1] < 0.5 < found[SAME_BOOK][2]


def test_shared_words_are_counted_as_by_hand():
    rarity = rarities([["a", "king"], ["a", "queen"], ["a"], ["a"]])
    assert rarity["a"] == 0 and rarity["king"] == pytest.approx(np.log(4))
    counts = shared_word_counts(["a", "king", "a"], ["king", "a", "now"], rarity)
    assert counts == pytest.approx([2, 2 / 3, np.log(4)])
    assert shared_word_counts([], [], rarity) == [0, 0, 0]


def test_a_probe_is_scikit_learn_s_regression_on_standardised_numbers():
    draw = np.random.default_rng(0)
    x, z = draw.normal(size=(60, 4)), draw.normal(size=(30, 4))
    y, answers = x[:, 0] > 0, z[:, 0] > 0
    scale = StandardScaler().fit(x)
    expected = LogisticRegression(C=0.1).fit(scale.transform(x), y).predict(scale.transform(z)) == answers
    assert (linear_probe(x, y, z, answers) == expected).all()
    assert expected.mean() > 0.7


def test_every_order_reads_each_ordered_pair_and_finds_the_largest_of_each_row():
    sentences = [[97, 98], [99], [100, 101, 102]]
    p = every_order(model(), sentences)
    assert np.isnan(p.diagonal()).all()
    assert p[2, 0] == pytest.approx(model().trace(model().read("def", "ab")).p_next, abs=1e-6)
    assert p[0, 2] == pytest.approx(model().trace(model().read("ab", "def")).p_next, abs=1e-6)
    table = np.array([[np.nan, 0.1, 0.2], [0.3, np.nan, 0.4], [0.9, 0.9, np.nan]])
    assert followers_found(table) == 1


def test_a_text_s_own_pairs_follow_are_swapped_or_are_others_and_two_sentences_are_too_few():
    sentences = [[97], [98, 99], [100], [101, 102]]
    found = own_pairs(model(), sentences, seed=1)
    assert found.true[1] == pytest.approx(model().trace(model().read("bc", "d")).p_next, abs=1e-6)
    assert found.swapped[1] == pytest.approx(model().trace(model().read("d", "bc")).p_next, abs=1e-6)
    others = [model().trace(model().read("bc", each)).p_next for each in ("a", "ef")]
    assert any(found.other[1] == pytest.approx(p, abs=1e-6) for p in others)
    assert found.called_next[TRUE] == int((found.true > 0.5).sum())
    assert own_pairs(model(), sentences[:2], seed=1) is None
