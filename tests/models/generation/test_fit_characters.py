"""Training on the learner's own text learns, can be watched, stopped and visited again."""

import numpy as np
import pytest

from core.models.generation import fit_characters as fit_characters_module
from core.models.generation.character_fit import load_characters
from core.models.generation.character_split import MEASURED, hold_out, shuffled
from core.models.generation.counted_characters import ngram_losses
from core.models.generation.fit_characters import CharacterConfig, fit_characters, looking_back
from core.models.language_model import sequence_log_probability
from core.models.training_error import TrainingError
from core.text.samples.shelf import sample

TEXT = "the cat sat on the mat and the dog sat on the log\n" * 40


@pytest.mark.parametrize("network", ["feed-forward", "recurrent", "gpt"])
def test_every_network_learns_a_text_that_repeats_itself(network):
    fit = fit_characters(
        lambda _: True, TEXT, CharacterConfig(network, steps=80, snapshots=4, sample_length=20)
    )
    losses = [snapshot.held_out_loss for snapshot in fit.snapshots]
    assert losses[0] > 2
    assert losses[-1] < 0.7
    assert len(fit.snapshots) == 5
    assert [snapshot.step for snapshot in fit.snapshots] == [0, 5, 20, 45, 80]


def test_a_snapshot_is_the_model_of_that_moment():
    fit = fit_characters(
        lambda _: True, TEXT, CharacterConfig("recurrent", steps=80, snapshots=2, sample_length=9)
    )
    ids = [fit.vocabulary.index(character) for character in TEXT[:60]]
    early, late = (sequence_log_probability(fit.model(i), ids).perplexity for i in (0, -1))
    assert late < 3 < 8 < early


def test_it_stops_when_the_report_says_so_and_keeps_what_was_learned():
    seen = []
    fit = fit_characters(
        lambda progress: seen.append(progress) or len(seen) < 3, TEXT, CharacterConfig(steps=100)
    )
    assert len(seen) == 3
    assert fit.snapshots[-1].step == seen[-1].step < 100
    assert np.isfinite(fit.model().log_probabilities([])).all()


def test_reports_come_between_snapshots_too_and_stopping_there_leaves_a_snapshot(monkeypatch):
    monkeypatch.setattr(fit_characters_module, "SECONDS", 0.0)
    seen = []
    config = CharacterConfig("feed-forward", steps=50, snapshots=1, sample_length=5)
    fit = fit_characters(lambda progress: seen.append(progress) or progress.step < 7, TEXT, config)
    assert [progress.step for progress in seen] == list(range(8))
    assert [snapshot.step for snapshot in fit.snapshots] == [0, 7]
    assert all(progress.weights is None for progress in seen)


def test_the_same_seed_gives_the_same_losses_and_samples():
    config = CharacterConfig("recurrent", steps=10, snapshots=2, sample_length=9)
    one, other = (fit_characters(lambda _: True, TEXT, config).snapshots for _ in range(2))
    assert [(s.loss, s.sample) for s in one] == [(s.loss, s.sample) for s in other]


@pytest.mark.parametrize("text", ["", "too short", "a" * 1000])
def test_a_text_with_too_little_in_it_is_refused_in_a_sentence(text):
    with pytest.raises(TrainingError, match="too little"):
        fit_characters(lambda _: True, text)


def test_the_losses_are_those_of_the_model_read_as_it_is_used():
    fit = fit_characters(
        lambda _: True, TEXT, CharacterConfig("recurrent", steps=20, snapshots=1, sample_length=5)
    )
    model, found = fit.model(), hold_out(TEXT)
    assert found.repeated > 0
    losses = (fit.snapshots[-1].loss, fit.snapshots[-1].held_out_loss)
    for part, loss in zip((found.training, found.measured_on), losses, strict=True):
        ids = fit.encode(part)[:MEASURED]
        assert -np.mean(model.token_log_probabilities(ids)) == pytest.approx(loss, abs=2e-3)


