"""Alignments read from weights."""

import numpy as np
import pytest

from core.models.translation.alignment import (
    alignment_error,
    alignment_error_rate,
    crossings,
    gold_of,
    heaviest,
    lines,
    misaligned,
    written_for,
)
from core.text.grammar.pairs import Pair

WEIGHTS = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.2, 0.5, 0.3], [0.4, 0.3, 0.3]])
GOLD = {(0, 0), (1, 2), (2, 0), (2, 2)}  # the last output word is linked to nothing


def test_the_heaviest_input_word_of_each_output_word():
    assert heaviest(WEIGHTS) == [0, 2, 1, 0]


def test_a_word_linked_to_several_is_right_on_any_and_an_unlinked_word_is_not_counted():
    assert misaligned(WEIGHTS, GOLD) == [2]
    assert alignment_error(WEIGHTS, GOLD) == pytest.approx(1 / 3)
    assert alignment_error(WEIGHTS, GOLD | {(2, 1)}) == 0


def test_the_alignment_error_rate_is_that_of_och_and_ney_with_sure_links():
    assert alignment_error_rate(WEIGHTS, GOLD) == pytest.approx(1 - 2 * 2 / (3 + 4))


def test_gold_is_known_for_the_right_translation_alone_and_for_a_date():
    pair = Pair(("the", "cat", "."), ("le", "chat", "."), frozenset({(0, 0), (1, 1), (2, 2)}))
    assert gold_of(pair.source, ["le", "chat", "."], pair) == pair.links
    assert gold_of(pair.source, ["le", "chien", "."], pair) == frozenset()
    assert gold_of(pair.source, ["le", "chat", "."]) == frozenset()
    assert {(8, 0), (9, 0)} <= gold_of("4 mars 1987", "1987-03-04")
    assert not gold_of("4 mars 1987", "1987-04-03")


def test_lines_cross_where_a_later_word_looks_further_back():
    assert crossings(WEIGHTS) == [(1, 2), (1, 3), (2, 3)]
    assert crossings(np.eye(4)) == []


def test_what_was_written_for_a_word_is_what_looks_at_it_most():
    assert written_for(WEIGHTS, 0) == [0, 3]
    assert written_for(WEIGHTS, 2) == [1]


def test_lines_are_the_weights_from_the_heaviest_down():
    found = lines(WEIGHTS, least=0.5)
    assert found == [(0, 0, 0.7), (1, 2, 0.6), (2, 1, 0.5)]
    assert len(lines(WEIGHTS, least=0)) == 12
