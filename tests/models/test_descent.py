"""A step down the gradient: Adam and Muon against their definitions, the gradient's norm, the rates."""

import numpy as np
import pytest
import torch
from torch import nn

from core.models.descent import LONGEST, Descent, Muon, adam_and_muon, orthogonalised


class Slope(nn.Module):
    """One parameter; the loss of step i is slopes[i] times it, so that its gradient is slopes[i]."""

    def __init__(self, slopes):
        super().__init__()
        self.bias, self.slopes, self.at = nn.Parameter(torch.zeros(1)), iter(slopes), []

    def loss(self):
        return next(self.slopes) * self.bias.sum()


def descended(slopes, share=lambda step: 1.0, rate=0.1):
    model = Slope(slopes)
    descent = Descent(model, adam_and_muon(model, rate, rate), share)
    places = []
    for _ in slopes:
        descent.step(model.loss)
        places.append(model.bias.item())
    return places


def adam_by_hand(slopes, rate=0.1, b1=0.9, b2=0.95):
    place, m, v, places = 0.0, 0.0, 0.0, []
    for step, g in enumerate(slopes, 1):
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        place -= rate * (m / (1 - b1**step)) / (np.sqrt(v / (1 - b2**step)) + 1e-8)
        places.append(place)
    return places


def test_what_is_no_matrix_takes_adam_s_steps():
    slopes = [0.5, -0.2, 0.9, 0.1, -0.7]
    np.testing.assert_allclose(descended(slopes), adam_by_hand(slopes), rtol=1e-5)


def test_a_gradient_that_is_too_long_is_shortened_to_a_norm_of_one():
    np.testing.assert_allclose(descended([0.5, 40.0]), adam_by_hand([0.5, LONGEST]), rtol=1e-5)


def test_the_share_of_the_rate_is_that_of_the_step():
    shares = {0: 0.5, 1: 0.0, 2: 2.0}
    places = descended([0.3, 0.3, 0.3], share=shares.get)
    whole = np.diff([0.0, *adam_by_hand([0.3, 0.3, 0.3])])
    np.testing.assert_allclose(np.diff([0.0, *places]), whole * [0.5, 0.0, 2.0], rtol=1e-5)


def test_the_loss_returned_is_the_one_before_the_step():
    model = Slope([1.0, 1.0])
    descent = Descent(model, adam_and_muon(model, 0.1, 0.1), lambda step: 1.0)
    assert descent.step(model.loss) == 0
    assert descent.step(model.loss) == pytest.approx(-0.1)
    assert descent.step_count == 2


@pytest.mark.parametrize("shape", [(16, 16), (8, 32), (32, 8)])
def test_an_orthogonalised_matrix_keeps_its_directions_and_evens_their_sizes(shape):
    matrix = torch.randn(shape, generator=torch.Generator().manual_seed(1))
    found = torch.linalg.svdvals(orthogonalised(matrix))
    assert found.min() > 0.5
    assert found.max() < 1.3
    U, _, Vh = torch.linalg.svd(matrix, full_matrices=False)
    inner = U.T @ orthogonalised(matrix) @ Vh.T
    torch.testing.assert_close(inner, inner.diagonal().diag(), atol=1e-4, rtol=0)


@pytest.mark.parametrize("shape", [(16, 16), (8, 32), (32, 8)])
def test_muon_takes_the_steps_of_torch_s_own_but_for_its_rounding(shape):
    moved = []
    for kind in (Muon, lambda some, lr: torch.optim.Muon(some, lr=lr, weight_decay=0.0)):
        generator = torch.Generator().manual_seed(3)
        W = nn.Parameter(torch.zeros(shape))
        optimiser = kind([W], lr=0.1)
        for _ in range(6):
            W.grad = torch.randn(shape, generator=generator)
            optimiser.step()
        moved.append(W.detach())
    ours, theirs = moved
    assert (ours - theirs).norm() < 0.02 * theirs.norm()  # theirs computes in bfloat16


def test_matrices_inside_go_by_muon_and_all_else_by_adam():
    model = nn.ModuleDict(
        {"embedding": nn.Embedding(5, 4), "inner": nn.Linear(4, 4), "output": nn.Linear(4, 5)}
    )
    adam, muon = adam_and_muon(model, 0.1, 0.2)
    assert [id(p) for p in muon.param_groups[0]["params"]] == [id(model["inner"].weight)]
    assert len(adam.param_groups[0]["params"]) == 4
