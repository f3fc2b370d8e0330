"""The lesson on training in parallel shows the model's real losses, computed both ways."""

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from core.models.self_attention.fit_peeking import Learner, PeekProgress
from core.models.self_attention.parallel_training import in_one_pass, one_by_one
from core.models.self_attention.peeking import NO_MASK, WAYS, peeking
from core.models.stored_language_models import encode, stored_language_model
from tests.lessons.lesson_page import guess, open_lesson, sent, table_with

LINE = "To be, or not"


def open_with(text=f"{LINE}.", **query):
    return open_lesson("parallel_training", text, timeout=120, **query)


def examples(app):
    return table_with(app, "y: the target")


def read(name="char_gpt", text=LINE):
    model = stored_language_model(name)
    return model, torch.tensor([model.start, *encode(name, text).ids][:12])


def test_every_prefix_is_an_example_with_the_model_s_own_probability_of_the_next_token():
    app = open_with(model="GPT, characters", sentence=LINE)
    model, ids = read()
    ln_p = model.token_log_probabilities(ids[1:].tolist())
    table = examples(app)
    np.testing.assert_allclose(table["p(y)"], np.exp(ln_p), rtol=1e-4)
    np.testing.assert_allclose(table["-ln p, one pass"], -ln_p, rtol=1e-4)
    assert list(table["y: the target"]) == ["T", "o", "␣", "b", "e", ",", "␣", "o", "r", "␣", "n"]
    assert table["x: the prefix"][2] == "↵ T o"


def test_the_two_ways_agree_and_read_so_many_tokens():
    app = open_with(model="GPT, characters", sentence=LINE)
    model, ids = read()
    assert app.metric[0].value == app.metric[1].value == f"{in_one_pass(model.network, ids).mean:.4f}"
    assert app.metric[2].value == "11 / 66"


def test_without_the_mask_they_do_not():
    app = open_with(model="GPT, characters", sentence=LINE, broken="true")
    model, ids = read()
    network = peeking(model.network, NO_MASK)
    apart = (in_one_pass(network, ids).losses - one_by_one(network, ids).losses).abs().max().item()
    assert app.metric[5].value == f"{apart:.6f}"
    assert float(app.metric[4].value) < 1e-4 < 0.1 < apart


def test_the_picture_shows_the_same_numbers_and_the_step_that_was_chosen():
    app = open_with(model="GPT, characters", sentence=LINE, example="3", broken="true")
    view, table = sent(app), examples(app)
    assert view["losses"] == [f"{loss:.2f}" for loss in table["-ln p, one pass"]]
    assert view["tokens"][1:] == list(table["y: the target"])
    assert (view["chosen"], view["peek"]) == (2, True)


def test_stepping_adds_the_losses_up():
    app = open_with(model="GPT, characters", sentence=LINE, example="11")
    model, ids = read()
    assert f"= {in_one_pass(model.network, ids).mean:.4g}" in app.latex[-1].value
    assert "is followed by n" in " ".join(each.value for each in app.markdown)


def test_the_first_sentence_of_the_learner_s_text_is_read_when_none_is_typed():
    app = open_with("Thy name. Another sentence.", model="GPT, characters")
    assert list(examples(app)["y: the target"]) == list("Thy␣name.")


def test_a_prediction_hides_the_triangle():
    app = open_with(predict="true", model="GPT, characters", sentence=LINE)
    assert not app.get("bidi_component")
    guess(app, "11")
    assert app.get("bidi_component")


@pytest.mark.parametrize("text", ["x", "早上好", "مرحبا", "👍🏽", "<b>$a$ `c`", "word " * 80])
def test_no_text_breaks_the_page(text):
    for name in ("GPT, byte pairs", "GPT, characters"):
        assert not open_with(text, model=name, sentence=text[:400], broken="true").exception


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_peek_can_be_chosen(way):
    app = open_with(way=way, steps="600", seed="9999")
    assert not app.exception
    assert app.radio(key="parallel_training_way").value == way


def test_the_verdict_shows_both_losses_and_what_both_write():
    def page(last):
        from pages.self_attention.parts.peeking_bench import show_verdict

        show_verdict(last)

    last = PeekProgress(9, 9, 0.0, Learner(1.5, 1.6, "the cat\n"), Learner(0.01, 7.25, "qqq"))
    app = AppTest.from_function(page, args=(last,)).run()
    assert [each.value for each in app.metric] == ["1.50", "0.01", "1.60", "7.25"]
    assert [each.value for each in app.code] == ["the cat↵", "qqq"]
