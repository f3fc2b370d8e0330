"""The key of the exercises on patching: exact fractions, and paths through a drawn network."""

from fractions import Fraction
from itertools import product

import pytest

from tests.exercises.drawn import drawn, entries


def exact(x):
    return Fraction(str(x))


def test_restored_is_the_way_from_one_difference_to_the_other():
    for exercise in drawn("patching", "restored"):
        draw = exercise.draw
        A, B, patched = (exact(a) - exact(b) for a, b in zip(*entries(draw.given["z"]), strict=True))
        assert draw.answer == pytest.approx(float(1 - (A - patched) / (A - B)))
        assert draw.mistakes["share"] == pytest.approx(float(patched / A))


def test_a_head_restores_its_own_difference():
    for exercise in drawn("patching", "head"):
        draw = exercise.draw
        gains = [exact(a) - exact(b) for a, b in entries(draw.given["heads"])]
        assert draw.answer == pytest.approx(float(gains[draw.given["head"] - 1] / sum(gains)))
        assert draw.answer + draw.mistakes["others"] == pytest.approx(1)


def test_a_change_reaches_what_a_path_leads_to():
    for exercise in drawn("patching", "reach"):
        draw, given = exercise.draw, exercise.draw.given
        reached, front = set(), {given["place"]}
        for layer in range(given["layer"] + 1, given["layers"] + 1):
            pairs = product(front, range(1, given["T"] + 1))
            front = {later for earlier, later in pairs if later >= earlier}
            reached |= {(layer, token) for token in front}
        assert draw.answer == len(reached)
