"""The page on backpropagation through time shows the chain rule's numbers, and autograd's beside them."""

import numpy as np
import pytest

from core.figures.recurrent_models.gradient import matrix
from core.models.recurrent_models.unrolled_word import unrolled_word
from tests.lessons.lesson_page import guess, open_lesson, table_with


def open_with(**query):
    return open_lesson("backpropagation_through_time", **query)


def table_of(app):
    return table_with(app, "norm of the factor")


def test_by_hand_and_autograd_stand_side_by_side_and_agree():
    table = table_of(open_with(word="word", width="3", radius="1.3", seed="4"))
    read = unrolled_word("word", 3, 1.3, 4)
    for unit in range(3):
        np.testing.assert_allclose(table[f"by hand, unit {unit}"], read.by_hand[:, unit])
        np.testing.assert_allclose(
            table[f"by hand, unit {unit}"], table[f"autograd, unit {unit}"], atol=1e-12
        )


def test_a_step_back_is_filled_in_with_its_matrices():
    app = open_with(word="abcd", step="2")
    read = unrolled_word("abcd", 2, 0.9, 1)
    worked = app.latex[1].value
    assert matrix(read.W_h.T.numpy()) in worked
    assert matrix(read.factors[2].numpy()) in worked
    assert matrix(read.by_hand[1].numpy()) in worked


def test_stopping_early_loses_the_share_that_core_measures():
    app = open_with(word="abcdef", truncated="true", kept="1")
    parts = unrolled_word("abcdef", 2, 0.9, 1).parts
    error = ((parts[-1] - parts.sum(0)).norm() / parts.sum(0).norm()).item()
    assert app.metric[1].value == f"{error:.1%}"


def test_a_guess_comes_before_the_next_step():
    app = open_with(predict="true", step="3")
    assert len(app.latex) == 1  # only the lesson's own formula
    guess(app, "shorter")
    assert len(app.latex) == 3


@pytest.mark.parametrize(
    "query",
    [
        {"word": ""},
        {"word": "x"},
        {"word": "ab", "step": "9"},
        {"word": "aaaa"},
        {"word": "\U0001f44d\U0001f3fd \u0645\u0631\\{}$"},
        {"word": "abcdefghijkl", "width": "4", "radius": "2.0", "step": "12"},
        {"radius": "0.1", "step": "5", "truncated": "true", "kept": "11"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(query):
    app = open_with(**query)
    assert not app.exception
    if len(query.get("word", "hello")) < 2:
        assert "Until there are two" in app.info[0].value
