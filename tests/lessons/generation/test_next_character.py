"""The next character: what the page shows of a window is what core computes, whatever the text."""

import base64
import json

import numpy as np
import pytest

from core.models.generation.cut_context import log_probabilities_after
from core.models.generation.shifted_window import ContextWorth, context_worth, last_token_only, score_window
from core.models.stored_language_models import encode, stored_language_model
from core.text.samples.shelf import sample
from pages.generation.next_character import ASKED, WORTH, said_of_worth
from pages.generation.shared.character_text import EXAMPLE, character_labels
from tests.lessons.lesson_page import figure, frames, guess, open_lesson, said, sent, table_with
from tests.lessons.n_grams.three_texts import THREE

TEXT = "The cat sat. The dog sat. The cat ran. A dog ran to the cat and sat."
LABEL, NAME = next((label, name) for label, name in character_labels().items() if name == "char_feedforward")


def open_with(text=TEXT, **query):
    return open_lesson("next_character", text, **{"model": LABEL, **query})


def b64(array):
    return base64.b64decode(array["bdata"])


def scored(text, start, window):
    return score_window(stored_language_model(NAME), encode(NAME, text).ids, start, window)


def test_the_table_has_the_window_its_target_and_core_s_probabilities():
    app, window = open_with(window="9", start="5"), scored(TEXT, 4, 9)
    table = table_with(app, "target")
    assert table["x"].tolist() == window.x.tolist()
    assert table["y"].tolist() == window.y.tolist()
    assert table["x"][1:].tolist() == table["y"][:-1].tolist()
    np.testing.assert_allclose(table["p"], np.exp(window.log_probabilities))
    assert table["context"][8] == "cat␣sat.␣"


def test_the_loss_shown_is_the_mean_over_the_positions():
    app, window = open_with(window="9"), scored(TEXT, 0, 9)
    assert app.metric[0].value == f"{-window.log_probabilities.mean():.3f}"
    assert app.metric[2].value == f"{np.exp(window.loss):.3f}"


def test_a_step_names_its_context_its_target_and_p():
    app, window = open_with(source="typed", window="9"), scored(EXAMPLE, 0, 9)
    model = stored_language_model(NAME)
    for t, step in enumerate(frames(app)):
        p = np.exp(window.log_probabilities[t])
        context, target = EXAMPLE[: t + 1].replace(" ", "␣"), EXAMPLE[t + 1].replace(" ", "␣")
        assert f"x: {context} → y: {target}     p = {p:.4f}" in step["notes"][0]
        assert (
            f"comes “{target}”, which the model gave p = {p:.3f}; over the window's 9 targets" in step["said"]
        )
        expected = np.exp(log_probabilities_after(model, window.x[: t + 1].tolist()))
        drawn = step["below"]
        assert drawn["columns"][0]["values"][0] == pytest.approx(expected.max(), rel=1e-4)
        assert drawn["columns"][0]["values"][drawn["marked"]] == pytest.approx(p, rel=1e-4)
        assert drawn["rows"][drawn["marked"]] == target


@pytest.mark.parametrize("text", [None, "play", TEXT], ids=["default", "play", "short"])
def test_forgetting_the_context_changes_the_picture_and_is_measured_as_the_page_says(text):
    text = sample("hamlet").read().text[:3000] if text == "play" else text
    whole, app = open_with(text, window="40"), open_with(text, window="40", forgetful="true")
    ids = table_with(app, "target")[["x", "y"]].to_numpy()
    scored = score_window(stored_language_model(NAME), [*ids[:, 0].tolist(), int(ids[-1, 1])], 0, 40)
    forgetful = last_token_only(stored_language_model(NAME), scored)
    assert app.metric[3].value == f"{scored.loss:.3f}"
    assert app.metric[4].value == f"{forgetful.loss:.3f}"
    cost = round(forgetful.loss, 3) - round(scored.loss, 3)  # below nought on a play's headings, never read
    assert f"On this window that {'costs' if cost > 0 else 'saves'} {abs(cost):.3f} nats" in said(app)
    np.testing.assert_allclose(table_with(app, "target")["−ln p"], -forgetful.log_probabilities)
    shared = [sent(each, "steps")["shared"] for each in (whole, app)]
    assert shared[0]["losses"] != shared[1]["losses"]
    assert shared[1]["losses"] == pytest.approx((-forgetful.log_probabilities).tolist(), abs=1e-4)
    assert [each["forgetful"] for each in shared] == [False, True]


