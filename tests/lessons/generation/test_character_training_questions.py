"""The key of the exercises on training: torch's own step, characters counted, and scikit-learn's log loss."""

from math import log

import pytest
import torch
from sklearn.metrics import log_loss

from tests.exercises.drawn import drawn, entries


def test_a_step_is_that_of_torch_s_sgd():
    for exercise in drawn("character_training", "step"):
        given = exercise.draw.given
        theta = torch.tensor(given["theta"], dtype=torch.float64, requires_grad=True)
        gradients = torch.tensor(given["gradients"], dtype=torch.float64)
        (theta * gradients).mean().backward()
        torch.optim.SGD([theta], given["rate"]).step()
        assert exercise.draw.answer == pytest.approx(theta.item())


def test_a_text_is_read_as_often_as_its_characters_fit():
    for exercise in drawn("character_training", "reading"):
        given = exercise.draw.given
        left = given["n"] * given["B"] * given["T"]
        times, left = divmod(left, given["characters"] - given["characters"] // 10)
        part = left / (0.9 * given["characters"])
        assert exercise.draw.answer == pytest.approx(times + part)


def test_a_baseline_needs_scikit_learn_s_log_loss():
    for exercise in drawn("character_training", "baseline"):
        table, held = exercise.draw.given["table"], exercise.draw.given["held"].split()
        [counts] = entries(table)
        p = [count / sum(counts) for count in counts]
        loss = log_loss(held, [p] * len(held), labels=list(table.columns))
        assert exercise.draw.answer == pytest.approx(loss / log(2))
