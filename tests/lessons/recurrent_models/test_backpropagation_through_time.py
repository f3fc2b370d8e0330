"""The page on backpropagation through time shows the chain rule's numbers, and autograd's beside them."""

import json

import numpy as np
import pytest

from core.figures.recurrent_models.gradient import matrix
from core.models.recurrent_models.unrolled_word import unrolled_word
from tests.lessons.lesson_page import frames, guess, metrics, open_lesson, said, sent, table_with


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
    steps = frames(open_with(word="abcd"))
    read = unrolled_word("abcd", 2, 0.9, 1)
    worked = steps[1]["formulas"][0]
    assert matrix(read.W_h.T.numpy()) in worked
    assert matrix(read.factors[2].numpy()) in worked
    assert matrix(read.by_hand[1].numpy()) in worked


def test_stopping_early_loses_the_share_that_core_measures():
    app = open_with(word="abcdef", truncated="true", kept="1")
    parts = unrolled_word("abcdef", 2, 0.9, 1).parts
    error = ((parts[-1] - parts.sum(0)).norm() / parts.sum(0).norm()).item()
    assert app.metric[1].value == f"{error:.1%}"


def test_above_each_arrow_stands_what_the_step_multiplied_the_length_by():
    app = open_with(word="hello")
    read = unrolled_word("hello", 2, 0.9, 1)
    shared = sent(app, "steps")["shared"]
    assert shared["ratios"] == [*(f"× {each:.2g}" for each in read.norms[:-1] / read.norms[1:]), "p − y"]
    assert shared["norms"] == [f"{norm:.2g}" for norm in read.norms]
    share = read.norms[0] / read.norms[-1]
    assert f"it is {read.norms[0]:.4g}: × {share:.3g}." in frames(app)[3]["said"]


def test_all_steps_together_are_small():
    app = open_with(word="abcdefghijkl", width="4")
    assert len(json.dumps(sent(app, "steps"))) < 60_000


@pytest.mark.parametrize("word", ["hello", "abracadabra", "早上好你们"])
@pytest.mark.parametrize("kept", [1, 2, 3])
def test_what_is_cut_has_no_arrow_and_the_error_grows_from_none(word, kept):
    read = unrolled_word(word, 2, 0.9, 1)
    whole, broken = open_with(word=word), open_with(word=word, truncated="true", kept=kept)
    assert [step["picture"]["reached"] for step in frames(whole)] == [*range(1, read.T + 1), read.T]
    assert [step["picture"]["reached"] for step in frames(broken)] == [*range(1, kept + 1), kept]
    assert sent(broken, "steps")["shared"]["kept"] == kept < sent(whole, "steps")["shared"]["kept"] == read.T
    assert len(sent(broken, "steps")["shared"]["ratios"]) == kept
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


def test_until_the_guess_neither_the_page_nor_the_view_has_the_next_gradient():
    app = open_with(predict="true")
    read = unrolled_word("hello", 2, 0.9, 1)
    for steps in (1, 2):
        assert len(table_of(app)) == len(frames(app)) == steps
        shared = sent(app, "steps")["shared"]
        assert shared["norms"] == [f"{norm:.2g}" for norm in read.norms[-steps:]]
        assert len(shared["ratios"]) == steps
        assert f"{read.norms[-steps - 1]:.3g}" not in said(app) + str(frames(app))
        app = guess(app, "shorter" if read.norms[-steps - 1] < read.norms[-steps] else "longer")


def test_after_the_last_guess_the_sum_is_there_too():
    app = open_with(predict="true", word="abc")
    app = guess(app)
    assert len(frames(app)) == 3
    assert "The length of ∂L/∂W_h" in frames(app)[-1]["notes"][0]


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
    assert "cannot be wrong: p − y is 0" in frames(app)[0]["said"]
    assert not [radio for radio in app.radio if "_guess_" in radio.key]
    assert "so nothing is lost" in said(open_with(word="aaaa", truncated="true", kept="1"))


def test_of_two_characters_the_only_step_adds_nothing_to_the_gradient_of_the_weights():
    last = frames(open_with(word="ab"))[-1]["name"]
    assert last.startswith("the only step, with h0 = 0 before it, adds nothing in the gradient")


@pytest.mark.parametrize("radius", ["0.3", "0.9", "1.9"])
def test_the_tour_s_two_lengths_give_the_share_beside_them(radius):
    app = open_lesson("backpropagation_through_time", radius=radius, beat="backpropagation_through_time.3")
    told = app.session_state["live_values"]
    assert f"{float(told['first']) / float(told['last']):.2g}" == f"{float(told['share']):.2g}"
    assert float(told["first"]) / float(told["last"]) == pytest.approx(float(told["share"]), rel=5e-3)
