"""The key of the exercises on attention scores: torch's bilinear layer, plain Python, and counting in loops."""

from math import tanh

import pytest
import torch

from tests.exercises.drawn import drawn, entries


def test_a_general_score_is_torch_s_bilinear():
    for exercise in drawn("translation_race", "general"):
        given, draw = exercise.draw.given, exercise.draw
        h, state = (torch.tensor([given[name]]).double() for name in ("h", "state"))
        W = torch.tensor([entries(given["matrix"])]).double()
        assert draw.answer == int(torch.nn.functional.bilinear(h, state, W))
        assert draw.mistakes["dot"] == sum(a * b for a, b in zip(given["h"], given["state"], strict=True))


def test_an_additive_score_is_a_small_network():
    for exercise in drawn("translation_race", "additive"):
        given, draw = exercise.draw.given, exercise.draw
        h, state, v = (given[name].tolist() for name in ("h", "state", "v"))
        inside = [
            sum(w * x for w, x in zip([*row_w, *row_u], [*h, *state], strict=True))
            for row_w, row_u in zip(given["W"], given["U"], strict=True)
        ]
        assert draw.answer == pytest.approx(sum(a * tanh(b) for a, b in zip(v, inside, strict=True)))


def test_the_cost_is_what_loops_count():
    for exercise in drawn("translation_race", "cost", 4):
        given, draw = exercise.draw.given, exercise.draw
        T, S, H = (given[name] for name in "TSH")
        times = 0
        for _ in range(S + (T if given["score"] == "additive" else 0)):
            for _ in range(H):
                times += H
        for _ in range(T):
            for _ in range(S):
                times += H
        assert draw.answer == times
