"""The key of the exercises on weight tying: parameters of torch's own modules, logits by plain Python."""

from math import exp

import pytest
from torch import nn

from tests.exercises.drawn import drawn, entries


def count(module):
    return sum(each.numel() for each in module.parameters())


def sizes(given):
    """Return the parameters of one table, of the cell and of the output's biases, as torch's modules have them."""
    layer = {"lstm": nn.LSTM, "gru": nn.GRU}[given["cell"]](given["H"], given["H"])
    return count(nn.Embedding(given["V"], given["H"])), count(layer), given["V"]


def test_the_count_is_that_of_torch_s_modules():
    for exercise in drawn("weight_tying", "count", 8):
        given, draw = exercise.draw.given, exercise.draw
        table, cell, biases = sizes(given)
        tables = 1 if given["tied"] else 2
        assert draw.answer == tables * table + cell + biases
        assert draw.mistakes["tables"] == (3 - tables) * table + cell + biases


def test_tying_saves_one_of_two_tables():
    for exercise in drawn("weight_tying", "saved", 8):
        given, draw = exercise.draw.given, exercise.draw
        table, cell, biases = sizes(given)
        assert given["left"] == table + cell + biases
        assert draw.answer == pytest.approx(table / (2 * table + cell + biases))
        assert draw.mistakes["of_tied"] == pytest.approx(table / (table + cell + biases))


def written(given, start=None):
    """Return logit and probability of each token."""
    table = entries(given["embedding"])
    h = given["h"] if start is None else start
    logits = [sum(a * b for a, b in zip(h, row, strict=False)) + row[-1] for row in table]
    return [each for z in logits for each in (z, exp(z) / sum(map(exp, logits)))]


def test_the_row_that_writes_gives_logit_and_probability():
    for exercise in drawn("weight_tying", "writing"):
        given, draw = exercise.draw.given, exercise.draw
        assert draw.answer == pytest.approx(written(given))
        read = given["embedding"].rows.index(given["read"])
        start = entries(given["embedding"])[read][:-1]
        assert draw.mistakes["reading"] == pytest.approx(written(given, start=start))
