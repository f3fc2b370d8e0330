"""Exercises on backpropagation through time: the last gradient, the way back, and the gradient of the weights."""

from __future__ import annotations

import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.recurrent_models.chain_rule import backpropagated, last_gradient, weight_gradients

UNITS, STATES, LETTERS = ("unit 1", "unit 2", "unit 3"), ("h₁", "h₂", "h₃", "h₄"), "abcd"


def draw_matrix(draws: Draws, rows: int, columns: int, most: float = 0.9) -> Tensor:
    """Return a matrix of tenths, none of them 0."""
    numbers = [[draws.signed(0.1, most) for _ in range(columns)] for _ in range(rows)]
    return torch.tensor(numbers, dtype=torch.float64)


def draw_last_gradient(draws: Draws, difficulty: int) -> Draw:
    """One entry of E^T (p - y); mistakes: take y - p, forget y, count the right token only."""
    tokens = tuple(LETTERS[: difficulty + 1])
    E, p = (
        draw_matrix(draws, len(tokens), 2),
        torch.tensor(draws.distribution(len(tokens)), dtype=torch.float64),
    )
    target, unit = draws.integer(0, len(tokens) - 1), draws.integer(0, 1)
    right_row = torch.zeros_like(E)
    right_row[target] = E[target]
    y = [1.0 if k == target else 0.0 for k in range(len(tokens))]
    return Draw(
        given={
            "embedding": Table(
                tokens, ("E, unit 1", "E, unit 2", "p"), torch.cat((E, p[:, None]), 1).tolist()
            ),
            "target": tokens[target],
            "unit": unit + 1,
        },
        answer=last_gradient(E, p, target)[unit],
        mistakes={
            "sign": -last_gradient(E, p, target)[unit],
            "no_target": (E.T @ p)[unit],
            "right_only": last_gradient(right_row, p, target)[unit],
        },
        steps={
            "errors": [float(each) for each in p - torch.tensor(y, dtype=torch.float64)],
            "column": E[:, unit],
            "p_target": float(p[target]),
            "e_target": float(E[target, unit]),
        },
    )


def draw_way_back(draws: Draws, difficulty: int) -> Draw:
    """The gradient at every state; mistakes: leave out the slopes, read W_h by rows, take the slopes of the state before."""
    units, steps = (3 if difficulty == 3 else 2), (2 if difficulty == 1 else 3)
    W_h, hidden = draw_matrix(draws, units, units), draw_matrix(draws, steps, units)
    last = draw_matrix(draws, 1, units)[0]
    right = backpropagated(W_h, hidden, last)
    slopes = 1 - hidden[-1] ** 2
    columns = STATES[:steps]
    blank = [[None] * (steps - 1) + [float(each)] for each in last]

    def cells(gradients: Tensor) -> Tensor:
        return gradients[:-1].T.flatten()

    return Draw(
        given={
            "W_h": Table(UNITS[:units], UNITS[:units], W_h.tolist(), "W_h"),
            "hidden": Table(UNITS[:units], columns, hidden.T.tolist(), "h"),
            "last_state": steps,
        },
        answer=cells(right),
        mistakes={
            "slopes": cells(backpropagated(W_h, torch.zeros_like(hidden), last)),
            "transposed": cells(backpropagated(W_h.T, hidden, last)),
            "state_before": cells(backpropagated(W_h, hidden.roll(1, 0), last)),
        },
        steps={
            "slopes": [round(float(each), 4) for each in slopes],
            "before": [round(float(each), 4) for each in 1 - hidden[-2] ** 2],
            "products": slopes * last,
            "into": W_h[:, 0],
            "row": W_h[0],
            "first": float(right[-2, 0]),
        },
        table=Table(UNITS[:units], columns, blank, "∂L/∂h"),
    )


def draw_weights(draws: Draws, difficulty: int) -> Draw:
    """dL/dW_h of one unit, the sum over the steps; mistakes: the last step only, each step's own state, no slopes."""
    steps = 4 if difficulty == 3 else 3
    hidden, gradients = draw_matrix(draws, steps, 1), draw_matrix(draws, steps, 1)
    weight = draw_matrix(draws, 1, 1)
    if difficulty > 1:
        gradients = backpropagated(weight, hidden, gradients[-1])
    parts = weight_gradients(hidden, gradients).flatten()
    before = torch.cat((torch.zeros(1, 1, dtype=torch.float64), hidden[:-1]))
    return Draw(
        given={
            "hidden": Table(("h",), STATES[:steps], hidden.T.tolist()),
            "gradients": Table(("∂L/∂h",), STATES[:steps], gradients.T.tolist()),
            "weight": float(weight),
            "last": float(gradients[-1]),
            "all_given": difficulty == 1,
            "T": steps,
        },
        answer=parts.sum(),
        mistakes={
            "last_step": parts[-1],
            "own_state": ((1 - hidden**2) * gradients * hidden).sum(),
            "slopes": (gradients * before).sum(),
        },
        steps={
            "terms": [
                (round(1 - float(h) ** 2, 4), float(g), float(b), float(part), t)
                for t, (h, g, b, part) in enumerate(zip(hidden, gradients, before, parts, strict=True), 1)
            ],
        },
    )


MAKERS = (Maker(draw_last_gradient), Maker(draw_way_back), Maker(draw_weights))
