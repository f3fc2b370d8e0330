"""The key of the exercises on logistic regression: scikit-learn's loss, and torch's gradients."""

import numpy as np
import pytest
import torch
from sklearn.metrics import log_loss

from tests.exercises.drawn import drawn, entries


def test_a_review_s_probability_is_the_sigmoid_of_its_score():
    for exercise in drawn("logistic_regression", "probability"):
        draw, given = exercise.draw, exercise.draw.given
        weight = dict(zip(given["weights"].columns, entries(given["weights"])[0], strict=True))
        z = given["b"] + sum(weight[word] for word in given["review"].split())
        assert draw.answer == pytest.approx(torch.tensor(z, dtype=torch.float64).sigmoid().item())
        assert draw.mistakes["turned"] == pytest.approx(1 - draw.answer)


def test_the_loss_is_scikit_learn_s_and_the_penalty():
    for exercise in drawn("logistic_regression", "loss"):
        draw, (p, y) = exercise.draw, entries(exercise.draw.given["reviews"])
        costs = log_loss(y, p, normalize=False, labels=[0, 1])
        squares = sum(w * w for w in draw.given["w"])
        assert draw.answer == pytest.approx(costs + draw.given["l2"] / 2 * squares, abs=0.01)
        assert draw.mistakes["half"] == pytest.approx(costs + draw.given["l2"] * squares, abs=0.01)


def test_a_step_is_torch_s():
    for exercise in drawn("logistic_regression", "step"):
        draw, given = exercise.draw, exercise.draw.given
        x, p, y = (torch.tensor(np.array(row, float)) for row in entries(given["reviews"]))
        w = torch.tensor(given["w"], dtype=torch.float64, requires_grad=True)
        z = torch.logit(p) + x * (w - given["w"])
        loss = torch.nn.functional.binary_cross_entropy_with_logits(z, y, reduction="sum")
        (loss + given["l2"] / 2 * w**2).backward()
        assert draw.answer == pytest.approx(given["w"] - given["rate"] * w.grad.item())
        assert draw.mistakes["uphill"] == pytest.approx(given["w"] + given["rate"] * w.grad.item())
