"""Training on the learner's characters: the baseline, the replay and the files are what core computes."""

from dataclasses import replace
from math import log

import numpy as np
import pytest

from core.lesson import training_job
from core.lesson.training_job import Bench
from core.models.generation.character_fit import known_words, load_characters
from core.models.generation.character_split import hold_out, vocabulary_of
from core.models.generation.counted_characters import ngram_losses
from core.models.generation.fit_characters import fit_characters, looking_back
from core.models.generation.recorded_characters import paired_difference, recorded_run
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import words
from pages import LESSONS
from pages.generation.character_training.page import ORDERS, STORY, TrainedOn, vocabulary_of_play
from tests.lessons.lesson_page import (
    document,
    figure,
    guess,
    mounted,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
    table_with,
)

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
    np.testing.assert_allclose(losses_of(app)["held-out loss (nats)"], list(losses.values()))


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
    assert table["bits per character"].iloc[-1] == pytest.approx(last / log(2))
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
    assert losses_of(app)["held-out loss (nats)"][0] == ngram_losses(TEXT, ORDERS)[1]
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
    open_with(network="feed_forward", steps="50", window="4")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_text.txt").write_text(TEXT, encoding="utf-8")
    exec("\n".join(notebook_cells[1:]), {})
    config = looking_back("feed-forward", 4, steps=50, seed=1)
    sample = fit_characters(lambda _: True, TEXT, config).snapshots[-1].sample
    assert repr(sample) in capsys.readouterr().out


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
    assert f"{ordered:.2f} bits per character" in said(app)


def test_what_the_losses_were_measured_on_is_said_of_long_and_of_short_texts():
    assert f"the first 4,000 of {len(hold_out(PLAY).measured_on):,} characters" in said(open_with(None))
    assert f"measured on {len(hold_out(TEXT[:250]).measured_on)} characters" in said(open_with(TEXT[:250]))


def test_what_loses_to_counting_is_not_said_to_have_learned_short_patterns_only():
    """It may have learned where lines end, and be worse at all else: no better is no proof, either way."""
    assert "has not shown that it learned more than short patterns" in said(open_with())


def test_how_many_held_out_lines_were_left_out_is_said_and_a_text_without_new_ones_is_refused():
    text = sample("micro-world").read().text[:60_000]
    known = {line for line in text[:54_000].split("\n") if len(line) >= 20}
    last = text[54_000:].split("\n")[1:]
    lines = [line for line in last if line.strip()]
    repeated = sum(line in known for line in lines)
    told = said(open_with(text))
    assert repeated > 30 and f"{repeated} of the {len(lines)} lines there, of 20 characters or more," in told
    assert "by memory" not in said(open_with("".join(chr(97 + i * i % 23) for i in range(3000))))
    assert "repeats its lines less" in said(open_with("the cat sat on a mat\n" * 95))


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


@pytest.mark.parametrize("old", ["GPT", "GRU", "feed-forward"])
def test_an_older_address_still_opens_with_its_network(old):
    app = open_with(network=old, steps="100", window="16")
    assert not app.exception
    assert app.session_state["character_training_network"] == {"GPT": "gpt", "GRU": "recurrent"}.get(
        old, "feed_forward"
    )


# The story: the recorded run, against what can be counted on the play by hand.

RUN = recorded_run()
PLAY = sample("hamlet").read().text
CUT = int(0.9 * len(PLAY))
KEPT = hold_out(PLAY).measured_on


def beat_words(beat, *args, **changes):
    return said_in(document("character_training", beat, *args, **changes))


def test_the_run_is_of_the_play_and_its_n_grams_are_those_that_counting_gives():
    split = hold_out(PLAY)
    assert split.repeated == 0
    assert f"left out: 0 of {split.lines} lines here" in str(document("character_training", "noise"))
    assert RUN.characters == len(PLAY) and RUN.vocabulary == len(vocabulary_of(PLAY))
    counted = ngram_losses(PLAY, ORDERS)
    assert [RUN.ngrams[n] for n in ORDERS] == pytest.approx([counted[n] / log(2) for n in ORDERS], abs=1e-4)


def test_the_untrained_network_is_no_better_than_a_blind_guess():
    assert RUN.at(0).held_out == pytest.approx(np.log2(RUN.vocabulary), abs=0.1)
    assert f"is {RUN.at(0).held_out:.2f} bits" in beat_words("noise")
    assert "costs 6.00" in beat_words("noise") and RUN.vocabulary == 64


def test_after_16_steps_the_network_is_as_good_as_counting_letters():
    letters = {c: PLAY[:CUT].count(c) / CUT for c in set(PLAY[:CUT])}
    bits = -np.mean([np.log2(letters.get(c, 1 / CUT)) for c in KEPT[:4000]])
    assert RUN.at(16).held_out == pytest.approx(bits, abs=0.05)
    assert RUN.at(16).letters_off < 0.2 < RUN.at(0).letters_off
    text = RUN.at(16).sample
    assert sum(map(str.isupper, text)) < len(text) / 10
    assert min(map(text.count, "eto")) > len(text) / 25
    assert f"now has {RUN.at(16).held_out:.2f}" in beat_words("first", True)


