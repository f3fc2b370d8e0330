"""What is measured of pairs: every kind from where it should be, and vectors that do not depend on the batch."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from core.models.pretraining.pair_measures import (
    OTHER_BOOK,
    SAME_BOOK,
    SWAPPED,
    TRUE,
    drawn_quadruples,
    every_order,
    followers_found,
    linear_probe,
    own_pairs,
    pair_vectors,
    rarities,
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
    found = drawn_quadruples(passages, np.array([1, 3]), 30, draw)
    assert len(found) == 30 == len({each.first for each in found})
    for each in found:
        book = passages.books[each.first]
        assert book in (1, 3)
        assert each.pair(TRUE) == (each.first, each.first + 1) == each.pair(SWAPPED)[::-1]
        assert passages.books[each.pair(SAME_BOOK)[1]] == book
        assert passages.books[each.pair(OTHER_BOOK)[1]] == 4 - book
        lengths = {len(ids[each.pair(kind)[1]]) for kind in (TRUE, SAME_BOOK, OTHER_BOOK)}
        assert len(lengths) == 1


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