@pytest.mark.parametrize("text", [None, "play", TEXT], ids=["default", "play", "short"])
def test_forgetting_leaves_a_bigram_s_knowledge_and_not_the_beginning_of_a_line(text):
    text = sample("hamlet").read().text[:3000] if text == "play" else text
    app = open_with(text, window="40", forgetful="true")
    bigram = float(said(app).split("has a loss of ")[1].split()[0])
    assert float(app.metric[4].value) < min(np.log(63), 1.2 * bigram)


def test_the_worth_of_context_is_measured_on_the_text_even_where_a_line_is_typed():
    text = sample("hamlet").read().text[:6000]
    app = open_with(text, source="typed", window="5")
    worth = context_worth(stored_language_model(NAME), encode(NAME, text).ids, WORTH)
    line = next(trace for trace in figure(app)["data"] if trace.get("mode") == "lines+markers")
    np.testing.assert_allclose(np.frombuffer(b64(line["y"])), worth.loss)
    assert worth.windows == 160
    assert (
        f"{worth.loss[0]:.2f} ± {worth.half_width[0]:.2f} nats, after {WORTH} it is {worth.loss[-1]:.2f}"
        in said(app)
    )


@pytest.mark.parametrize(
    ("last", "sentence"),
    [(3.0, "more context makes the model worse"), (2.05, "intervals (95%) meet"), (1.0, "half of the gain")],
)
def test_what_context_does_is_said_whichever_way_it_goes(last, sentence):
    worth = ContextWorth(np.array([2.0, last]), np.array([0.1, 0.1]), 9)
    assert sentence in said_of_worth(worth)


def test_a_text_of_few_windows_has_no_interval_and_no_claim():
    app = open_with(TEXT)
    assert "± " not in said(app)
    assert f"in 2 windows of {WORTH} characters" in said(app)


def test_no_target_is_sent_before_it_was_guessed():
    app = open_with(window="9", predict="true")
    for guessed in range(ASKED):
        assert len(frames(app)) == guessed
        assert not app.metric
        if guessed:
            shared = sent(app, "steps")["shared"]
            assert [len(shared[name]) for name in ("x", "y", "losses")] == [guessed] * 3
            assert shared["mean"] is None
            assert "over the window" not in json.dumps(frames(app))
        guess(app)
    assert len(frames(app)) == 9
    assert sent(app, "steps")["shared"]["mean"] == pytest.approx(scored(TEXT, 0, 9).loss, abs=1e-4)


@pytest.mark.parametrize("label", character_labels())
def test_every_model_answers(label):
    app = open_with(model=label, window="6")
    assert not app.exception
    assert len(app.metric) == 3


@pytest.mark.parametrize(
    "settings",
    [{"window": "1"}, {"window": "40"}, {"window": "40", "start": "28"}, {"step": "40"}, {"predict": "true"}],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    assert not open_with(**settings).exception


@pytest.mark.parametrize(
    "text", ["a", "ab", "早上好。", "مرحبا", "👍🏽👍🏽", "caf\u00e9 <b>$a$ `c`", "\n\n\n", "x" * 200_000]
)
def test_any_text_is_read_or_a_sentence_says_what_stands_in(text):
    app = open_with(text)
    assert not app.exception
    if len(encode(NAME, text[:9]).ids) < 2:
        assert "Shown instead" in said(app)


def test_the_notebook_computes_the_loss_on_the_page(notebook_cells, capsys):
    loss = open_with(window="9").metric[0].value
    exec("\n".join(notebook_cells), {})
    assert loss in f"{float(capsys.readouterr().out.split()[-1]):.3f}"


def test_a_window_of_one_character_is_one_example():
    assert "One window of 1 character is **1 example**" in said(open_with(window="1"))


def test_the_text_itself_stands_at_the_head_of_a_sentence_with_a_capital():
    app = open_with("ab")
    assert "The text above holds one window of 1 character only" in said(app)


def test_what_is_forgotten_is_not_in_the_table_of_what_was_seen():
    table = table_with(open_with(window="9", forgetful="true"), "target")
    assert table["context"].tolist() == list("The␣cat␣s")


def test_a_loss_above_that_of_a_blind_guess_is_called_so():
    assert "worse than a blind guess among all 63" in frames(open_with("zqxjzqxj", window="7"))[0]["said"]
    assert "blind guess" not in json.dumps(frames(open_with(window="9")))


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_what_forgetting_costs_is_the_difference_of_the_two_losses_beside_it(text):
    app = open_lesson("next_character", text, forgetful="true")
    whole, broken = (float(metric.value) for metric in app.metric[3:5])
    assert f"{'costs' if broken > whole else 'saves'} {abs(broken - whole):.3f} nats" in said(app)
