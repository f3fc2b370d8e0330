"""The next character: what the page shows of a window is what core computes, whatever the text."""

import base64
import json
import re

import numpy as np
import pytest
import torch

from core.models.generation.cut_context import log_probabilities_after, window_log_probabilities
from core.models.generation.shifted_window import ContextWorth, context_worth, last_token_only, score_window
from core.models.stored_language_models import encode, stored_language_model
from core.text.samples.shelf import sample
from pages.generation.next_character.page import (
    ASKED,
    EXAMPLE,
    MARKED,
    MODEL,
    MOST,
    PLAY,
    QUESTION,
    READ_AT_MOST,
    WORTH,
    describe_worth,
    worth_of_play,
)
from tests.lessons.lesson_page import (
    document,
    figure,
    frames,
    guess,
    open_lesson,
    said,
    said_in,
    sent,
    table_with,
)
from tests.lessons.n_grams.three_texts import THREE

TEXT = "The cat sat. The dog sat. The cat ran. A dog ran to the cat and sat."
NAME = "char_feedforward"


def open_with(text=TEXT, **query):
    return open_lesson("next_character", text, **{"model": NAME, **query})


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
    cost = round(forgetful.loss, 3) - round(scored.loss, 3)  # below 0 on a play's headings, never read
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
    app = open_with(text, source="typed", window="5", worth="true")
    worth = context_worth(stored_language_model(NAME), encode(NAME, text).ids, WORTH)
    line = next(trace for trace in figure(app)["data"] if trace.get("mode") == "lines+markers")
    np.testing.assert_allclose(np.frombuffer(b64(line["y"])), worth.loss)
    assert worth.windows == 160
    assert f"from {worth.loss[0]:.2f} nats after 1 character" in said(app)


@pytest.mark.parametrize(
    ("last", "sentence"),
    [
        (3.0, "more context makes the model worse"),
        (2.05, "too close to call"),
        (1.0, "Three quarters of this gain"),
    ],
)
def test_what_context_does_is_said_whichever_way_it_goes(last, sentence):
    worth = ContextWorth(np.array([2.0, last]), np.array([0.1, 0.1]), 9)
    assert sentence in describe_worth(worth)


def test_a_text_of_few_windows_has_no_interval_and_no_claim():
    app = open_with(TEXT, worth="true")
    assert "nats after 1 character" not in said(app)
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


@pytest.mark.parametrize("label", MODEL.choices({}))
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
    exec("\n".join(notebook_cells[1:]), {})  # the first is prose
    assert loss in f"{float(capsys.readouterr().out.split()[-1]):.3f}"


def test_a_window_of_one_character_is_one_example():
    assert "One window of 1 character is **1 example**" in said(open_with(window="1"))


def test_a_text_of_two_characters_is_one_window():
    app = open_with("ab", worth="true")
    assert "in 1 window of 1 character." in said(app)


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


# The story, on the character GPT. `oracle` is torch's own softmax of the network's logits, one prefix at a time.

GPT = "char_gpt"


def oracle(text):
    """Return p of every character after each prefix of a text, [(V,), ...], and the ids of the text."""
    model, ids = stored_language_model(GPT), encode(GPT, text).ids
    with torch.inference_mode():
        rows = [model.network(torch.tensor([ids[:t]]), None)[0][0, -1].double() for t in range(1, len(ids))]
    return [torch.softmax(row, 0).numpy() for row in rows], ids


def losses(text):
    rows, ids = oracle(text)
    return np.array([-np.log(row[y]) for row, y in zip(rows, ids[1:], strict=True)])


def columns(beat, *args, **changes):
    return document("next_character", beat, *args, **changes)["picture"]["data"]["columns"]


def words(beat, *args, **changes):
    return said_in(document("next_character", beat, *args, **changes))


def test_each_target_is_the_character_one_to_the_right():
    drawn = columns("pairs")
    text = QUESTION.replace(" ", "␣")
    assert "".join(column["x"] for column in drawn) == text[:-1]
    assert "".join(column["y"] for column in drawn) == text[1:]
    assert f"holds {len(text) - 1} of them" in words("pairs")


def test_the_context_of_the_q_is_all_that_is_left_of_it():
    picture = document("next_character", "context")["picture"]["data"]
    assert picture["columns"][picture["at"]]["y"] == "q"
    assert picture["first"] == 0 and picture["at"] + 1 == QUESTION.index("q") == 12
    assert "12 characters" in words("context")


def test_what_is_not_yet_guessed_is_not_sent():
    drawn = columns("next")
    at = document("next_character", "next")["picture"]["data"]["at"]
    assert all(column["y"] is None for column in drawn[at:])
    assert all(column["x"] is None for column in drawn[at + 1 :])


