"""A training that explodes without clipping comes through with it; one over a short distance needs none."""

from math import isfinite

import pytest
import torch
from torch import nn

from core.models.recurrent_models.clipped_training import WIDTH, first_numbers, remembered, train
from core.models.recurrent_models.drawn_weights import drawn_weights


def test_no_step_is_longer_than_the_clip():
    went = train(radius=1.5, length=8, clip=0.5, steps=15)
    assert max(went.used) <= 0.5 + 1e-12
    assert max(went.norms) > 0.5
    assert [min(norm, 0.5) for norm in went.norms] == pytest.approx(went.used)


def test_clipping_decides_whether_a_training_at_a_large_radius_comes_through():
    clipped, free = (train(radius=1.5, length=10, clip=clip, steps=60) for clip in (1.0, None))
    assert clipped.losses[-1] < clipped.losses[0]
    assert not free.losses[-1] < 1e3 or not isfinite(free.losses[-1])


def test_before_anything_explodes_both_trainings_are_the_same():
    clipped, free = (train(radius=0.7, length=5, clip=clip, steps=8) for clip in (100.0, None))
    assert clipped.losses == free.losses


@pytest.mark.parametrize(("radius", "length"), [(0.5, 12), (0.9, 12), (1.2, 4)])
def test_a_clip_that_no_gradient_passes_leaves_the_training_as_it_is_to_the_last_bit(radius, length):
    free = train(radius, length, clip=None, steps=20)
    clipped = train(radius, length, clip=max(free.norms), steps=20)
    assert (clipped.losses, clipped.norms, clipped.used) == (free.losses, free.norms, free.used)


def test_what_must_be_remembered_comes_first_and_the_rest_is_small():
    x = first_numbers(20, seed=1)
    assert x[0].abs().max() > 0.5 > x[1:].abs().max()


@pytest.mark.parametrize("rate", [1e308, float("inf")])
def test_a_training_ends_when_its_loss_is_no_number_to_go_on_from(rate):
    went = train(radius=1.0, length=5, clip=None, steps=9, rate=rate)
    assert [isfinite(each) for each in went.losses] == [True, False]


@pytest.mark.parametrize("clip", [0.5, None])
def test_the_training_is_torchs_gradient_descent_with_torchs_clipping(clip):
    went = train(radius=1.5, length=8, clip=clip, steps=6, rate=0.1)
    drawn = drawn_weights("rnn", WIDTH, 1.5, seed=1)
    weights = [drawn.W_x[:, :1] * WIDTH**0.5, drawn.W_h, drawn.b_x, drawn.W_x[0]]
    parameters = [nn.Parameter(each.clone()) for each in weights]
    optimizer, losses = torch.optim.SGD(parameters, lr=0.1), []
    for step in range(6):
        x = first_numbers(8, seed=1000 + step)
        loss = nn.functional.mse_loss(remembered(x, parameters), x[0, :, 0])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, clip or float("inf"))
        optimizer.step()
        losses.append(loss.item())
    assert went.losses == pytest.approx(losses, rel=1e-5)
