"""Training on the learner's characters: the baseline, the replay and the files are what core computes."""

from dataclasses import replace
from math import log

import numpy as np
import pytest

from core.lesson import training_job
from core.lesson.training_job import Bench
from core.models.generation.character_fit import known_words, load_characters
from core.models.generation.counted_characters import ngram_losses
from core.models.generation.fit_characters import fit_characters, looking_back
from core.text.samples.shelf import sample
from pages.generation.character_training import ORDERS, TrainedOn
from tests.lessons.lesson_page import figure, guess, mounted, open_lesson, said, sent, table_with

TEXT = "the cat sat on the mat and the dog sat on the log\n" * 20
CONFIG = looking_back("gpt", 16, steps=30, snapshots=3, sample_length=20)


def open_with(text=TEXT, **query):
    return open_lesson("character_training", text, **query)


@pytest.fixture(scope="module")
def trained():
    """What a learner has after training a GPT for 30 steps."""
    reports = []
    fit = fit_characters(reports.append, TEXT, CONFIG)
    return Bench(result=fit, reports=reports, settings=TrainedOn("test", TEXT, True, CONFIG), number=1)


@pytest.fixture
def bench(trained, monkeypatch):
    monkeypatch.setattr(training_job, "bench_of", lambda lesson: trained)
    return trained


def losses_of(app):
    return table_with(app, "perplexity")


def test_before_training_the_page_shows_what_counting_reaches():
    app, losses = open_with(), ngram_losses(TEXT, ORDERS)
    bars = figure(app)["data"][0]
    assert bars["text"] == [f"{loss / log(2):.2f}" for loss in losses.values()]
    np.testing.assert_allclose(losses_of(app)["held out, nats"], list(losses.values()))


def test_the_replay_has_every_snapshot_s_losses_sample_and_expectations(bench):
    app, fit = open_with(prompt="the "), bench.result
    replay = sent(app)
    assert replay["steps"] == [0, 3, 13, 30]
    assert replay["samples"] == [snapshot.sample for snapshot in fit.snapshots]
    assert replay["known"][-1] == known_words(fit.snapshots[-1].sample, {*TEXT.split()})
    assert replay["heldOut"] == [snapshot.held_out_loss for snapshot in fit.snapshots]
    assert replay["baseline"]["value"] == min(ngram_losses(TEXT, ORDERS).values())
    p = np.exp(fit.model(1).log_probabilities(fit.encode("the ")))
    followed = [
        fit.vocabulary.index(token.replace("␣", " ").replace("↵", "\n")) for token in replay["tokens"][:-1]
    ]
    np.testing.assert_allclose(replay["expected"][1][:-1], p[followed])
    np.testing.assert_allclose(np.sum(replay["expected"], axis=1), 1)


def test_the_network_stands_beside_the_n_grams_with_its_own_bits(bench):
    app = open_with()
    table = losses_of(app)
    last = bench.result.snapshots[-1].held_out_loss
    assert table["bits a character"].iloc[-1] == pytest.approx(last / log(2))
    better = last < min(ngram_losses(TEXT, ORDERS).values())
    assert ("better" if better else "worse") + "** than the best n-gram" in said(app)


def test_a_prediction_hides_the_network_s_number_until_it_is_guessed(bench):
    app = open_with(predict="true")
    assert len(losses_of(app)) == len(ORDERS)
    assert not mounted(app)  # the replay draws both losses
    assert len(figure(app)["data"][-1]["x"]) == 0
    guess(app)
    assert sent(app)["heldOut"]
    assert len(losses_of(app)) == len(ORDERS) + len(bench.result.snapshots)


@pytest.mark.usefixtures("bench")
def test_a_prompt_with_unknown_characters_is_said_and_an_empty_one_is_a_beginning():
    assert "read as unknown: Z م" in said(open_with(prompt="Zم"))
    assert sent(open_with(prompt=""))["prompt"] == ""


def test_a_result_stays_with_the_text_it_was_trained_on(bench):
    app = open_with("something else altogether. " * 20)
    assert losses_of(app)["held out, nats"][0] == ngram_losses(TEXT, ORDERS)[1]
    assert "Trained on test: GPT, window 16, 30 of 30 steps" in said(app)


