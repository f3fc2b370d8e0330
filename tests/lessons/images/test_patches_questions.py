"""The key of the exercises on the vision transformer: patches cut out in loops, sums over all ways, sorted lists."""

from itertools import product
from math import prod

import pytest

from tests.exercises.drawn import drawn, entries


def test_tokens_are_patches_in_sight_and_the_class_token():
    for exercise in drawn("patches", "tokens"):
        given, draw = exercise.draw.given, exercise.draw
        corners = list(product(range(0, given["side"], given["patch"]), repeat=2))
        assert draw.answer == len(corners[given["hidden"] :]) + 1


def test_a_patch_is_four_pixels_row_by_row():
    for exercise in drawn("patches", "embedded"):
        given, draw = exercise.draw.given, exercise.draw
        picture = entries(given["picture"])
        row, column = divmod(given["place"] - 1, len(picture) // 2)
        pixels = [picture[2 * row + i][2 * column + j] for i in (0, 1) for j in (0, 1)]
        whole = (
            sum(w * x for w, x in zip(given["w"], pixels, strict=True)) + given["bias"] + given["position"]
        )
        assert draw.answer == pytest.approx(whole)
        swapped = [picture[2 * column + i][2 * row + j] for i in (0, 1) for j in (0, 1)]
        by_columns = sum(w * (x - y) for w, x, y in zip(given["w"], swapped, pixels, strict=True))
        assert draw.mistakes["by_columns"] == pytest.approx(whole + by_columns)


def test_the_rollout_adds_up_all_ways_through_the_layers():
    for exercise in drawn("patches", "rollout", 8):
        given, draw = exercise.draw.given, exercise.draw
        layers = [entries(each) for each in given["layers"]][::-1]
        T = len(layers[0])
        found = [0.0] * T
        for way in product(range(T), repeat=len(layers)):
            steps = zip(layers, (0, *way), way, strict=False)
            found[way[-1]] += prod((layer[i][j] + (i == j)) / 2 for layer, i, j in steps)
        assert draw.answer == pytest.approx(found, abs=1e-5)


def test_the_rank_is_the_place_in_the_sorted_drops():
    for exercise in drawn("patches", "needed"):
        given, draw = exercise.draw.given, exercise.draw
        weights, drops = entries(given["maps"])
        drop = dict(zip(weights, drops, strict=True))[max(weights)]
        assert draw.answer == sorted(drops, reverse=True).index(drop) + 1
        assert draw.mistakes["other_end"] == sorted(drops).index(drop) + 1
