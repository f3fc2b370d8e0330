"""The key of the exercises on next-token prediction: a shifted string, torch's loss, and two losses subtracted."""

from statistics import fmean

import pytest
import torch

from tests.exercises.drawn import drawn, entries


def test_targets_are_the_text_without_its_first_character():
    for exercise in drawn("next_character", "target"):
        targets = exercise.draw.given["text"].split(" ")[1:]
        assert exercise.draw.answer == targets[exercise.draw.given["t"] - 1]


def test_the_loss_is_torch_s_cross_entropy():
    for exercise in drawn("next_character", "loss"):
        [p] = entries(exercise.draw.given["table"])
        logits = torch.tensor([[each, 1 - each] for each in p], dtype=torch.float64).log()
        loss = torch.nn.functional.cross_entropy(logits, torch.zeros(len(p), dtype=torch.long))
        assert exercise.draw.answer == pytest.approx(float(loss))


def test_a_better_guess_saves_the_difference_of_two_mean_losses():
    for exercise in drawn("next_character", "saving"):
        given = exercise.draw.given
        others = [0.5] * (given["T"] - 1)
        before, after = (
            fmean(-torch.tensor([*others, p], dtype=torch.float64).log().numpy())
            for p in (given["before"], given["after"])
        )
        assert exercise.draw.answer == pytest.approx(before - after)
