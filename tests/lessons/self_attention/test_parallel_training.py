"""The lesson on training in parallel shows the model's real losses, computed both ways."""

import re

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from core.models.self_attention.fit_peeking import Learner, PeekProgress, recorded_runs
from core.models.self_attention.parallel_training import in_one_pass, one_by_one
from core.models.self_attention.peeking import NO_MASK, WAYS, peeking
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from pages.self_attention.shared.peeking_bench import verdict
from tests.lessons.lesson_page import (
    frames,
    go_to,
    guess,
    metrics,
    open_lesson,
    prompts,
    said,
    sent,
    table_with,
)
from tests.lessons.self_attention.three_texts import ON_THREE_TEXTS

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


@pytest.mark.parametrize("sentence", ["", LINE, "The cat sat"])
def test_the_loss_that_the_tour_tells_follows_from_the_probability_beside_it(sentence):
    told = said(open_with(sentence=sentence, step=2, beat="parallel_training.3"))
    p, loss = re.search(
        r"and gives it p = (\S+)\. The loss of the example is .* = (\S+): nought", told
    ).groups()
    value = float(p.replace("·10", "e").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
    assert -np.log(value) == pytest.approx(float(loss), abs=0.006)


def test_the_two_ways_agree_and_read_so_many_tokens():
    app = open_with(model="GPT, characters", sentence=LINE)
    model, ids = read()
    shown, (one, alone) = metrics(app), (each(model.network, ids) for each in (in_one_pass, one_by_one))
    assert shown["Loss, one pass"] == shown["Loss, 11 passes"] == f"{one.mean:.4f}"
    assert shown["Tokens read"] == "11 / 66"
    config = model.network.config
    counted = [f"{each.multiplications(config) / 1e6:,.1f}" for each in (one, alone)]
    assert shown["Multiplications, millions"] == " / ".join(counted)
    assert f"{alone.multiplications(config) / one.multiplications(config):.1f} times" in said(app)


def test_without_the_mask_they_do_not():
    app = open_with(model="GPT, characters", sentence=LINE, broken="true")
    model, ids = read()
    network = peeking(model.network, NO_MASK)
    apart = (in_one_pass(network, ids).losses - one_by_one(network, ids).losses).abs().max().item()
    shown = metrics(app)
    assert shown["Largest difference between the two ways, broken"] == f"{apart:.6f}"
    assert float(shown["Largest difference between the two ways, whole"]) < 1e-4 < 0.1 < apart


def test_the_picture_shows_the_same_numbers():
    app = open_with(model="GPT, characters", sentence=LINE, broken="true")
    shared, table = sent(app, "steps")["shared"], examples(app)
    assert shared["losses"] == [f"{loss:.2f}" for loss in table["-ln p, one pass"]]
    assert shared["tokens"][1:] == list(table["y: the target"])
    assert shared["peek"] is True
    assert [step["picture"]["at"] for step in frames(app)] == list(range(len(table)))


def test_stepping_adds_the_losses_up():
    app = open_with(model="GPT, characters", sentence=LINE)
    model, ids = read()
    one = in_one_pass(model.network, ids)
    last = frames(app)[-1]
    assert last["formulas"][1].endswith(f"= {one.mean:.4g}")
    assert last["name"] == "␣ is followed by n"
    for t, step in enumerate(frames(app)):
        assert f"= {float(one.losses[t]):.4g}" in step["formulas"][0]
        assert step["formulas"][1].count(" + ") == min(t + 1, len(one.losses) - 1)  # the last may be dots


def test_the_first_sentence_of_the_learner_s_text_is_read_when_none_is_typed():
    app = open_with("Thy name. Another sentence.", model="GPT, characters")
    assert list(examples(app)["y: the target"]) == list("Thy␣name.")


def test_a_prediction_hides_the_triangle():
    app = open_with(predict="true", model="GPT, characters", sentence=LINE)
    assert not frames(app)
    assert len(app.dataframe) == 0
    assert "11 predictions" not in said(app)
    assert "Loss, 11 passes" not in metrics(app)
    assert prompts(app)
    guess(app, "11")
    assert "11 tokens, 11 predictions" in said(app)
    assert frames(app)


@pytest.mark.parametrize("text", ["x", "早上好", "مرحبا", "👍🏽", "<b>$a$ `c`", "word " * 80])
def test_no_text_breaks_the_page(text):
    for name in ("GPT, byte pairs", "GPT, characters"):
        app = open_with(text, model=name, sentence=text[:400], broken="true")
        assert sent(app, "steps")["shared"]["losses"] == [
            f"{loss:.2f}" for loss in examples(app)["-ln p, one pass"]
        ]


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_peek_can_be_chosen(way):
    app = open_with(way=way, steps="600", seed="9999")
    assert app.selectbox(key="parallel_training_way").value == way
    last = recorded_runs()[way][-1]
    assert verdict(last) in said(app)
    assert metrics(app)["Training loss, broken"] == f"{last.peeking.training_loss:.2f}"


def test_the_verdict_shows_both_losses_and_what_both_write():
    def page(last):
        from pages.self_attention.parallel_training import LESSON
        from pages.self_attention.shared.peeking_bench import show_run

        show_run(LESSON, [last])

    last = PeekProgress(9, 9, 0.0, Learner(1.5, 1.6, "the cat\n"), Learner(0.01, 7.25, "qqq"))
    app = AppTest.from_function(page, args=(last,)).run()
    assert [each.value for each in app.metric] == ["1.50", "0.01", "1.60", "7.25"]
    assert [each.value for each in app.code] == ["the cat↵", "qqq"]


def test_the_verdict_says_the_direction_that_the_numbers_have():
    one, other = Learner(1.0, 2.0, ""), Learner(1.5, 1.9, "")
    assert "the lower loss, 1.00 against 1.50" in verdict(PeekProgress(1, 1, 0.0, other, one))
    assert "knows less: 2.00 against 1.90" in verdict(PeekProgress(1, 1, 0.0, other, one))
    assert "no lower loss, 1.50 against 1.00" in verdict(PeekProgress(1, 1, 0.0, one, other))
    assert "knows no less: 1.90 against 2.00" in verdict(PeekProgress(1, 1, 0.0, one, other))


def test_what_peeking_does_is_seen_before_anything_is_trained():
    app = open_with()
    assert "Recorded beforehand" in said(app)
    assert "has the lower loss, 0.08 against 1.33" in said(app)
    assert "it knows less: 5.40 against 1.22" in said(app)
    assert app.get("plotly_chart")


@ON_THREE_TEXTS
def test_without_the_mask_the_picture_shows_all_of_x_and_the_two_ways_part(text):
    whole, broken = (open_with(text), open_with(text, broken="true"))
    shared = [sent(app, "steps")["shared"] for app in (whole, broken)]
    assert [each["peek"] for each in shared] == [False, True]
    assert shared[0]["losses"] != shared[1]["losses"]
    shown = metrics(broken)
    apart = float(shown["Largest difference between the two ways, broken"])
    assert float(shown["Largest difference between the two ways, whole"]) < 1e-4 < 0.1 < apart
    assert "Without the mask one pass no longer gives" in said(broken)
    assert ": rounding." in said(whole)


def test_a_window_of_one_prediction_has_nothing_to_peek_at_and_that_is_said():
    app = open_with("x", model="GPT, characters", sentence="x", broken="true")
    assert "Here nothing changes" in said(app)


def test_a_pasted_text_takes_the_place_of_the_typed_sentence():
    app = open_with(None, model="GPT, characters", sentence=LINE)
    app.session_state["text_source_own"] = Document("mine", "Rain fell. It was late.")
    app = go_to(app, "parallel_training").run()
    assert list(examples(app)["y: the target"]) == list("Rain␣fell.")
