"""Vocabularies: order, counts, unknown words, and the way there and back."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.tokenization.vocabulary import Vocabulary

tokens = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "<unk>"]), max_size=60)


@given(tokens, st.integers(1, 4), st.none() | st.integers(0, 6), st.sampled_from([None, "<unk>"]))
def test_counts_add_up_and_types_come_by_frequency(tokens, min_count, max_size, unknown):
    vocabulary = Vocabulary.of(tokens, min_count, max_size, unknown)
    known = vocabulary.counts[1:] if unknown else vocabulary.counts
    assert list(known) == sorted(known, reverse=True)
    assert all(count >= min_count for count in known)
    assert max_size is None or len(known) <= max_size
    assert sum(vocabulary.counts) == len(tokens) if unknown else sum(known) <= len(tokens)
    for token, count in zip(vocabulary.types[bool(unknown) :], known, strict=True):
        assert Counter(tokens)[token] == count


@given(tokens, st.integers(1, 4))
def test_decoding_gives_back_the_known_tokens_in_order(tokens, min_count):
    vocabulary = Vocabulary.of(tokens, min_count)
    assert vocabulary.decode(vocabulary.encode(tokens)) == [token for token in tokens if token in vocabulary]
    marked = Vocabulary.of(tokens, min_count, unknown="<unk>")
    assert marked.decode(marked.encode(tokens)) == [token if token in marked else "<unk>" for token in tokens]


def test_the_id_of_a_token():
    assert Vocabulary.of(["a", "b", "a"])["a"] == 0
    assert Vocabulary.of(["a", "b", "a"], unknown="?")["z"] == 0
    with pytest.raises(KeyError):
        Vocabulary.of(["a"])["z"]


def test_ties_keep_the_order_of_the_text():
    assert Vocabulary.of(["to", "be", "or", "not", "to", "be"]).types == ("to", "be", "or", "not")


def test_an_empty_text_has_an_empty_vocabulary():
    assert len(Vocabulary.of([])) == 0
    assert Vocabulary.of([]).encode(["a"]).shape == (0,)
