"""Tokens that are bytes of a character are named by it, whatever the cut; whole characters keep their names."""

from hypothesis import given
from hypothesis import strategies as st

from core.models.tokens.byte_pairs import BytePairs, bytes_of, learn_merges

PAIRS = learn_merges("the theme of grüne Grüße und größere Größen, überall grün", merges=30)


def test_every_byte_of_a_character_is_counted():
    assert BytePairs(()).names(BytePairs(()).encode("日")) == ["日·1/3", "日·2/3", "日·3/3"]


@given(st.text(st.characters(exclude_characters="·"), max_size=30))
def test_there_is_a_name_for_every_token_and_whole_characters_come_back(text):
    ids = PAIRS.encode(text)
    names = PAIRS.names(ids)
    assert len(names) == len(ids)
    for i, name in zip(ids, names, strict=True):
        assert name == PAIRS.tokens[i] or "·" in name
    assert "\\x" not in "".join(names) or "\\x" in text
    assert "".join(n for n in names if "·" not in n) == "".join(
        PAIRS.tokens[i] for i, n in zip(ids, names, strict=True) if "·" not in n
    )


@given(st.binary(max_size=12))
def test_bytes_that_are_no_text_have_names_too(content):
    assert len(BytePairs(()).names(list(content))) == len(content)


def test_a_merge_across_the_bytes_of_a_character_is_named_by_both_ends():
    a, u = bytes_of("a")[0], bytes_of("ü")
    pairs = BytePairs(((a, u[0]),))
    assert pairs.names([256, u[1]]) == ["aü·1/2", "ü·2/2"]
