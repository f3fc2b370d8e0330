"""The board of all models: what it draws and says is what core counts and trains, on a sample and on an own text."""

from functools import cache

import numpy as np
import pytest

from core.lesson import lesson as lesson_module
from core.lesson import training_job
from core.lesson.training_job import Bench
from core.models.generation.one_text import (
    NETWORKS,
    READ_AT_MOST,
    SEED,
    STEPS,
    BoardProgress,
    board_text,
    count_each,
    digest,
    fit_each,
    recorded_boards,
)
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import figure, figures, guess, metrics, open_lesson, question, said, table_with

SHORT = "the cat sat on the mat and the dog sat on the log\n" * 8 + "a bird sang to the dog and to the cat.\n"
TEXTS = {
    "micro-world": sample("micro-world").read().text,
    "Hamlet": sample("hamlet").read().text,
    "own": SHORT,
}
EVERY_TEXT = pytest.mark.parametrize("text", TEXTS)


@cache
def scores_of(text):
    read = TEXTS[text][:READ_AT_MOST]
    run = recorded_boards().get(digest(read))
    return count_each(read) + (run.networks if run else ())


@cache
def opened(text, seen="false"):
    app = open_lesson("one_text", None if text == "micro-world" else TEXTS[text], seen=seen)
    assert not app.exception
    return app


def best(scores, measure="held_out_bits"):
    return min(scores, key=lambda each: getattr(each, measure))


@pytest.fixture
def bench(monkeypatch):
    """What a learner has who trained on the short text for two steps."""
    trained = Bench(
        result=fit_each(lambda _: True, SHORT, 2, 7), settings=(digest(SHORT), "mine", 2, 7), number=1
    )
    for module in (training_job, lesson_module):
        monkeypatch.setattr(module, "bench_of", lambda _name: trained)
    return trained


@EVERY_TEXT
def test_the_board_has_every_model_s_bits_in_the_course_s_order(text):
    bars = figure(opened(text))["data"][0]
    names = [*(f"{n}-gram" for n in range(1, 7)), *(NETWORKS if text != "own" else ())]
    assert bars["y"] == names
    assert bars["text"] == [f"{each.held_out_bits:.2f}" for each in scores_of(text)]


@EVERY_TEXT
def test_the_sentence_names_the_winner_and_the_best_of_the_other_kind(text):
    scores, shown = scores_of(text), said(opened(text))
    first = best(scores)
    name = "feed-forward network" if first.name == "feed-forward" else first.name
    assert f"The {name} reads the held-out part best: {first.held_out_bits:.2f} bits a character." in shown
    ngrams, networks = scores[:6], scores[6:]
    if not networks:
        assert "Train, and see what the networks make of it." in shown
    else:
        kind, other = ("network", best(networks)) if first in ngrams else ("n-gram", best(ngrams))
        assert f"The best {kind}, the {other.name}, needs {other.held_out_bits:.2f}." in shown


@EVERY_TEXT
def test_holding_nothing_out_shows_both_figures_of_the_model_that_wins_then(text):
    whole, app = opened(text), opened(text, "true")
    assert len(figure(whole)["data"]) == 1 and len(figure(app)["data"]) == 2
    scores, found = scores_of(text), metrics(app)
    seen, first = best(scores, "training_bits"), best(scores)
    assert found[f"Bits a character, {seen.name}, whole"] == f"{seen.held_out_bits:.2f}"
    assert found[f"Bits a character, {seen.name}, broken"] == f"{seen.training_bits:.2f}"
    shown = said(app)
    assert f"wins with {seen.training_bits:.2f} bits a character" in shown
    assert ("which is also best on the held-out part" in shown) == (seen is first)
    most = max(scores, key=lambda each: round(each.held_out_bits, 2) - round(each.training_bits, 2))
    gap = round(most.held_out_bits, 2) - round(most.training_bits, 2)
    assert f"{most.training_bits:.2f} bits instead of {most.held_out_bits:.2f}, {gap:.2f} too few" in shown


@EVERY_TEXT
def test_every_number_of_the_table_is_core_s(text):
    table, scores = table_with(opened(text), "numbers kept"), scores_of(text)
    assert table["model"].tolist() == [each.name for each in scores]
    np.testing.assert_allclose(table["bits, held out"], [each.held_out_loss / np.log(2) for each in scores])
    np.testing.assert_allclose(table["bits, trained on"], [each.training_loss / np.log(2) for each in scores])
    assert table["numbers kept"].tolist() == [each.size for each in scores]


