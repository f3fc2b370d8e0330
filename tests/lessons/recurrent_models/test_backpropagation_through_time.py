"""Backpropagation through time: the story's numbers against autograd; the lab shows the chain rule, and autograd with it."""

import json
import re

import numpy as np
import pytest
import torch

from core.figures.recurrent_models.gradient import matrix
from core.models.recurrent_models.drawn_weights import drawn_language_model
from core.models.recurrent_models.unrolled_word import unrolled_word
from pages.recurrent_models.backpropagation_through_time.page import KEEPS, SEED, WIDTH, story_read
from tests.lessons.lesson_page import (
    document,
    frames,
    guess,
    metrics,
    open_lesson,
    said,
    said_in,
    sent,
    table_with,
)


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
    assert measured["with all steps"] == "0.0%"
    lost = read.parts[:-kept].sum(0).norm() / read.parts.sum(0).norm()
    assert measured["with the last k steps"] == f"{lost:.1%}"
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
    assert last.startswith("the only step, with h0 = 0 before it, adds nothing to the gradient")


# The story.


def norms_by_autograd(radius, word="remembering"):
    """Return |dL/dh_t| of the story's network, differentiated by torch, and its loss; the network is written out again."""
    read = unrolled_word(word, WIDTH, radius, SEED)  # for the weights only
    tokens = list(dict.fromkeys(word))
    E, W_h = read.E.clone(), read.W_h.clone().requires_grad_()
    weights = story_network(len(tokens), radius)
    h, states = torch.zeros(WIDTH, dtype=torch.float64), []
    for character in word[:-1]:
        h = torch.tanh(weights.W_x @ E[tokens.index(character)] + W_h @ h)
        h.retain_grad()
        states.append(h)
    loss = -torch.log_softmax(E @ h, dim=0)[tokens.index(word[-1])]
    loss.backward()
    return np.array([each.grad.norm().item() for each in states]), loss.item(), W_h.grad


def story_network(tokens, radius):
    return drawn_language_model(tokens, WIDTH, radius, SEED).step_weights


@pytest.mark.parametrize(("beat", "radius"), [("reach", 0.9), ("vanish", 0.3), ("explode", 2.0)])
def test_the_bars_are_the_lengths_that_autograd_has(beat, radius):
    norms, loss, _ = norms_by_autograd(radius)
    made = document("backpropagation_through_time", beat, beat == "reach")
    bars = [row["to"] for row in made["picture"]["data"]["panels"][0]["rows"]]
    np.testing.assert_allclose(bars, norms[::-1], rtol=1e-6)
    if beat == "reach":
        assert f"= {loss:.2f}" in said_in(document("backpropagation_through_time", "loss"))


def test_what_arrives_is_what_is_said_and_each_step_shortens_it():
    norms, _, _ = norms_by_autograd(0.9)
    words = said_in(document("backpropagation_through_time", "reach", True))
    assert f"Only {norms[0] / norms[-1]:.1%} arrives" in words and norms[0] < 0.02 * norms[-1]
    assert (np.diff(norms) > 0).all()
    assert (norms[0] / norms[-1]) ** (1 / 9) == pytest.approx(0.63, abs=0.005)
    hidden = document("backpropagation_through_time", "reach")["picture"]["data"]["panels"][0]["rows"]
    assert [row["text"] for row in hidden[2:]] == ["?"] * 8 and not any(row["to"] for row in hidden[2:])


def test_with_a_small_radius_it_vanishes_and_with_a_large_one_it_grows_at_every_step():
    small, large = norms_by_autograd(0.3)[0], norms_by_autograd(2.0)[0]
    assert small[0] < 1e-5 * small[-1]
    assert (np.diff(large) < 0).all()
    words = said_in(document("backpropagation_through_time", "explode"))
    assert f"to {large[0] / large[-1]:.0f} times" in words


def test_one_step_back_can_be_checked_by_hand():
    cells = {
        node["key"]: [float(cell["text"].replace("−", "-")) for cell in node["cells"]]
        for node in document("backpropagation_through_time", "back")["picture"]["data"]["nodes"]
    }
    product = np.multiply(cells["g"], cells["slope"])
    np.testing.assert_allclose(product, cells["product"], atol=0.011)
    W = np.array([cells["row.0"], cells["row.1"]])
    np.testing.assert_allclose(W @ cells["product"], cells["before"], atol=0.02)
    assert max(cells["slope"]) <= 1


def test_the_first_gradient_is_what_p_minus_y_makes():
    read = story_read(0.9)
    nodes = {
        node["key"]: node
        for node in document("backpropagation_through_time", "last")["picture"]["data"]["nodes"]
    }
    wrong = [float(bar["text"].replace("−", "-")) for bar in nodes["p"]["bars"]]
    assert sum(wrong) == pytest.approx(0, abs=0.04)
    assert [bar["name"] for bar, each in zip(nodes["p"]["bars"], wrong, strict=True) if each < 0] == ["g"]
    gradient = [float(cell["text"].replace("−", "-")) for cell in nodes["g"]["cells"]]
    np.testing.assert_allclose(np.array(wrong) @ read.E.numpy(), gradient, atol=0.03)


def test_what_is_said_of_the_learner_s_radius_follows_the_share():
    cases = set()
    for rho in np.arange(0.1, 2.01, 0.1):
        made = document("backpropagation_through_time", "balance", rho=f"{rho:.2f}")
        norms, _, _ = norms_by_autograd(round(float(rho), 2))
        share = norms[0] / norms[-1]
        case = "it shrinks" if share < KEEPS[0] else "it grows" if share > KEEPS[1] else "Yes:"
        assert case in re.sub(r"<[^>]+>", "", made["done"]), rho
        cases.add(case)
    assert cases == {"it shrinks", "it grows", "Yes:"}


def test_the_steps_parts_and_the_errors_of_a_cut_are_those_of_the_whole_gradient():
    whole = norms_by_autograd(0.9)[2]
    read = story_read(0.9)
    np.testing.assert_allclose(read.parts.sum(0), whole, atol=1e-12)
    rows = document("backpropagation_through_time", "cut")["picture"]["data"]["panels"][0]["rows"]
    errors = [row["to"] for row in rows]
    lost = [(read.parts[:-k].sum(0).norm() / whole.norm()).item() for k in range(1, read.T)]
    np.testing.assert_allclose(errors, lost, atol=1e-9)
    assert errors[1] > 1, "worse than no gradient"
    assert errors[3] < 0.1 and max(errors[3:]) < 0.2
    parts = document("backpropagation_through_time", "weights")["picture"]["data"]["panels"][0]["rows"]
    assert parts[-1]["to"] == 0 and parts[0]["to"] == max(row["to"] for row in parts)
