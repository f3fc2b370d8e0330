"""The steps of byte pairs are those of learning and encoding; tokens by merges are what encoding with so many gives."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.tokens.byte_pairs import PIECES, BytePairs, learn_merges
from core.models.tokens.merge_steps import (
    count_spaced_words,
    encode_steps,
    merge_all,
    merge_steps,
    merges_made,
    pair_counts,
    shared_length,
    tokens_by_merges,
    tokens_per_word,
)

TEXT = "low low low low low lower lower newest newest newest newest newest newest widest widest widest"
TEXTS = st.text(alphabet="ab c,é", max_size=60)


def test_the_table_of_sennrich_worked_by_hand():
    """Counts before the first merge: es and st nine times each; before the second est; then lo, seven times."""
    pairs = learn_merges(TEXT, 3)
    steps = merge_steps(TEXT, pairs, 0, 3, rivals=3)
    named = [
        [(pairs.tokens[left] + pairs.tokens[right], times) for (left, right), times in s.rivals]
        for s in steps
    ]
    assert named[0] == [("es", 9), ("st", 9), ("we", 8)]
    assert named[1][0] == ("est", 9)
    assert named[2][0] == ("lo", 7)
    assert [step.count for step in steps] == [9, 9, 7]


@given(TEXTS, st.integers(0, 8))
def test_the_pairs_a_merge_is_chosen_from_are_those_of_all_words_counted_anew(text, number):
    """Rivals are counted where words changed; here in every word, after so many merges."""
    pairs = learn_merges(text, 9)
    for step in merge_steps(text, pairs, 0, 9, rivals=5)[number : number + 1]:
        words = Counter()
        for piece, times in Counter(PIECES.findall(text)).items():
            words[tuple(pairs.first(number).steps(piece)[-1])] += times
        ranked = sorted(pair_counts(words).items(), key=lambda item: (-item[1], item[0]))
        assert list(step.rivals) == ranked[:5]


@given(TEXTS, st.integers(0, 5), st.integers(1, 6))
def test_counted_anew_before_each_merge_the_same_pairs_win_as_in_learning(text, first, steps):
    pairs = learn_merges(text, 12)
    found = merge_steps(text, pairs, first, steps, rivals=4)
    assert tuple(step.pair for step in found) == pairs.merges[first : first + steps]
    assert tuple(step.count for step in found) == pairs.counts[first : first + steps]
    for step in found:
        assert step.rivals[0] == (step.pair, step.count)
        assert [times for _, times in step.rivals] == sorted((t for _, t in step.rivals), reverse=True)


@given(st.dictionaries(st.lists(st.integers(0, 3), max_size=5).map(tuple), st.integers(1, 4)))
def test_pairs_are_counted_as_if_every_word_stood_there_as_often_as_it_occurs(frequencies):
    written = [ids for ids, times in frequencies.items() for _ in range(times)]
    assert pair_counts(frequencies) == Counter(pair for ids in written for pair in pairwise(ids))


@given(TEXTS, TEXTS)
def test_the_tokens_after_k_merges_are_those_that_k_merges_give_on_any_text(learned_from, text):
    pairs = learn_merges(learned_from, 10)
    lengths = [len(pairs.first(k).encode(text)) for k in range(len(pairs.merges) + 1)]
    assert tokens_by_merges(pairs, text).tolist() == lengths
    assert (merges_made(pairs, text) >= 0).all()


@given(TEXTS, st.text(alphabet="aab é\ud800\ud801", max_size=60))
def test_all_pieces_merged_at_once_are_the_pieces_merged_one_by_one(learned_from, text):
    pairs, pieces = learn_merges(learned_from, 10), Counter(PIECES.findall(text))
    row = merge_all(pairs, pieces)
    alone = Counter()
    for piece, times in pieces.items():
        alone[tuple(pairs.steps(piece)[-1])] += times
    assert row.words == alone
    assert row.tokens == len(pairs.encode(text))


def test_a_pair_that_overlaps_itself_is_counted_more_often_than_it_is_merged():
    pairs = learn_merges("aaa aaa", 1)
    assert pairs.counts == (4,)
    assert merges_made(pairs, "aaa aaa").tolist() == [2]


@given(TEXTS, st.text(alphabet="abcé ", min_size=1, max_size=12))
def test_each_step_of_encoding_makes_the_earliest_of_the_possible_merges(learned_from, piece):
    pairs = learn_merges(learned_from, 10)
    steps = encode_steps(pairs, piece)
    assert steps[0].ids == tuple(piece.encode())
    assert steps[-1].made is None and steps[-1].possible == ()
    for before, after in pairwise(steps):
        assert before.made == min(number for _, number in before.possible)
        assert len(after.ids) < len(before.ids)
        assert b"".join(pairs.pieces[i] for i in after.ids) == piece.encode()
        for place, number in before.possible:
            assert before.ids[place : place + 2] == pairs.merges[number]
    made = [step.made for step in steps[:-1]]
    assert made == sorted(set(made))


def test_words_are_weighed_by_how_often_they_occur_and_signs_are_no_words():
    none = BytePairs(())
    assert tokens_per_word(none, "it is, it is!") == pytest.approx((2 + 3 + 3 + 3) / 4)
    assert tokens_per_word(none, "... !!") == 0
    assert count_spaced_words("it is, it is!") == {"it": 1, " is": 2, " it": 1}


def test_two_vocabularies_are_compared_at_the_size_of_the_smaller():
    long, short = learn_merges(TEXT, 9), learn_merges(TEXT, 4)
    for one, other in (shared_length(long, short), shared_length(short, long)):
        assert len(one) == len(other) == 260


@given(TEXTS)
def test_no_later_merge_occurs_more_often_than_an_earlier_one(text):
    counts = learn_merges(text, 12).counts
    assert list(counts) == sorted(counts, reverse=True)