@EVERY_TEXT
def test_what_all_models_were_given_is_said(text):
    told, shown = board_text(TEXTS[text][:READ_AT_MOST]), said(opened(text))
    assert f"Every model is given the first {told.training:,} characters" in shown
    assert f"{told.held_out:,} held-out characters" in shown
    assert ("The text's first 200,000 characters are used." in shown) == (len(TEXTS[text]) > READ_AT_MOST)
    assert ("and never in training" in shown) == bool(told.new)
    assert ("small gaps say nothing" in shown) == (told.measured < 1000)
    assert ("the very same windows in the same order" in shown) == (text != "own")


@pytest.mark.parametrize("text", ["micro-world", "Hamlet"])
def test_a_recorded_run_is_said_to_be_one_with_its_settings(text):
    shown = said(opened(text))
    title = {"micro-world": "The micro-world", "Hamlet": sample("hamlet").title}[text]
    assert f"Networks: recorded beforehand on {title}, {STEPS} steps each, seed {SEED}" in shown


def test_the_recorded_run_stays_with_other_settings_and_an_edited_text_has_none():
    other = open_lesson("one_text", steps="100", seed="5")
    assert f"{STEPS} steps each, seed {SEED}" in said(other)
    edited = open_lesson("one_text", "x" + TEXTS["Hamlet"])
    assert "No network has been trained on this text yet: press Train." in said(edited)
    assert len(figure(edited)["data"][0]["y"]) == 6


def test_what_was_trained_here_stands_on_the_board_with_its_settings(bench):
    app = open_lesson("one_text", SHORT)
    bars = figure(app)["data"][0]
    assert bars["y"][6:] == list(NETWORKS)
    assert bars["text"][6:] == [f"{each.held_out_bits:.2f}" for each in bench.result]
    assert "Networks: trained here on mine, 2 steps each, seed 7" in said(app)
    assert "stopped" not in said(app)


def test_a_stopped_training_keeps_what_is_done_and_says_so(bench):
    bench.result = bench.result[:2]
    app = open_lesson("one_text", SHORT)
    assert figure(app)["data"][0]["y"][6:] == ["feed-forward", "RNN"]
    assert "It was stopped: 2 of 5 networks had come to their end." in said(app)


def test_what_was_trained_on_one_text_is_not_drawn_for_another(bench):
    app = open_lesson("one_text", SHORT + "another end")
    assert len(figure(app)["data"][0]["y"]) == 6
    assert "What was trained on mine is kept: choose that text to see it." in said(app)
    default = open_lesson("one_text")
    assert "recorded beforehand on The micro-world" in said(default)
    assert bench.settings[1] in said(default)


class Working:
    """A job in the pool that is half through."""

    done, place, attempts = False, 0, 1

    def __init__(self, scores):
        self.reports = [BoardProgress("RNN", 1, 2, 3.0, scores[:1])]

    def progress(self):
        return self.reports

    def stop(self):
        pass


@pytest.mark.parametrize("predict", ["false", "true"])
def test_the_board_fills_while_the_networks_train_unless_the_winner_is_to_be_predicted(bench, predict):
    bench.job, bench.job_settings = Working(bench.result), bench.settings
    app = open_lesson("one_text", SHORT, predict=predict)
    assert not app.exception
    if predict == "true":
        assert figures(app) == []
    else:
        assert figure(app)["data"][0]["y"][5:] == ["6-gram", "feed-forward"]
    progress = app.get("progress")[0].proto
    assert "RNN, network 2 of 5: step 1 of 2" in progress.text
    assert progress.value == 30  # one network and a half of five


@pytest.mark.parametrize("seen", ["false", "true"])
def test_until_the_guess_no_model_s_bits_are_shown_and_both_questions_have_their_own_answer(seen):
    app = open_lesson("one_text", predict="true", seen=seen)
    assert figures(app) == [] and not app.metric and len(app.dataframe) == 0
    assert [choice.replace("\\", "") for choice in question(app).options] == ["counting", *NETWORKS]
    winner = best(scores_of("micro-world"), "training_bits" if seen == "true" else "held_out_bits")
    revealed = guess(app, winner.name if winner.name in NETWORKS else "counting")
    assert "Right." in said(revealed)
    assert figures(revealed)


def test_without_networks_the_question_is_which_n_gram():
    app = guess(open_lesson("one_text", SHORT, predict="true"), best(scores_of("own")).name)
    assert "Right." in said(app)


