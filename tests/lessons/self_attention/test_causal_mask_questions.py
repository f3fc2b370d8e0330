"""The key of the exercises on the causal mask: plain Python, cell by cell."""

from math import exp

import pytest

from tests.exercises.drawn import drawn, entries


def test_weights_are_shared_by_the_visible_tokens():
    for exercise in drawn("causal_mask", "weights"):
        draw, weights, late = exercise.draw, [], []
        for t, row in enumerate(entries(exercise.draw.given["scores"])):
            powers = [exp(each) if s <= t else 0 for s, each in enumerate(row)]
            weights += [each / sum(powers) for each in powers]
            late += [each / sum(map(exp, row)) for each in powers]
        assert draw.answer == pytest.approx(weights)
        assert draw.mistakes["late"] == pytest.approx(late)


def test_hidden_cells_are_those_of_a_future_or_a_padding_token():
    for exercise in drawn("causal_mask", "hidden"):
        draw, T, padding = exercise.draw, exercise.draw.given["T"], exercise.draw.given["padding"]
        cells = [(t, s) for t in range(T) for s in range(T)]
        assert draw.answer == sum(s > t or s >= T - padding for t, s in cells)
        assert draw.mistakes["diagonal"] == sum(s >= t or s >= T - padding for t, s in cells)
        assert draw.mistakes["filling"] == sum(s >= T - padding for t, s in cells)


def test_a_masked_zero_counts_as_one():
    for exercise in drawn("causal_mask", "leak"):
        draw, scores, future = exercise.draw, exercise.draw.given["scores"], exercise.draw.given["future"]
        assert len(scores) == draw.given["row"]
        assert draw.answer == pytest.approx(len(future) / (len(future) + sum(map(exp, scores))))
        total = sum(map(exp, [*scores, *future]))
        assert draw.mistakes["unmasked"] == pytest.approx(sum(map(exp, future)) / total)
