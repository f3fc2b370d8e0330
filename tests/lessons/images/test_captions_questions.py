"""The key of the exercises on captioning: plain Python, and torch's softmax."""

from math import exp

import pytest
import torch

from tests.exercises.drawn import drawn, entries


def test_the_attention_on_a_group_is_its_share_of_the_powers():
    for exercise in drawn("captions", "group"):
        given, draw = exercise.draw.given, exercise.draw
        [scores] = entries(given["scores"])
        powers = {str(i): exp(each) for i, each in enumerate(scores, 1)}
        assert draw.answer == pytest.approx(sum(powers[i] for i in given["patches"]) / sum(powers.values()))
        assert draw.mistakes["even"] == pytest.approx(len(given["patches"]) / given["n"])


def test_the_needed_patch_leaves_the_smallest_probability():
    for exercise in drawn("captions", "needed"):
        given, draw = exercise.draw.given, exercise.draw
        weights, without = entries(given["maps"])
        assert draw.answer == str(without.index(min(without)) + 1)
        assert draw.mistakes["attended"] == str(weights.index(max(weights)) + 1)
        assert draw.steps["drop"] == pytest.approx(given["whole"] - min(without)) and draw.steps["drop"] > 0


def test_the_temperature_divides_the_logits():
    for exercise in drawn("captions", "heat"):
        given, draw = exercise.draw.given, exercise.draw
        place = given["logits"].columns.index(given["word"])
        logits = torch.tensor(entries(given["logits"])[0], dtype=torch.float64)
        assert draw.answer == pytest.approx(float((logits / given["T"]).softmax(0)[place]))
        assert draw.mistakes["after"] == pytest.approx(float(logits.softmax(0)[place]) / given["T"])
