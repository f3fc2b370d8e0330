"""Sentences cut as the Brown corpus cuts them, in time linear in their length; products as students write them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.samples.corpus_words import corpus_words
from core.text.samples.products import read_product


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("It's Dr. Wong's dog.", ["It's", "Dr.", "Wong's", "dog", "."]),
        ("the dogs' tails", ["the", "dogs'", "tails"]),
        ("Stop... now!", ["Stop", "...", "now", "!"]),
        ("e.g. J. Smith, aged 3.5", ["e.g.", "J.", "Smith", ",", "aged", "3.5"]),
        ("So do I.", ["So", "do", "I", "."]),
        ("咖啡好", ["咖", "啡", "好"]),
        ("", []),
    ],
)
def test_sentences_are_cut_as_in_brown(sentence, words):
    assert corpus_words(sentence) == words


@given(st.text())
def test_no_word_has_space_in_it_and_none_is_empty(text):
    assert all(word and not word.isspace() for word in corpus_words(text))


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "a-" * 100_000, "'" * 200_000, "1." * 100_000, "A." * 100_000]
)
def test_hostile_text_is_cut_in_little_time(text):
    began = time.perf_counter()
    corpus_words(text)
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        (".5", 0.5),
        ("0,5", 0.5),
        ("1/4", 0.25),
        ("0.5 x 0.5", 0.25),
        ("2·3·4", 24),
        ("1e-3*2", 0.002),
    ],
)
def test_products_are_read_as_students_write_them(text, value):
    assert read_product(text) == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["", " ", "abc", "1/0", "0.5 *", "nan", "inf", "9e999", "-1", "1 2", "🦜", "1/2/3"]
)
def test_what_is_no_number_is_none(text):
    assert read_product(text) is None