@pytest.mark.parametrize("name", ["micro-world", "hamlet"])
def test_no_held_out_line_is_a_line_of_the_training_part(name):
    text = sample(name).read().text[:200_000]
    found, cut = hold_out(text), len(text) * 9 // 10
    assert found.training == text[:cut]
    lines = found.measured_on.split("\n")[1:]
    known = {line for line in text[:cut].split("\n") if len(line) >= 20}
    assert not [line for line in lines if line in known]
    kept = [line for line in text[cut:].split("\n")[1:] if line.strip() and line not in known]
    assert [line for line in lines if line.strip()] == kept
    assert found.lines - found.repeated == len(kept)
    assert found.dropped == len(text) - cut - len(found.measured_on)


def test_a_text_that_only_repeats_its_lines_is_refused_in_a_sentence():
    for measure in (hold_out, lambda text: ngram_losses(text, range(1, 3))):
        with pytest.raises(TrainingError, match="repeats its lines less"):
            measure("the cat sat on a mat\n" * 95)


@pytest.mark.parametrize("network", ["feed-forward", "recurrent", "gpt"])
def test_a_network_learns_whatever_it_looks_back_at(network):
    for characters in (4, 128):
        config = looking_back(network, characters, steps=3, snapshots=1, sample_length=5)
        fit = fit_characters(lambda _: True, TEXT, config)
        assert fit.snapshots[-1].held_out_loss < fit.snapshots[0].held_out_loss


def test_the_shortest_text_can_be_trained_on_with_the_longest_window():
    config = looking_back("gpt", 128, steps=2, snapshots=1, sample_length=5)
    assert len(fit_characters(lambda _: True, TEXT[:200], config).snapshots) == 2


def test_the_weights_that_are_taken_away_make_the_same_model(tmp_path):
    fit = fit_characters(lambda _: True, TEXT, looking_back("gpt", 16, steps=5, snapshots=1, sample_length=5))
    (tmp_path / "weights.safetensors").write_bytes(fit.safetensors())
    again, ids = load_characters(tmp_path / "weights.safetensors"), fit.encode("the cat")
    assert again.vocabulary == fit.vocabulary
    np.testing.assert_array_equal(again.log_probabilities(ids), fit.model().log_probabilities(ids))


def test_a_character_that_was_not_trained_on_is_the_unknown_one():
    fit = fit_characters(
        lambda _: True, TEXT, CharacterConfig("feed-forward", steps=1, snapshots=1, sample_length=1)
    )
    assert fit.encode("a\u0645") == [fit.vocabulary.index("a"), 0]


def test_the_baseline_counts_what_the_networks_train_on():
    losses = ngram_losses("ab" * 500, range(1, 4))
    assert losses[1] == pytest.approx(np.log(2), abs=0.01)  # both letters equally frequent
    assert losses[2] < 0.02  # and each says which comes next
    with pytest.raises(TrainingError, match="too little"):
        ngram_losses("too short", range(1, 3))


@pytest.mark.parametrize("text", [TEXT[:200], "ab" * 100, "x" * 100 + "y" * 100], ids=["200", "abab", "xy"])
def test_a_short_text_is_measured_and_no_loss_is_nought(text):
    config = looking_back("gpt", 8, steps=2, snapshots=1, sample_length=3)
    shots = fit_characters(lambda _: True, text, config).snapshots
    assert all(0 < loss < 10 for shot in shots for loss in (shot.loss, shot.held_out_loss))
    assert all(loss > 0 for loss in ngram_losses(text, range(1, 4)).values())


def test_shuffling_keeps_every_character_and_the_same_seed_the_same_order():
    assert sorted(shuffled(TEXT, 1)) == sorted(TEXT)
    assert shuffled(TEXT, 1) == shuffled(TEXT, 1) != shuffled(TEXT, 2)
