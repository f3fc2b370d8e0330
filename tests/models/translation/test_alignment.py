"""Alignments read from weights."""

import numpy as np
import pytest

from core.models.translation.alignment import (
    alignment_error,
    alignment_error_rate,
    heaviest,
    lines,
    misaligned,
)

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


def test_lines_are_the_weights_from_the_heaviest_down():
    found = lines(WEIGHTS, least=0.5)
    assert found == [(0, 0, 0.7), (1, 2, 0.6), (2, 1, 0.5)]
    assert len(lines(WEIGHTS, least=0)) == 12
