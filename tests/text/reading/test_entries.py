"""A typed dictionary is read back as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.reading.decoding import TextError
from core.text.reading.entries import read_entries, read_points, written_points

NUMBERS = st.integers(-(10**9), 10**9).map(lambda n: n / 1000)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=40))
def test_points_written_are_read_back(points):
    keys, values = (list(each) for each in zip(*points, strict=True))
    assert read_points(written_points(keys, values)) == (keys, values)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_with_a_sentence(text):
    try:
        assert all(key and value for key, value in read_entries(text))
    except TextError as error:
        assert str(error).endswith(".")


def test_a_key_may_hold_a_colon():
    assert read_entries("12:30: 5") == [("12:30", "5")]


@pytest.mark.parametrize("text", ["1e7: 1", "1: inf", "1: -inf", "1: nan"])
def test_numbers_beyond_a_million_are_refused(text):
    with pytest.raises(TextError, match="too large"):
        read_points(text)
