"""The key of the exercises on vanishing gradients: differences of a reading, powers of a matrix, torch's own clipping."""

from math import exp, prod, tanh

import numpy as np
import pytest
import torch

from tests.exercises.drawn import drawn, entries


def test_what_is_left_is_the_change_of_the_last_state_of_an_rnn_whose_state_stays():
    step = 1e-6
    for exercise in drawn("gradient_microscope", "left"):
        given, draw = exercise.draw.given, exercise.draw
        w, h = given["weight"], given["h"]

        def last(first, w=w, h=h, back=given["back"]):
            state = first
            for _ in range(back):
                state = tanh(np.arctanh(h) + w * (state - h))
            return state

        assert draw.answer == pytest.approx((last(h + step) - last(h - step)) / (2 * step), rel=1e-4)
        assert draw.mistakes["slopes"] == pytest.approx(w ** given["back"])


def test_the_spectral_radius_is_how_fast_powers_of_the_matrix_grow():
    for exercise in drawn("gradient_microscope", "radius"):
        W = np.array(entries(exercise.draw.given["weights"]))
        log, power = 0.0, np.eye(2)
        for _ in range(4000):
            power = power @ W
            size = np.linalg.norm(power)
            log, power = log + np.log(size), power / size
        assert exercise.draw.answer == pytest.approx(exp(log / 4000), abs=0.005)


def test_the_cell_passes_the_product_of_the_gates():
    for exercise in drawn("gradient_microscope", "gate"):
        given, draw = exercise.draw.given, exercise.draw
        assert draw.answer == pytest.approx(1 / prod(1 + exp(-each) for each in given["sums"]))


def test_clipping_is_that_of_torch():
    for exercise in drawn("gradient_microscope", "clipped"):
        given, draw = exercise.draw.given, exercise.draw
        parameter = torch.nn.Parameter(torch.zeros(len(draw.answer), dtype=torch.float64))
        parameter.grad = torch.tensor(entries(given["gradient"])[0], dtype=torch.float64)
        torch.nn.utils.clip_grad_norm_(parameter, given["clip"])
        assert draw.answer == pytest.approx(parameter.grad.tolist(), abs=1e-5)
