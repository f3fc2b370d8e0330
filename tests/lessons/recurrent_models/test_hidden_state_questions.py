"""The key of the exercises on recurrent cells: torch's own cells for the RNN, plain Python for the gates."""

from math import exp, tanh

import pytest
import torch

from tests.exercises.drawn import drawn, entries


def sigmoid(x):
    return 1 / (1 + exp(-x))


def test_a_unit_is_that_of_torch_s_cell():
    for exercise in drawn("hidden_state", "unit"):
        given, draw = exercise.draw.given, exercise.draw
        cell = torch.nn.RNNCell(len(given["x"]), len(given["h"])).double().requires_grad_(False)
        cell.weight_ih[:], cell.weight_hh[:] = (torch.tensor(given[name]).double() for name in ("w_x", "w_h"))
        cell.bias_ih[:], cell.bias_hh[:] = given["bias"], 0
        x, h = (torch.tensor(given[name], dtype=torch.float64)[None] for name in ("x", "h"))
        assert draw.answer == pytest.approx(float(cell(x, h)[0, 0]), abs=1e-6)
        assert tanh(draw.mistakes["linear"]) == pytest.approx(draw.answer)


def read(given, keep=None, write=None):
    """Return c and h after each character, the gates as given or held."""
    c, found = given["begun"], []
    for i, f, g, o in entries(given["gates"]):
        c = (f if keep is None else keep) * c + (i if write is None else write) * g
        found += [c, o * tanh(c)]
    return found


def test_the_cell_keeps_and_writes_and_the_state_shows():
    for exercise in drawn("hidden_state", "cell"):
        given, draw = exercise.draw.given, exercise.draw
        assert draw.answer == pytest.approx(read(given))
        assert draw.mistakes["kept"] == pytest.approx(read(given, keep=1))
        assert draw.mistakes["written"] == pytest.approx(read(given, write=1))


def test_a_gru_mixes_the_proposal_and_the_past():
    for exercise in drawn("hidden_state", "gru"):
        given, draw = exercise.draw.given, exercise.draw
        r, z = (sigmoid(value) if name == "σ" else value for name, value in (given["reset"], given["update"]))
        n = tanh(given["from_x"] + r * given["from_h"])
        assert draw.answer == pytest.approx(n + z * (given["old"] - n))
        assert draw.mistakes["swapped"] == pytest.approx(given["old"] + z * (n - given["old"]))
