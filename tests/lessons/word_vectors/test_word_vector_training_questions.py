"""The key of the exercises on word2vec: pairs listed in plain Python, torch's loss and gradients."""

import pytest
import torch

from tests.exercises.drawn import drawn, entries


def test_true_pairs_are_all_places_that_are_near():
    for exercise in drawn("word_vector_training", "pairs"):
        n = len(exercise.draw.given["text"].split())
        near = [1 for i in range(n) for j in range(n) if 0 < abs(i - j) <= exercise.draw.given["size"]]
        assert exercise.draw.answer == len(near)


def torch_loss(given):
    """Return the loss by torch, and the centre vector with its gradient."""
    v, *u = (torch.tensor([float(x) for x in row], dtype=torch.float64) for row in entries(given["vectors"]))
    v.requires_grad_()
    labels = torch.tensor([1.0] + [0.0] * (len(u) - 1), dtype=torch.float64)
    cost = torch.nn.functional.binary_cross_entropy_with_logits
    loss = cost(torch.stack(u) @ v, labels, reduction="sum")
    loss.backward()
    return loss.item(), v


def test_the_loss_is_torch_s():
    for exercise in drawn("word_vector_training", "loss"):
        assert exercise.draw.answer == pytest.approx(torch_loss(exercise.draw.given)[0])


def test_the_step_is_against_torch_s_gradient():
    for exercise in drawn("word_vector_training", "step"):
        draw, (_, v) = exercise.draw, torch_loss(exercise.draw.given)
        assert draw.answer == pytest.approx((v - draw.given["rate"] * v.grad).tolist())
        assert draw.mistakes["uphill"] == pytest.approx((v + draw.given["rate"] * v.grad).tolist())


def test_noise_is_drawn_by_the_count_to_the_power_three_quarters():
    for exercise in drawn("word_vector_training", "noise"):
        draw, [counts] = exercise.draw, entries(exercise.draw.given["counts"])
        assert draw.answer == pytest.approx(counts[0] ** 0.75 / sum(each**0.75 for each in counts))
        assert draw.mistakes["share"] == pytest.approx(counts[0] / sum(counts))