@pytest.mark.parametrize("against", ["training time", "numbers kept"])
def test_the_cost_of_the_best_network_is_held_against_the_best_n_gram_s(against):
    app, run = open_lesson("one_text", against=against), scores_of("micro-world")
    network, ngram = best(run[6:]), best(run[:6])
    gap = round(ngram.held_out_bits, 2) - round(network.held_out_bits, 2)
    assert (
        f"The {network.name} needs {abs(gap):.2f} bits a character {'fewer' if gap > 0 else 'more'} than"
        in said(app)
    )
    if against == "numbers kept":
        assert f"at {network.size / ngram.size:.2g} times the count of numbers kept" in said(app)
        points = {trace["name"]: trace["x"] for trace in figure(app, 1)["data"]}
        assert points[network.name] == [network.size]


@pytest.mark.parametrize("seen", ["false", "true"])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "too little to learn from"),
        ("It was late. The cat sat on the mat.", "give at least 200 characters"),
        ("x" * 5000, "All 5,000 characters of this text are the same one"),
    ],
)
def test_a_text_with_too_little_in_it_gets_a_sentence_and_the_page_ends_as_ever(text, sentence, seen):
    app = open_lesson("one_text", text, seen=seen)
    assert not app.exception
    assert sentence in said(app)
    assert not figures(app)
    assert {"The code that ran", "Take it away", "Sources"} <= {tab.label for tab in app.tabs}


@pytest.mark.parametrize("seen", ["false", "true"])
@pytest.mark.parametrize(
    "text", ["ab" * 100, "早上好。你好吗？" * 40, "مرحبا. كيف الحال؟ " * 20, "👍🏽 <b>$x$</b> `c` " * 20]
)
def test_no_text_breaks_the_page(text, seen):
    app = open_lesson("one_text", text, seen=seen)
    assert not app.exception
    assert "reads the held-out part best" in said(app)


def test_kinds_of_characters_that_only_the_held_out_part_has_and_rare_ones_are_said():
    assert "1 kind of character occurs in the held-out part and never in training" in said(
        open_lesson("one_text", "ab" * 300 + "abz" * 10)
    )
    assert "2 kinds of character occur in the held-out part and never in training" in said(
        open_lesson("one_text", "ab" * 300 + "abzy" * 10)
    )
    script = "".join(chr(0x4E00 + i % 300) for i in range(900)) + "x" * 3000
    assert "7.8% of the text are characters too rare to be told apart" in said(
        open_lesson("one_text", script)
    )


def test_the_notebook_counts_and_trains_the_same_scores(notebook_cells, monkeypatch, tmp_path, capsys):
    open_lesson("one_text", SHORT, steps="100")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_text.txt").write_text(SHORT, encoding="utf-8")
    ran = {}
    exec("\n".join(notebook_cells).replace("steps=100", "steps=1"), ran)
    expected = [*count_each(SHORT), *fit_each(lambda _: True, SHORT, 1, SEED)]
    assert [each.held_out_bits for each in ran["scores"]] == [each.held_out_bits for each in expected]
    assert "GPT 1 of 1" in capsys.readouterr().out


@pytest.mark.parametrize("text", TEXTS)
def test_the_tour_counts_the_networks_that_are_better_than_the_best_n_gram(text):
    own = None if text == "micro-world" else TEXTS[text]
    scores = scores_of(text)
    shown = said(open_lesson("one_text", own, beat="one_text.3"))
    better = sum(each.held_out_bits < best(scores[:6]).held_out_bits for each in scores[6:])
    if text == "own":
        assert "No network has been trained on this text yet." in shown
    else:
        need = "needs" if better == 1 else "need"
        assert f"{better or 'None'} of the 5 networks {need} fewer bits than the best n-gram." in shown


@pytest.mark.parametrize("beat", range(1, 8))
@pytest.mark.parametrize("text", ["It was late. The cat sat on the mat.", "x" * 5000])
def test_the_tour_of_a_text_with_too_little_in_it_still_reads_as_sentences(text, beat):
    app = open_lesson("one_text", text, beat=f"one_text.{beat}", seen=str(beat == 6).lower())
    shown = said(app)
    assert "(no value" not in shown
    assert "unknown, " not in shown and "unknown:" not in shown
    assert beat != 1 or "its first nine tenths of the characters" in shown
    assert beat != 6 or "trained on. This text holds too little for that. A model" in shown