def test_m_is_the_favourite_and_q_gets_half_a_percent():
    rows, ids = oracle(QUESTION)
    row, names = rows[QUESTION.index("q") - 1], stored_language_model(GPT).vocabulary
    answer = document("next_character", "next", True)
    assert answer["ask"]["answer"] == names[int(row.argmax())] == "m"
    bars = {each["token"]: each["p"] for each in answer["picture"]["data"]["panels"][0]["rows"]}
    assert bars["q"] == pytest.approx(row[ids[QUESTION.index("q")]], rel=1e-3)
    assert sum(bars.values()) == pytest.approx(1, abs=1e-5)
    said_ = words("next", True)
    assert f"only {row.max():.0%}" in said_
    assert f"gets {row[ids[QUESTION.index('q')]]:.1%}" in said_


def test_after_q_comes_u_almost_surely():
    rows, ids = oracle(QUESTION)
    assert rows[QUESTION.index("q")][ids[QUESTION.index("q") + 1]] > 0.995
    assert ">99%" in words("sure")


def test_the_two_highest_losses_are_first_letters_of_words():
    expected = losses(QUESTION)
    np.testing.assert_allclose([column["loss"] for column in columns("losses")], expected, atol=2e-3)
    highest = sorted(int(t) + 1 for t in np.argsort(-expected)[:2])
    assert [QUESTION[t - 1 : t + 1] for t in highest] == [" i", " q"]
    assert f"costs {expected.max():.1f} nats" in words("losses")
    assert expected[QUESTION.index("q")] < 0.05


def test_the_line_is_the_mean_of_the_bars():
    expected = losses(QUESTION).mean()
    mean = document("next_character", "mean")["picture"]["data"]["mean"]
    assert mean["at"] == pytest.approx(expected, abs=2e-3)
    assert f"{expected:.2f} nats per character" in words("mean")


def test_a_model_that_sees_one_character_has_the_higher_loss_and_no_longer_knows_the_n():
    ids, model = encode(GPT, QUESTION).ids, stored_language_model(GPT)
    with torch.inference_mode():
        alone = model.network(torch.tensor(ids[:-1])[:, None], None)[0][:, -1].double()
    alone = torch.nn.functional.cross_entropy(alone, torch.tensor(ids[1:]), reduction="none").numpy()
    drawn = columns("forgetting")
    np.testing.assert_allclose([column["loss"] for column in drawn], alone, atol=2e-3)
    np.testing.assert_allclose([column["before"] for column in drawn], losses(QUESTION), atol=2e-3)
    assert drawn[18]["y"] == "n" and drawn[18]["before"] < 0.05 and drawn[18]["loss"] > 1.5
    assert f"from {losses(QUESTION).mean():.2f} to {alone.mean():.2f}" in words("forgetting")
    whole = columns("forgetting", forgetful="false")
    assert [column["loss"] for column in whole] == [column["before"] for column in whole]


def test_most_of_the_gain_is_there_after_four_characters_and_more_of_them_still_help():
    ids = np.array(encode(GPT, sample(PLAY).read().text[:READ_AT_MOST]).ids)
    starts = np.linspace(0, len(ids) - WORTH - 1, MOST).astype(int)
    assert np.diff(starts).min() > WORTH
    windows = ids[starts[:, None] + np.arange(WORTH + 1)]
    loss = -window_log_probabilities(stored_language_model(GPT), windows)
    mean = loss.mean(axis=0)
    np.testing.assert_allclose(worth_of_play().loss, mean)
    part = (mean[0] - mean[MARKED - 1]) / (mean[0] - mean[-1])
    assert 0.7 < part < 0.85 and f"bring {part:.0%}" in words("worth")
    later = loss[:, MARKED - 1] - loss[:, -1]  # paired: of the same windows
    assert later.mean() > 1.96 * later.std(ddof=1) / np.sqrt(MOST)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("My lord, I love you.", "nats per character. The highest bar is"),
        ("zqxjzqxj", "worse than a blind guess among all 63"),
        ("Ich liebe dich", "nats per character"),
        ("مرحبا", "at least two characters that it knows"),
        ("👍🏽", "at least two characters that it knows"),
        ("a", "at least two characters that it knows"),
    ],
)
def test_the_learner_s_text_is_read_or_the_beat_says_why_not(typed, sentence):
    assert sentence in re.sub("<[^>]+>", "", document("next_character", "own", typed=typed)["done"])


def test_an_older_address_still_opens():
    app = open_lesson(
        "next_character", TEXT, model="LSTM, characters", source="typed", typed=EXAMPLE, window="9"
    )
    assert not app.exception
    assert table_with(app, "target")["target"].tolist() == list("o␣be␣or␣n")
