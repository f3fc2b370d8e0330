"""chrF is sacrebleu's, of corpora and of sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF

from core.models.translation.chrf import corpus_chrf

LINES = st.text("abé ", max_size=14)
PAIRS = st.lists(st.tuples(LINES, LINES), min_size=1, max_size=5)


@given(PAIRS)
def test_chrf_is_sacrebleu_s(pairs):
    made, right = map(list, zip(*pairs, strict=True))
    expected = CHRF().corpus_score(made, [right]).score / 100
    assert corpus_chrf(made, right).score == pytest.approx(expected, abs=1e-6)


def test_recall_counts_twice_as_much_as_precision():
    missing, added = corpus_chrf(["abcdefgh"], ["abcdefghijkl"]), corpus_chrf(["abcdefghijkl"], ["abcdefgh"])
    assert missing.precision == added.recall == 1 and missing.recall == pytest.approx(added.precision)
    p, r = missing.precision, missing.recall
    assert missing.score == pytest.approx(5 * p * r / (4 * p + r), abs=1e-9) and missing.score < added.score


def test_an_ending_costs_letters_and_no_whole_word():
    assert 0.8 < corpus_chrf(["nouvelle"], ["nouvelles"]).score < 1
    assert corpus_chrf(["abc"], ["xyz"]).score == corpus_chrf([""], ["a"]).score == 0