def test_the_weights_that_are_downloaded_are_those_of_the_last_snapshot(bench, tmp_path, monkeypatch):
    files = {}
    monkeypatch.setattr(
        "core.lesson.footer.st.download_button", lambda label, data, **_: files.update({label: data})
    )
    open_with()
    (tmp_path / "characters.safetensors").write_bytes(files["Weights (safetensors)"]())
    model = load_characters(tmp_path / "characters.safetensors")
    np.testing.assert_array_equal(model.log_probabilities([1]), bench.result.model().log_probabilities([1]))


def test_the_notebook_trains_the_same_model(monkeypatch, notebook_cells, tmp_path, capsys):
    open_with(network="feed-forward", steps="50", window="4")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_text.txt").write_text(TEXT, encoding="utf-8")
    exec("\n".join(notebook_cells), {})
    config = looking_back("feed-forward", 4, steps=50, seed=1)
    sample = fit_characters(lambda _: True, TEXT, config).snapshots[-1].sample
    assert sample in capsys.readouterr().out


def test_shuffling_leaves_a_text_with_its_letters_alone():
    app = open_with(shuffled="true")
    ordered, broken = (float(metric.value) for metric in app.metric[:2])
    assert ordered == pytest.approx(min(ngram_losses(TEXT, ORDERS).values()) / log(2), abs=0.005)
    letters = np.unique(list(TEXT), return_counts=True)[1] / len(TEXT)
    assert broken == pytest.approx(-(letters * np.log2(letters)).sum(), abs=0.25)


@pytest.mark.parametrize("text", [None, "play", TEXT[:250]], ids=["default", "play", "short"])
def test_shuffling_changes_the_picture_and_costs_the_best_n_gram_bits(text):
    text = sample("hamlet").read().text[:60_000] if text == "play" else text
    whole, app = figure(open_with(text)), open_with(text, shuffled="true")
    broken = figure(app)
    assert [bars["name"] for bars in whole["data"] if bars["x"]] == ["n-grams of the text"]
    assert [bars["name"] for bars in broken["data"] if bars["x"]] == [
        "n-grams of the text",
        "n-grams, shuffled",
    ]
    assert broken["data"][0]["text"] == whole["data"][0]["text"]
    ordered, less = (float(metric.value) for metric in app.metric[:2])
    assert less > ordered
    assert f"{ordered:.2f} bits a character" in said(app)


def test_what_the_losses_were_measured_on_is_said_of_long_and_of_short_texts():
    assert "the first 4,000 of its last" in said(open_with(None))
    assert "measured on its last 25 characters" in said(open_with(TEXT[:250]))


def test_what_loses_to_counting_is_not_said_to_have_learnt_short_runs_only():
    """It may have learnt where lines end, and be worse at all else: no better is no proof, either way."""
    for beat in (1, 2):
        shown = said(open_with(beat=f"character_training.{beat}"))
        assert "has not shown that it learnt more than short runs" in shown
        assert "to have learnt more than short runs" not in shown


def test_the_code_that_ran_has_the_step_that_trains():
    code = " ".join(block.value for block in open_with().code)
    assert "before.backward()" in code
    assert "clip_grad_norm_" in code


@pytest.mark.parametrize("text", ["a", "早上好。", "x" * 5000, "👍🏽 " * 200, "مرحبا. كيف الحال؟ " * 20])
def test_any_text_can_be_counted_or_a_sentence_says_why_not(text):
    app = open_with(text, shuffled="true")
    assert not app.exception
    assert bool(app.get("plotly_chart")) != ("too little to learn from" in said(app))


def test_learning_by_heart_is_said_with_the_step_from_which_on(trained, monkeypatch):
    shots = trained.result.snapshots
    risen = replace(shots[-1], held_out_loss=shots[1].held_out_loss + 0.5)
    low = replace(shots[1], held_out_loss=shots[1].held_out_loss - 1)
    overfitted = replace(trained.result, snapshots=(shots[0], low, shots[2], risen))
    monkeypatch.setattr(training_job, "bench_of", lambda lesson: replace(trained, result=overfitted))
    assert f"was lowest at step {low.step} and has risen by 1.500 nats" in said(open_with())
