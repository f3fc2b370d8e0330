"""The bottleneck's measures agree with scipy's interval, with greedy search, and with sums done by hand."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.models.translation.bottleneck import (
    Narrowed,
    attempts,
    exact_match_interval,
    last_state,
    mean_kept,
    movement,
    words_kept,
)
from core.models.translation.translate import greedy, stored_translator
from core.text.grammar.english_french import english_french
from core.text.tokenization.word_differences import EXTRA, MISSING, SAME, compare_words, first_difference


@pytest.fixture(scope="module")
def translator():
    return stored_translator("translate_french_none")


@pytest.fixture(scope="module")
def pairs():
    found = english_french(3, held_out=True, lengths=(5, 12))
    return [next(found) for _ in range(6)]


def test_a_batch_is_translated_as_each_sentence_alone(translator, pairs):
    for attempt in attempts(translator, pairs):
        alone = greedy(translator.model, translator.source.encode(attempt.pair.source), limit=60)
        written = translator.target.decode(alone.words)
        assert list(attempt.output) == written[: len(attempt.output)]
        assert attempt.right == (written == list(attempt.pair.target))
        assert (attempt.drift is None) == attempt.right


@given(st.integers(1, 300), st.data())
def test_wilson_s_interval_solves_its_equation(n, data):
    k = data.draw(st.integers(0, n))
    found = exact_match_interval([True] * k + [False] * (n - k))
    z = 1.959964
    for end in (found.low, found.high):  # (p - end)² = z² end (1 - end) / n
        assert (k / n - end) ** 2 == pytest.approx(z**2 * end * (1 - end) / n, abs=1e-6)
    assert found.low <= found.value <= found.high


def test_the_mean_of_one_value_says_nothing_about_its_spread():
    assert (mean_kept([0.5]).low, mean_kept([0.5]).high) == (0, 1)


@given(st.lists(st.sampled_from("abc"), min_size=1), st.lists(st.sampled_from("abc")))
def test_the_words_kept_are_a_share_and_all_are_kept_of_a_sentence_itself(wanted, written):
    assert 0 <= words_kept(written, wanted) <= 1
    assert words_kept(wanted[::-1], wanted) == 1


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_what_is_marked_gives_both_versions_back(written, wanted):
    found = compare_words(written, wanted)
    assert [d.word for d in found if d.mark in (SAME, EXTRA)] == written
    assert [d.word for d in found if d.mark in (SAME, MISSING)] == wanted
    assert (first_difference(written, wanted) is None) == (written == wanted)


def test_a_narrowed_model_loses_every_second_number_and_leaves_the_whole_one_alone(translator, pairs):
    ids = translator.source.encode(pairs[0].source)
    before = last_state(translator.model, ids)
    narrow = last_state(Narrowed(translator.model, 2), ids)
    assert np.array_equal(narrow[::2], before[::2])
    assert not narrow[1::2].any()
    assert np.array_equal(last_state(translator.model, ids), before)


def test_movement_is_the_distance_to_the_sentence_without_the_word(translator):
    ids = translator.source.encode("the old cat sleeps .".split())
    whole, without = last_state(translator.model, ids), last_state(translator.model, ids[:1] + ids[2:])
    expected = np.linalg.norm(whole - without) / np.linalg.norm(whole)
    assert movement(translator.model, ids)[1] == pytest.approx(expected, rel=1e-4)
    with pytest.raises(ValueError, match="two words"):
        movement(translator.model, ids[:1])


def test_narrowing_does_not_touch_what_attention_reads():
    model = stored_translator("translate_french_dot").model
    source = torch.tensor([[5, 6, 7]])
    assert torch.equal(model.encode(source).states, Narrowed(model, 2).encode(source).states)
