"""Training on the learner's own text learns, can be watched, stopped and visited again."""

import numpy as np
import pytest

from core.models.fit_characters import CharacterConfig, TrainingError, fit_characters
from core.models.language_model import sequence_log_probability

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
    assert [snapshot.step for snapshot in fit.snapshots] == [0, 20, 40, 60, 80]


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
    assert len(fit.snapshots) == len(seen) == 3
    assert fit.snapshots[-1].step < 100
    assert np.isfinite(fit.model().log_probabilities([])).all()


def test_the_same_seed_gives_the_same_losses_and_samples():
    config = CharacterConfig("recurrent", steps=10, snapshots=2, sample_length=9)
    one, other = (fit_characters(lambda _: True, TEXT, config).snapshots for _ in range(2))
    assert [(s.loss, s.sample) for s in one] == [(s.loss, s.sample) for s in other]


@pytest.mark.parametrize("text", ["", "too short", "a" * 1000])
def test_a_text_with_too_little_in_it_is_refused_in_a_sentence(text):
    with pytest.raises(TrainingError, match="too little"):
        fit_characters(lambda _: True, text)
