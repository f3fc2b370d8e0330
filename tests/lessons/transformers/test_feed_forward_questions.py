"""The key of the exercises on the feed-forward layer: GELU from the normal distribution, and plain sums."""

from math import exp
from statistics import NormalDist, mean

import pytest

from tests.exercises.drawn import drawn, entries

NORMAL = NormalDist()


def dot(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def test_the_layer_adds_values_times_activations():
    for exercise in drawn("feed_forward", "output"):
        draw, given = exercise.draw, exercise.draw.given
        sums = [(dot(given["x"].tolist(), k), v) for _, k, v in given["neurons"]]
        added = [sum(z * NORMAL.cdf(z) * v[i] for z, v in sums) for i in range(2)]
        assert draw.answer == pytest.approx(added, abs=0.01)  # ours is GELU's usual approximation
        for z, a in zip(given["curve"].columns, entries(given["curve"])[0], strict=True):
            assert a == pytest.approx(
                float(z.replace("−", "-")) * NORMAL.cdf(float(z.replace("−", "-"))), abs=0.001
            )


def test_the_activations_of_the_table_give_the_answer():
    for exercise in drawn("feed_forward", "output"):
        draw, given = exercise.draw, exercise.draw.given
        gelu = dict(zip(range(-3, 4), entries(given["curve"])[0], strict=True))
        by_hand = [
            sum(gelu[dot(given["x"].tolist(), k)] * v[i] for _, k, v in given["neurons"]) for i in range(2)
        ]
        assert exercise.is_right(tuple(round(each, 2) for each in by_hand)), draw.answer


def test_a_value_promotes_what_fits_it_better_than_the_mean_token():
    for exercise in drawn("feed_forward", "promoted"):
        draw, given = exercise.draw, exercise.draw.given
        fits = [dot(row, given["v"].tolist()) for row in entries(given["embeddings"])]
        assert draw.answer == pytest.approx([fit - mean(fits) for fit in fits])
        assert sum(draw.answer) == pytest.approx(0, abs=1e-9)


def test_without_a_neuron_its_row_is_left_out():
    for exercise in drawn("feed_forward", "silent"):
        draw, given = exercise.draw, exercise.draw.given
        rows = entries(given["pushes"])
        del rows[given["neuron"] - 1]
        powers = [exp(sum(column)) for column in zip(*rows, strict=True)]
        assert draw.answer == pytest.approx(
            powers[given["pushes"].columns.index(given["token"])] / sum(powers)
        )
