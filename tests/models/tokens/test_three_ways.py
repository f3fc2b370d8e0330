"""Three ways to cut a text lose nothing but what <unk> takes, and byte pairs take nothing."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from nltk.lm import Vocabulary as NltkVocabulary

from core.models.tokens.byte_pairs import learn_merges
from core.models.tokens.three_ways import BYTE_PAIRS, CHARACTERS, UNKNOWN, WAYS, WORDS, three_ways
from core.models.tokens.unknown_tokens import halves, unknown_by_size
from core.text.tokenization.tokens import characters, words

TEXT = "The cat sat on the mat. The dog sat by the café, and naïve birds sang to the dog."
LEARNED = three_ways(TEXT, learn_merges(TEXT, 30))
TOKENS = st.lists(st.sampled_from("the a cat sat on mat dog".split()), max_size=40)


@given(st.text(alphabet="the caz é早🦜.", max_size=40))
def test_byte_pairs_know_every_text_and_come_back_as_it_was(passage):
    cut = LEARNED[BYTE_PAIRS].cut(passage)
    assert b"".join(token.bytes for token in cut).decode() == passage
    assert not any(token.unknown for token in cut)


@given(st.text(alphabet="the caz é早🦜.", max_size=40))
def test_characters_and_words_are_unknown_where_the_text_does_not_have_them(passage):
    for name, cut in ((CHARACTERS, characters), (WORDS, words)):
        seen = set(cut(TEXT))
        tokens = LEARNED[name].cut(passage)
        assert [token.text for token in tokens] == cut(passage)
        assert [token.unknown for token in tokens] == [text not in seen for text in cut(passage)]
        assert all((token.id == 0) == token.unknown for token in tokens)


def test_ids_are_by_frequency_and_name_the_token():
    way = LEARNED[WORDS]
    ranked = Counter(words(TEXT)).most_common()
    assert way.vocabulary.types == (UNKNOWN, *(word for word, _ in ranked))
    assert [token.id for token in way.cut("the dog")] == [1, [word for word, _ in ranked].index("dog") + 1]
    assert (way.tokens, way.types) == (19, 13)


def test_the_numbers_of_a_text_are_those_of_its_tokens():
    for name in WAYS:
        cut = LEARNED[name].cut(TEXT)
        assert LEARNED[name].tokens == len(cut)
        assert LEARNED[name].types == len({token.id for token in cut})


@given(TOKENS, TOKENS, st.integers(0, 8))
def test_the_unknown_share_is_counted_one_by_one(learned, used, k):
    shares = unknown_by_size(learned, used)
    kept = [token for token, _ in Counter(learned).most_common(k)]
    lacking = sum(token not in kept for token in used) / max(1, len(used))
    assert np.isclose(shares[min(k, len(shares) - 1)], lacking)
    assert (np.diff(shares) <= 0).all()


@given(TOKENS, TOKENS)
def test_the_full_vocabulary_lacks_what_nltk_s_lacks(learned, used):
    theirs = NltkVocabulary(learned, unk_cutoff=1)
    lacking = sum(word == "<UNK>" for word in theirs.lookup(used)) / max(1, len(used))
    assert np.isclose(unknown_by_size(learned, used)[-1], lacking)


def test_the_most_frequent_types_stay_and_the_rest_is_unknown():
    few = LEARNED[WORDS].most_frequent(2)
    share = sum(token.unknown for token in few.cut(TEXT)) / few.tokens
    assert np.isclose(share, unknown_by_size(words(TEXT), words(TEXT))[2])
    assert few.vocabulary.counts[0] == round(share * few.tokens)
    assert len(few.vocabulary) == 3


def test_two_halves_are_the_whole():
    tokens = words(TEXT)
    first, second = halves(tokens)
    assert [*first, *second] == tokens
    assert 0 <= len(second) - len(first) <= 1
