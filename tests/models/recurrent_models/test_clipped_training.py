"""A training that explodes without clipping comes through with it; one over a short distance needs none."""

from math import isfinite

import pytest

from core.models.recurrent_models.clipped_training import first_numbers, train


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


def test_what_must_be_remembered_comes_first_and_the_rest_is_small():
    x = first_numbers(20, seed=1)
    assert x[0].abs().max() > 0.5 > x[1:].abs().max()


@pytest.mark.parametrize(("rate", "loss"), [(1e308, "inf"), (float("inf"), "nan")])
def test_a_training_ends_when_its_loss_is_no_number_to_go_on_from(rate, loss):
    went = train(radius=1.0, length=5, clip=None, steps=9, rate=rate)
    assert [str(each) for each in went.losses[1:]] == [loss]
