"""The key of the exercises on masked language modelling: plain Python on the tables, and tokens counted one by one."""

from math import exp, prod

import pytest

from tests.exercises.drawn import drawn, entries


def test_the_loss_is_the_logarithm_of_the_geometric_mean_of_drawn_places():
    for exercise in drawn("masked_words", "loss"):
        fates, p = entries(exercise.draw.given["text"])
        counted = [each for fate, each in zip(fates, p, strict=True) if fate]
        assert exp(-exercise.draw.answer) == pytest.approx(prod(counted) ** (1 / len(counted)))
        assert exp(-exercise.draw.mistakes["everywhere"]) == pytest.approx(prod(p) ** (1 / len(p)))


def test_fates_are_shares_of_the_drawn_tokens():
    for exercise in drawn("masked_words", "fates"):
        given, draw = exercise.draw.given, exercise.draw
        share = {"mask": 0.12, "other": 0.015, "kept": 0.015}[given["fate"]]
        assert draw.answer == pytest.approx(share * given["tokens"])


def test_a_masked_model_reads_all_visible_tokens_and_a_causal_one_those_before():
    for exercise in drawn("masked_words", "reads"):
        given, draw = exercise.draw.given, exercise.draw
        visible = [t for t in range(1, given["T"] + 1) if t not in given["gaps"]]
        read = visible if given["masked"] else [t for t in visible if t < given["at"]]
        assert draw.answer == len(read)
        assert draw.mistakes["right"] == sum(t > given["at"] for t in visible)
