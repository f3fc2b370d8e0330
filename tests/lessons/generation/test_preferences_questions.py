"""The key of the exercises on preferences, by torch."""

import pytest
import torch
from torch.nn import functional

from tests.exercises.drawn import drawn, entries


def tensor(values):
    """Return numbers in float64."""
    return torch.tensor(values, dtype=torch.float64)


def test_a_vote_has_the_probability_of_the_sigmoid():
    for exercise in drawn("preferences", "vote"):
        given, draw = exercise.draw.given, exercise.draw
        a, b = tensor(entries(given["counted"])) @ tensor([given["glad_weight"], given["harm_weight"]])
        assert draw.answer == pytest.approx(torch.softmax(torch.stack([a, b]), 0)[0].item())
        assert draw.mistakes["reversed"] == pytest.approx(1 - draw.answer)


def test_the_best_policy_maximizes_reward_less_divergence():
    for exercise in drawn("preferences", "optimum"):
        given, draw = exercise.draw.given, exercise.draw
        start, rewards = tensor(entries(given["given_table"])).T
        assert draw.answer == pytest.approx(torch.softmax(start.log() + rewards / given["beta"], 0).tolist())
        untied = torch.softmax(rewards / given["beta"], 0).tolist()
        assert draw.mistakes["untied"] == pytest.approx(untied)


def test_the_loss_is_torch_s():
    for exercise in drawn("preferences", "loss"):
        given, draw = exercise.draw.given, exercise.draw
        (ref_a, a), (ref_b, b) = tensor(entries(given["given_table"]))
        margin = given["beta"] * ((a / ref_a).log() - (b / ref_b).log())
        assert draw.answer == pytest.approx(-functional.logsigmoid(margin).item())
        assert draw.mistakes["swapped"] == pytest.approx(-functional.logsigmoid(-margin).item())
