"""Byte pairs: any text comes back, and the merges are those of the definition."""

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.models.tokens.byte_pairs import PIECES, BytePairs, learn_merges, merged

TEXT = "low low low low low lower lower newest newest newest newest newest newest widest widest widest"
LEARNED = learn_merges("the café was the café's 日本 日本 best \n\n  the rest" * 3, merges=60)


@given(text=st.text())
def test_any_text_comes_back(text):
    assert LEARNED.decode(LEARNED.encode(text)) == text
    assert BytePairs(()).encode(text) == list(text.encode())


def test_half_a_surrogate_pair_is_read_as_the_sign_for_what_is_no_character():
    assert LEARNED.decode(LEARNED.encode("a\ud800b\udfff")) == "a\ufffdb\ufffd"
    assert learn_merges("\ud800\ud800 \ud800\ud800", merges=2).counts


@given(text=st.text())
def test_the_pieces_are_the_whole_text(text):
    assert "".join(PIECES.findall(text)) == text


def test_the_example_of_sennrich_haddow_and_birch():
    """Their words and counts; "es" and "st" both occur nine times, and the smaller bytes go first."""
    assert [token.strip() for token in learn_merges(TEXT, merges=3).tokens[256:]] == ["es", "est", "lo"]
    assert learn_merges(TEXT, merges=3).counts == (9, 9, 7)


@given(text=st.text(alphabet="ab c", min_size=1, max_size=60), merges=st.integers(0, 12))
def test_training_with_kept_counts_is_training_that_counts_afresh(text, merges):
    words, learned = [list(piece.encode()) for piece in PIECES.findall(text)], []
    while len(learned) < merges:
        count = Counter(pair for ids in words for pair in pairwise(ids))
        if not count or max(count.values()) < 2:
            break
        learned.append(min(count, key=lambda pair: (-count[pair], pair)))
        words = [merged(ids, learned[-1], 255 + len(learned)) for ids in words]
    assert learn_merges(text, merges).merges == tuple(learned)


def test_more_merges_never_make_a_text_longer():
    lengths = [len(learn_merges(TEXT, merges).encode(TEXT)) for merges in range(12)]
    assert lengths == sorted(lengths, reverse=True)
