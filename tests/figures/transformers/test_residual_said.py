"""What is said of the stream, of luck and of cuts follows the numbers."""

import numpy as np
import torch

from core.figures.transformers.residual_norm import length_figure
from core.figures.transformers.residual_said import (
    said_of_cuts,
    said_of_directions,
    said_of_logit,
    said_of_luck,
    said_of_stream,
)
from core.models.transformers.ablated_gpt import WHOLE
from core.models.transformers.ablated_gpts import Trainings
from core.models.transformers.residual_stream import Stream, Write


def stream_of(added, before):
    """Return a stream of one token to which two parts write."""
    writes, x = [], torch.tensor([before])
    for part, vector in zip(("attention 1", "feed-forward 1"), added, strict=True):
        after = x + torch.tensor([vector])
        writes.append(Write(part, x, torch.tensor([vector]), after))
        x = after
    return Stream(torch.tensor([before]), tuple(writes), (), torch.zeros(0), x, x)


def test_the_stream_s_growth_and_the_longest_vector_are_named():
    said = said_of_stream(stream_of([[3.0, 0.0], [0.0, -4.0]], [3.0, 0.0]), 0, ["a"])
    assert "grows from 3.00 to 7.21 (× 2.4)" in said
    assert said.endswith("Feed-forward 1 writes the longest vector into it, 4.00.")


def test_parts_along_and_against_the_stream_are_counted():
    said = said_of_directions(stream_of([[1.0, 1.0], [-3.0, 0.0]], [1.0, 0.0]), 0)
    assert said.startswith("Of 2 parts, 1 writes along the stream (cosine 0 or more) and 1 against it.")
    assert "Feed-forward 1 is the farthest from a right angle: −0.89." in said


def test_a_share_that_rounds_to_nought_is_not_said_to_be_taken_away():
    assert said_of_logit(["token", "offset"], [-0.004, 3.0], "a").endswith(
        "no part takes as much as 0.01 away."
    )
    assert said_of_logit(["token", "offset"], [-0.4, 3.0], "a").endswith("token takes most away (−0.40).")


def test_a_vector_of_length_nought_has_no_place_on_the_logarithmic_axis():
    figure = length_figure(stream_of([[0.0, 0.0], [1.0, 0.0]], [1.0, 0.0]), 0, ["a"])
    assert [trace.y for trace in figure.data] == [[None, 1.0], [1.0, 1.0, 2.0]]


def trainings(whole, without, cut):
    losses = {WHOLE: [np.array(run) for run in whole], "no norm": [np.array(without)]}
    return Trainings({}, losses, {"no norm": np.array(cut)}, 25, 1024)


def test_luck_is_told_by_a_second_training_or_not_known():
    assert f"{WHOLE} 0.500." in said_of_luck(trainings([[1.0, 2.0], [1.5, 2.5]], [2.0, 3.5], [2.0, 3.0]))
    assert "not known" in said_of_luck(trainings([[1.0, 2.0]], [2.0, 3.5], [2.0, 3.0]))


def test_a_cut_is_dearer_only_where_it_costs_more_than_training_so():
    once = [[1.0, 2.0]]
    assert "in 1 of 1 cases; most with “no norm”, 2 nats a character" in said_of_cuts(
        trainings(once, [2.0, 3.0], [3.0, 4.0])
    )
    assert "in 0 of 1 cases" in said_of_cuts(trainings(once, [2.0, 3.0], [1.5, 2.5]))
