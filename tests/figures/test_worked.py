"""Worked formulas: numbers stand in LaTeX as on paper, and what a row was given stands behind the bar."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.recurrent_models.gradient import matrix
from core.figures.worked import dot_product, number
from pages.self_attention.parallel_training.figures import worked_example, worked_mean

FLOATS = st.floats(-1e30, 1e30)


@given(FLOATS)
def test_no_number_is_written_as_a_programming_language_does(value):
    assert "e" not in number(value)
    digits, _, exponent = number(value).partition(r" \cdot 10^")
    assert float(digits) * 10.0 ** int(exponent.strip("{}") or 0) == pytest.approx(value, rel=5.1e-4)


@given(st.lists(st.floats(1e-9, 20), min_size=1, max_size=12))
def test_small_losses_and_gradients_are_powers_of_ten(losses):
    assert not re.search(r"\de", worked_mean(losses, len(losses)) + matrix(np.array(losses)))


def test_a_negative_factor_stands_in_brackets_after_a_sign():
    assert dot_product(np.array([-1.0, -2.0]), np.array([-3.0, 4.0])) == r"-1 \cdot (-3) + (-2) \cdot 4 = -5"


def test_a_row_without_a_mask_is_given_the_whole_window():
    tokens = ["a", "b", "c", "d"]
    assert r"p(\text{b} \mid \text{a})" in worked_example(tokens, 1.0, 0)
    assert r"p(\text{b} \mid \text{a}\ \text{b}\ \text{c})" in worked_example(tokens, 1.0, 0, peek=True)


def test_a_long_prefix_is_shown_by_its_end():
    given_of_last = worked_example([*"abcdefgh"], 1.0, 6)
    assert r"\mid \dots\ \text{b}" in given_of_last and r"\text{a}" not in given_of_last
