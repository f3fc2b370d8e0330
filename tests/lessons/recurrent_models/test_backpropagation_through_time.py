"""The page on backpropagation through time shows the chain rule's numbers, and autograd's beside them."""

import numpy as np
import pytest

from core.figures.recurrent_models.gradient import matrix
from core.models.recurrent_models.unrolled_word import unrolled_word
from tests.lessons.lesson_page import figure, figures, guess, metrics, open_lesson, said, table_with


def open_with(**query):
    return open_lesson("backpropagation_through_time", **query)


def table_of(app):
    return table_with(app, "times")


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
    worked = app.latex[0].value
    assert matrix(read.W_h.T.numpy()) in worked
    assert matrix(read.factors[2].numpy()) in worked
    assert matrix(read.by_hand[1].numpy()) in worked


def test_stopping_early_loses_the_share_that_core_measures():
    app = open_with(word="abcdef", truncated="true", kept="1")
    parts = unrolled_word("abcdef", 2, 0.9, 1).parts
    error = ((parts[-1] - parts.sum(0)).norm() / parts.sum(0).norm()).item()
    assert app.metric[1].value == f"{error:.1%}"


def arrows_back(app):
    """Return what stands above the arrows back in the picture, from left to right."""
    return next(
        list(trace["text"])
        for trace in figure(app)["data"]
        if any("p − y" in text for text in trace.get("text", ()))
    )


def test_above_each_arrow_stands_what_the_step_multiplied_the_length_by():
    app = open_with(word="hello", step="4")
    read = unrolled_word("hello", 2, 0.9, 1)
    assert arrows_back(app) == [*(f"× {each:.2g}" for each in read.norms[:-1] / read.norms[1:]), "p − y"]
    share = read.norms[0] / read.norms[-1]
    assert f"it is {read.norms[0]:.3g}: × {share:.2g}." in said(app)


@pytest.mark.parametrize("word", ["hello", "abracadabra", "早上好你们"])
@pytest.mark.parametrize("kept", [1, 2, 3])
def test_what_is_cut_has_no_arrow_and_the_error_grows_from_none(word, kept):
    read = unrolled_word(word, 2, 0.9, 1)
    whole = open_with(word=word, step=read.T + 1)
    broken = open_with(word=word, step=kept + 1, truncated="true", kept=kept)
    assert len(arrows_back(whole)) == read.T
    assert len(arrows_back(broken)) == kept
    assert "✂ cut" in str(figures(broken)) and "✂ cut" not in str(figures(whole))
    assert len(table_of(broken)) == kept
    measured = metrics(broken)
    assert measured["Error of ∂L/∂W_h, as a share of it, whole"] == "0.0%"
    lost = read.parts[:-kept].sum(0).norm() / read.parts.sum(0).norm()
    assert measured["Error of ∂L/∂W_h, as a share of it, broken"] == f"{lost:.1%}"
    assert lost > 0 or kept >= read.T - 1


def test_where_nothing_is_lost_the_page_says_why():
    assert "so nothing is cut" in said(open_with(word="abc", truncated="true", kept="2"))
    assert "so nothing can be cut. Type a longer word" in said(open_with(word="ab", truncated="true"))
    assert "the last step alone adds" in said(open_with(word="abcd", truncated="true", kept="1"))
    first = open_with(word="abcd", truncated="true", kept="2")
    assert "It adds nothing" in said(first)
    assert first.metric[1].value == "0.0%"


def test_until_the_guess_no_table_and_no_sentence_has_the_next_gradient():
    app = open_with(predict="true", step="3")
    read = unrolled_word("hello", 2, 0.9, 1)
    assert len(table_of(app)) == 2
    assert f"{read.norms[1]:.3g}" not in said(app)
    guess(app, "shorter")
    assert len(table_of(app)) == 3


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


def test_a_word_of_one_character_has_no_gradient_and_no_question_about_it():
    app = open_with(word="aaaa", predict="true")
    assert "cannot be wrong: p − y is 0" in said(app)
    assert not [radio for radio in app.radio if "_guess_" in radio.key]
    assert "so nothing is lost" in said(open_with(word="aaaa", truncated="true", kept="1"))


def test_of_two_characters_the_only_step_adds_nothing_to_the_gradient_of_the_weights():
    assert "the only step, with h0 = 0 before it, adds nothing in the gradient" in said(open_with(word="ab"))
