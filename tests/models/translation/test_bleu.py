"""BLEU is sacrebleu's, of corpora and of sentences; each of its parts does what it is there for."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from core.models.translation.bleu import corpus_bleu, count_ngrams, match_ngrams, sentence_bleu

WORDS = st.lists(st.sampled_from("a b c d".split()), min_size=1, max_size=12)
PAIRS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6)


def lines_of(sentences):
    return [" ".join(words) for words in sentences]


@given(PAIRS)
def test_bleu_of_a_corpus_is_sacrebleu_s(pairs):
    made, right = map(list, zip(*pairs, strict=True))
    oracle = BLEU(tokenize="none", force=True, smooth_method="none")
    expected = oracle.corpus_score(lines_of(made), [lines_of(right)])
    found = corpus_bleu(made, right)
    assert found.score == pytest.approx(expected.score / 100, abs=1e-6)
    assert found.brevity_penalty == pytest.approx(expected.bp, abs=1e-6)
    assert list(found.matches) == expected.counts and list(found.totals) == expected.totals


@given(WORDS, WORDS)
def test_bleu_of_a_sentence_is_sacrebleu_s_smoothed_one(made, right):
    oracle = BLEU(tokenize="none", force=True, effective_order=True)
    expected = oracle.sentence_score(" ".join(made), [" ".join(right)]).score / 100
    assert sentence_bleu(made, right).score == pytest.approx(expected, abs=1e-6)


def test_bleu_of_longer_texts_is_sacrebleu_s_to_the_last_digit():
    right = ["the dog sat on the red mat and looked at the cat".split(), "we went home early".split()]
    made = ["the dog sat on a red mat and looked at a cat".split(), "we went home".split()]
    expected = BLEU(tokenize="none", force=True).corpus_score(lines_of(made), [lines_of(right)]).score / 100
    assert corpus_bleu(made, right).score == pytest.approx(expected, abs=1e-9) and expected > 0.3


@given(WORDS, WORDS, st.integers(1, 4))
def test_each_n_gram_of_the_reference_is_matched_once_by_an_equal_one(made, right, n):
    places = match_ngrams(made, right, n)
    found = [(i, j) for i, j in enumerate(places) if j is not None]
    assert all(made[i : i + n] == right[j : j + n] for i, j in found)
    assert len({j for _, j in found}) == len(found)
    counts = Counter(count_ngrams(made, n)) & count_ngrams(right, n)
    assert len(found) == counts.total()


@given(WORDS, WORDS)
def test_without_clipping_a_word_matches_as_often_as_it_is_written(made, right):
    places = match_ngrams(made, right, 1, clipped=False)
    assert [place is not None for place in places] == [word in right for word in made]


def test_equal_words_are_matched_in_their_places():
    assert match_ngrams("b a b".split(), "a a b".split(), 1) == [None, 1, 2]


def test_what_is_shorter_pays_and_what_is_longer_does_not():
    right = [list("abcdefgh")]
    short, longer = corpus_bleu([list("abcd")], right), corpus_bleu([list("abcdefghi")], right)
    assert short.mean_precision == 1 and short.brevity_penalty == pytest.approx(math.exp(1 - 8 / 4))
    assert longer.brevity_penalty == 1 and longer.mean_precision < 1
    assert corpus_bleu([[]], right).score == 0
    with pytest.raises(ValueError):
        corpus_bleu([["a"]], [])
