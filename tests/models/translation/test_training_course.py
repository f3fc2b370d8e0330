"""The course of a training is read from its snapshots as one would read it by eye."""

import math

import numpy as np
import pytest

from core.models.translation.fit_translation import Snapshot
from core.models.translation.training_course import course, seconds_left

EVEN, SHARP, HALF = np.full((2, 4), 0.25), np.array([[1.0, 0, 0, 0], [0, 1, 0, 0]]), np.full((2, 4), 0.65)


def shot(step, loss, output, weights):
    return Snapshot(step / 40, step, loss, list("abcd"), list(output), weights)


SHOTS = [
    shot(0, math.nan, "xx", EVEN),
    shot(10, 4.0, "ab", EVEN),
    shot(20, 2.0, "xy", HALF),
    shot(30, 1.0, "ab", SHARP),
    shot(40, 0.5, "ab", SHARP),
]


def test_each_event_is_at_the_step_where_it_is_first_seen():
    found = course(SHOTS)
    assert (found.loss, found.sharpness, found.inputs) == ((4.0, 0.5), (0.25, 1.0), 4)
    assert (found.halved, found.sharpened, found.settled) == (20, 20, 30)


def test_an_output_that_was_right_once_and_left_again_is_not_settled():
    assert course(SHOTS[:3]).settled == 20
    assert course(SHOTS[:2]).settled == 10


def test_a_loss_that_is_never_halved_has_no_step_for_it():
    found = course([SHOTS[0], SHOTS[1], shot(20, 3.0, "ab", EVEN)])
    assert found.halved is None
    assert found.loss == (4.0, 3.0)
    assert found.sharpened == 0


def test_weights_that_grow_blunter_have_a_half_way_too():
    assert (
        course([shot(0, math.nan, "a", SHARP), shot(10, 1.0, "a", HALF), shot(20, 1.0, "a", EVEN)]).sharpened
        == 20
    )


def test_a_training_that_was_stopped_at_once_has_no_course():
    assert course(SHOTS[:1]) is None


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_the_time_left_is_what_the_share_done_leaves_of_the_reports_so_far(count):
    share = SHOTS[count - 1].share if count else 0
    expected = (count - 1) * (1 - share) / share if share else None
    assert seconds_left(SHOTS[:count]) == expected
