"""The nearest words are rapidfuzz's; typos are one error away from their word."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import process
from rapidfuzz.distance import OSA, Hamming, Levenshtein

from core.models.tokens.spelling import (
    count_corrected,
    differing_positions,
    distances_to,
    draw_typos,
    rank_words,
    read_vocabulary,
)

WORDS = st.lists(st.text("abcde", min_size=1, max_size=7), min_size=1, max_size=12, unique=True)


@given(st.text("abcde", max_size=8), WORDS)
def test_the_distances_to_a_vocabulary_are_rapidfuzz_s(typed, words):
    vocabulary = read_vocabulary(words)
    expected = [Levenshtein.distance(typed, word) for word in words]
    np.testing.assert_array_equal(distances_to(typed, vocabulary), expected)
    places = [Hamming.distance(typed, word, pad=True) for word in words]
    np.testing.assert_array_equal(differing_positions(typed, vocabulary), places)


@given(st.text("abcde", min_size=1, max_size=8), WORDS)
def test_the_nearest_word_is_rapidfuzz_s_and_of_equal_ones_the_first(typed, words):
    nearest = rank_words(distances_to(typed, read_vocabulary(words)), 3)
    best = process.extractOne(typed, words, scorer=Levenshtein.distance)
    assert words[nearest[0]] == best[0]
    assert nearest == sorted(range(len(words)), key=lambda v: (Levenshtein.distance(typed, words[v]), v))[:3]


def test_a_typo_is_one_error_of_its_kind_away_and_kinds_are_drawn_equally_often():
    typos = draw_typos(["horse", "apple", "river"], 2000)
    assert {OSA.distance(typo.typed, typo.meant) for typo in typos} == {1}
    longer = {"insert": 1, "delete": -1, "substitute": 0, "swap": 0}
    assert all(len(typo.typed) - len(typo.meant) == longer[typo.kind] for typo in typos)
    swapped = [typo for typo in typos if typo.kind == "swap"]
    assert all(sorted(typo.typed) == sorted(typo.meant) for typo in swapped)
    counts = {kind: sum(typo.kind == kind for typo in typos) for kind in longer}
    assert all(380 < n < 620 for n in counts.values()), counts
    assert (
        draw_typos(["horse"], 5, seed=1)
        == draw_typos(["horse"], 5, seed=1)
        != draw_typos(["horse"], 5, seed=2)
    )


def test_what_is_corrected_is_counted_by_either_way_of_comparing():
    vocabulary = read_vocabulary(["horse", "mouse", "apple"])
    typos = draw_typos(vocabulary.words, 200)
    for distance, scorer in ((distances_to, Levenshtein.distance), (differing_positions, padded)):
        right = sum(
            min(vocabulary.words, key=lambda word, typo=typo, scorer=scorer: scorer(typo.typed, word))
            == typo.meant
            for typo in typos
        )
        assert count_corrected(typos, vocabulary, distance) == right


def padded(one, other):
    return Hamming.distance(one, other, pad=True)
