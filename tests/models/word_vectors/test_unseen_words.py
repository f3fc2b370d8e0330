"""Misspelt words are looked up by a plain loop; buckets are shared as chance foresees."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.word_vectors.fasttext import bucket, character_ngrams, fnv_hash
from core.models.word_vectors.fit_subwords import stored_subwords
from core.models.word_vectors.unseen_words import (
    by_chance,
    distinct_ngrams,
    found_again,
    misspellings,
    misspelt,
    sharing,
    together,
    unseen,
)


@pytest.fixture(scope="module")
def both():
    return stored_subwords("subwords")


def test_misspelt_words_are_nearest_to_what_a_plain_loop_finds(both):
    some = misspellings(both.fasttext, both.vectors)
    units = {
        word: both.vectors[word].astype(float) / np.linalg.norm(both.vectors[word])
        for word in both.vectors.words
    }
    right = 0
    for each in some:
        z = [
            both.fasttext.input_[len(units) + bucket(gram, 10_000)] for gram in character_ngrams(each.written)
        ]
        v = np.mean(z, axis=0, dtype=float)
        cosines = {word: unit @ v / np.linalg.norm(v) for word, unit in units.items()}
        assert cosines[each.nearest] == pytest.approx(max(cosines.values()), abs=1e-5)
        assert each.cosine == pytest.approx(max(cosines.values()), abs=1e-5)
        right += max(cosines, key=cosines.get) == each.meant
    assert found_again(some) == pytest.approx(right / len(some), abs=0.005) and right > 100


def test_no_misspelling_is_a_known_word_and_all_have_lost_one_letter(both):
    for each in misspellings(both.fasttext, both.vectors):
        assert each.written not in both.vectors.index and len(each.meant) >= 5
        assert len(each.written) == len(each.meant) - 1 and each.written == misspelt(each.meant)


@given(st.lists(st.integers(0, 2**32 - 1), max_size=60), st.integers(1, 40))
def test_sharing_counts_those_with_another_in_their_bucket(hashes, buckets):
    held = Counter(h % buckets for h in hashes)
    expected = sum(held[h % buckets] > 1 for h in hashes) / len(hashes) if hashes else 0
    assert sharing(np.array(hashes, dtype=np.int64), buckets) == pytest.approx(expected)


def test_hashes_share_about_as_chance_foresees(both):
    found = unseen(both.fasttext, both.vectors)
    for buckets in (1000, 10_000, 100_000):
        assert found.sharing(buckets) == pytest.approx(by_chance(len(found.grams), buckets), abs=0.03)


def test_chance_is_that_of_drawn_buckets():
    rng = np.random.default_rng(0)
    drawn = np.mean([sharing(rng.integers(0, 50, 30), 50) for _ in range(2000)])
    assert by_chance(30, 50) == pytest.approx(drawn, abs=0.01)


def test_ngrams_in_one_bucket_are_named(both):
    grams = distinct_ngrams(both.vectors.words, 3, 6)
    assert len(set(grams)) == len(grams)
    hashes = np.array([fnv_hash(gram) for gram in grams])
    for gram in ["<pr", "zzz"]:
        others = together(gram, grams, hashes, 10_000)
        assert others == [
            each for each in grams if each != gram and bucket(each, 10_000) == bucket(gram, 10_000)
        ]