def test_what_is_asked_is_covered_until_it_is_answered():
    before, after = picture("character_training", "first"), picture("character_training", "first", True)
    assert before["panels"][0]["pieces"] is None and before["levels"] == []
    assert after["panels"][0]["pieces"][0]["text"] == RUN.at(16).sample
    levels = picture("character_training", "counting")["levels"]
    assert [level["name"] for level in levels] == ["4"]


def test_words_get_the_length_that_they_have_in_the_play():
    found = words(KEPT)
    truth = sum(map(len, found)) / len(found)
    assert RUN.word_length == pytest.approx(truth, abs=1e-3)
    assert abs(RUN.at(64).word_length - truth) < 0.25 < abs(RUN.at(16).word_length - truth)
    assert "whelimeat" in words(RUN.at(64).sample) and "whelimeat" not in words(PLAY)
    assert f"{RUN.at(64).word_length:.1f} characters" in beat_words("spaces")


@pytest.mark.parametrize(("beat", "step"), [("short", 400), ("last", 1600)])
def test_the_green_words_are_the_play_s_and_no_other_is_green(beat, step):
    pieces = picture("character_training", beat)["panels"][0]["pieces"]
    assert "".join(piece["text"] for piece in pieces) == RUN.at(step).sample
    read = set(words(PLAY[:CUT]))
    green = [piece["text"].lower() for piece in pieces if piece["known"]]
    assert green and set(green) <= read
    other = words(" ".join(piece["text"] for piece in pieces if not piece["known"]))[:-1]
    assert not [word for word in other if word in read and len(word) > 2]
    assert f"{RUN.at(step).known:.0%} of" in beat_words(beat)


def test_the_named_words_are_on_the_screen_and_the_inventions_are_none_of_the_play():
    found = words(RUN.at(400).sample)
    assert {"you", "we", "that", "his", "kespicter"} <= set(found)
    assert "kespicter" not in words(PLAY)
    green = [word for word in found if word in vocabulary_of_play()]
    assert sum(len(word) <= 4 for word in green) > 0.8 * len(green)


def test_the_play_s_own_last_tenth_has_more_known_words_than_the_network_writes():
    found = words(KEPT)[:-1]
    truth = sum(word in vocabulary_of_play() for word in found) / len(found)
    assert RUN.words_known == pytest.approx(truth, abs=1e-3)
    assert RUN.at(400).known < RUN.at(1600).known < truth < RUN.at(1600).known + 0.1


def test_the_network_passes_the_n_grams_one_after_the_other():
    drawn = picture("character_training", "levels")
    steps = [crossing["step"] for crossing in drawn["crossings"]]
    for step, level in zip(steps, drawn["levels"], strict=True):
        below = [moment.step for moment in RUN.moments if moment.held_out < level["bits"]]
        assert step == below[0] and below == [
            m.step for m in RUN.moments if m.step >= step
        ]  # and stays below
    assert steps == sorted(set(steps)) and len(steps) == 4
    assert f"only by step {steps[-1]:,}" in beat_words("levels")


def test_counting_still_wins_and_the_interval_of_the_difference_excludes_0():
    last = RUN.moments[-1]
    assert RUN.best == 6 and RUN.ngrams[4] > last.held_out > RUN.ngrams[5] > RUN.ngrams[6]
    assert RUN.behind == pytest.approx(last.held_out - RUN.ngrams[6], abs=2e-3)
    assert 0 < RUN.interval[0] < RUN.behind < RUN.interval[1]
    assert last.held_out < RUN.moments[-2].held_out  # the curve is still falling
    answer = document("character_training", "counting", True)
    assert answer["ask"]["answer"] == "counting"
    assert f"is {RUN.behind:.2f} bits per character worse" in said_in(answer)


def test_the_interval_of_a_paired_difference_is_that_of_its_blocks():
    rng = np.random.default_rng(0)
    one, other = rng.normal(2, 1, 1000), rng.normal(1, 1, 1000)
    mean, (low, high) = paired_difference(one, other)
    blocks = [float(np.mean((one - other)[i : i + 50])) for i in range(0, 1000, 50)]
    assert mean == pytest.approx(np.mean(blocks))
    assert high - low == pytest.approx(2 * 1.96 * np.std(blocks, ddof=1) / np.sqrt(20))


@pytest.mark.parametrize("moment", range(21))
def test_the_learner_is_told_whether_a_snapshot_is_the_first_with_more_than_half(moment):
    now = RUN.moments[moment]
    told = document("character_training", "replay", moment=moment)["done"]
    first = now.known > 0.5 and all(each.known <= 0.5 for each in RUN.moments[:moment])
    assert ("is the first" in told) == first
    assert ("comes later" in told) == (now.known <= 0.5)
    assert f"{now.known:.0%}" in told and f"step {now.step:,}" in told.lower()


def test_the_story_ends_with_its_five_samples():
    drawn = picture("character_training", "answer")
    assert [panel["mark"] for panel in drawn["panels"]] == [f"text.{step}" for step in (0, 16, 64, 400, 1600)]
    assert len(STORY) == 9 and any(lesson.name == "character_training" for lesson in LESSONS)
