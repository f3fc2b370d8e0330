"""Pairs in two columns are read as they were written, and what is wrong with a file is said with its line."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.grammar.pairs import MOST_WORDS
from core.text.reading.decoding import TextError
from core.text.reading.documents import BYTES_AT_MOST
from core.text.reading.pair_files import MOST_PAIRS, read_pair_file, read_pairs, written_pairs
from core.text.samples.course_pairs import CoursePairs

WORDS = st.lists(
    st.sampled_from("le chat dort l' ici , . ! « été 猫 👍🏽 مرحبا".split()), min_size=1, max_size=12
)
SENTENCES = WORDS.map(" ".join)


@pytest.mark.parametrize("separator", ["\t", ";", ","])
def test_two_columns_are_read_whatever_parts_them(separator):
    pairs = read_pairs(f"The cat sleeps{separator}Le chat dort\nI sing{separator}Je chante\n\n").pairs
    assert [(p.source, p.target) for p in pairs] == [
        (("the", "cat", "sleeps"), ("le", "chat", "dort")),
        (("I", "sing"), ("je", "chante")),
    ]


@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=20), st.sampled_from([",", ";"]))
def test_what_a_spreadsheet_writes_is_read_back_column_by_column(rows, separator):
    written = io.StringIO()
    csv.writer(written, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    pairs = read_pairs(written.getvalue(), "characters").pairs
    assert ["".join(p.source) for p in pairs] == [source.lower() for source, _ in rows]
    assert ["".join(p.target) for p in pairs] == [target.lower() for _, target in rows]


@given(st.text(max_size=300))
def test_any_text_gives_pairs_with_two_sides_or_a_sentence(text):
    try:
        assert all(pair.source and pair.target for pair in read_pairs(text).pairs)
    except TextError as error:
        assert str(error)[-1] in '."'


@given(st.binary(max_size=300))
def test_any_bytes_give_pairs_or_a_sentence(data):
    try:
        assert read_pair_file(data).pairs
    except TextError as error:
        assert str(error)


def test_marks_are_the_sentences_own_when_tabs_part_the_columns():
    file = read_pairs(
        'yes, I sing; do you?\toui\n"Who is it?\t« Qui est-ce ?\n"He said ""no"""\tIl a dit non\n'
    )
    assert file.pairs[0].source == ("yes", ",", "I", "sing", ";", "do", "you", "?")
    assert file.pairs[1].source[0] == '"'
    assert file.pairs[2].source == ("he", "said", '"', "no", '"')


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_may_be_in_any_encoding_in_use(encoding):
    text = "the summer is over\tl'été est fini\nthe child\tl'élève\nthe forest\tla forêt\n" * 20
    assert read_pair_file(text.encode(encoding)).pairs[0].target == ("l'", "été", "est", "fini")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("  \n", "nothing to read"),
        ("one\tun\ntwo\n", "Line 2 has no second column, as a tab would begin it"),
        ("one\tun\n\ntwo\t ", "Line 3 has no second column"),
        ("one\ntwo\nthree\n", "Line 1 has no second column.* 2 other lines"),
        ("one;un\n;deux", "Line 2 .*one of its two columns is empty"),
        ('one,un\n"two,deux\nthree,trois', "quotation marks of line 2 do not match"),
        ("a\t" + "b " * (MOST_WORDS + 1), "Every pair is longer than 60 words"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, complaint):
    with pytest.raises(TextError, match=complaint):
        read_pairs(text)


def test_an_empty_file_and_one_that_is_too_large_are_refused():
    with pytest.raises(TextError, match="empty"):
        read_pair_file(b"")
    with pytest.raises(TextError, match="at most 10 MB"):
        read_pair_file(b"a" * (BYTES_AT_MOST + 1))


def test_a_picture_is_no_pairs():
    with pytest.raises(TextError, match="PNG"):
        read_pair_file(b"\x89PNG\r\n\x1a\n" + bytes(200))


def test_what_is_left_out_is_counted_and_said():
    file = read_pairs("a\tb\tc\n" * MOST_PAIRS + "a\t" + "b " * 61 + "\n")
    assert len(file.pairs) == MOST_PAIRS
    assert file.notes == (
        "Columns after the second were not read.",
        "These are 20,001 pairs; the first 20,000 were read.",
    )
    file = read_pairs("a\tb\n" + "a\t" + "b " * 61 + "\n")
    assert file.notes == ("Left out as longer than 60 words: 1 of the pairs.",)


def test_characters_are_units_too():
    assert read_pairs("3 Mars\t03", "characters").pairs[0].source == ("3", " ", "m", "a", "r", "s")


@pytest.mark.parametrize("kind", ["English–French", "English–Dutch"])
def test_the_course_s_pairs_written_to_a_file_are_read_back(kind):
    pairs = list(CoursePairs(kind, 300, 12, seed=1))
    read = read_pair_file(written_pairs(pairs, "fr" if "French" in kind else "nl").encode()).pairs
    assert [(pair.source, pair.target) for pair in read] == [(pair.source, pair.target) for pair in pairs]
