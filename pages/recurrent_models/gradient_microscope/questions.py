"""Exercises on vanishing and exploding gradients: what is left, the spectral radius, the open gate, and clipping."""

from __future__ import annotations

import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.recurrent_language_model import StepWeights, lstm_step
from core.models.recurrent_models.chain_rule import backpropagated
from core.models.recurrent_models.clipping import clip_factor
from core.models.recurrent_models.drawn_weights import spectral_radius

LENGTHS = {
    2: ((3, 4), (5, 12), (8, 15)),
    3: ((1, 2, 2), (2, 3, 6), (1, 4, 8), (2, 6, 9)),
    4: ((1, 1, 3, 5), (2, 4, 5, 6)),
}
ENTRIES = ("g₁", "g₂", "g₃", "g₄")


def left_after(weight: float, states: list[float]) -> float:
    """Return the share of the gradient that arrives at the first state of an RNN of one unit."""
    hidden = torch.tensor(states, dtype=torch.float64)[:, None]
    one = torch.ones(1, dtype=torch.float64)
    return float(backpropagated(weight * one[None], hidden, one)[0, 0])


def draw_left(draws: Draws, difficulty: int) -> Draw:
    """The share that is left; mistakes: leave out the slopes, go one step too few, multiply the factor by the steps."""
    back = draws.integer(*((2, 3), (4, 5), (6, 8))[difficulty - 1])
    weight, h = draws.decimal(0.7, 1.5), draws.decimal(0.1, 0.6)
    factor = left_after(weight, [h, h])
    return Draw(
        given={"weight": weight, "h": h, "back": back},
        answer=left_after(weight, [h] * (back + 1)),
        mistakes={
            "slopes": left_after(weight, [0.0] * (back + 1)),
            "one_short": left_after(weight, [h] * back),
            "times": back * factor,
        },
        steps={"slope": 1 - h**2, "factor": factor},
        digits=4,
    )


def draw_radius(draws: Draws, difficulty: int) -> Draw | None:
    """The spectral radius of two units; mistakes: the largest entry, the largest row sum, the determinant."""
    a, b, _c, d = (draws.signed(0.1, 1.5) for _ in range(4))
    rows = {1: ((a, b), (0.0, d)), 2: ((a, b), (b, d)), 3: ((a, b), (-b, a))}[difficulty]
    W = torch.tensor(rows, dtype=torch.float64)
    values = torch.linalg.eigvals(W)
    first, second = sorted((complex(each) for each in values), key=lambda each: (-abs(each), -each.imag))
    if difficulty < 3 and abs(abs(first) - abs(second)) < 0.1:
        return None
    return Draw(
        given={"weights": Table(("unit 1", "unit 2"), ("unit 1", "unit 2"), W.tolist(), "W_h")},
        answer=spectral_radius(W),
        mistakes={
            "entry": W.abs().max(),
            "row_sum": W.abs().sum(1).max(),
            "determinant": torch.linalg.det(W).abs(),
        },
        steps={
            "real": [first.real, second.real],
            "imaginary": first.imag,
            "is_real": difficulty < 3,
            "trace": float(W.trace()),
            "product": float(torch.linalg.det(W)),
        },
        digits=2,
    )


def gates_of(sums: list[float]) -> list[float]:
    """Return the forget gate of one LSTM unit at each step from the sum before its sigmoid."""
    nothing, zero = torch.zeros(4, 1, dtype=torch.float64), torch.zeros(1, dtype=torch.float64)
    found = []
    for each in sums:
        bias = torch.tensor([0.0, each, 0.0, 0.0], dtype=torch.float64)
        found.append(
            float(lstm_step(zero, zero, zero, StepWeights(nothing, nothing, bias, 0 * bias))[1]["f"])
        )
    return found


def draw_gate(draws: Draws, difficulty: int) -> Draw:
    """What passes along the cell; mistakes: multiply what is forgotten, add the gates, take the last gate alone."""
    sums = [draws.decimal(-1.0, 4.0) for _ in range(difficulty + 1)]
    gates = torch.tensor(gates_of(sums), dtype=torch.float64)
    return Draw(
        given={"sums": sums, "n": len(sums)},
        answer=gates.prod(),
        mistakes={"forgotten": (1 - gates).prod(), "added": gates.sum(), "last_only": gates[-1]},
        steps={
            "gates": gates,
        },
    )


def draw_clipped(draws: Draws, difficulty: int) -> Draw:
    """A clipped gradient; mistakes: clip each entry, add up the entries for the length, forget to divide by it."""
    entries = draws.shuffle(draws.choose(LENGTHS[difficulty + 1]))
    scale = draws.choose((0.5, 1, 2))
    gradient = torch.tensor([draws.choose((-1, 1)) * each * scale for each in entries], dtype=torch.float64)
    clip = draws.choose((0.5, 1.0, 2.0, 2.5))
    norm = float(gradient.norm())
    total = float(gradient.abs().sum())
    if clip >= norm:
        return None  # nothing would be clipped
    names = ENTRIES[: len(entries)]
    return Draw(
        given={"gradient": Table(("g",), names, [gradient.tolist()]), "clip": clip},
        answer=gradient * clip_factor(norm, clip),
        mistakes={
            "each": gradient.clamp(-clip, clip),
            "sum": gradient * clip_factor(total, clip),
            "squared": gradient * clip_factor(norm**2, clip),
        },
        steps={
            "squares": float(gradient.square().sum()),
            "norm": norm,
            "sum": total,
            "factor": clip_factor(norm, clip),
        },
        table=Table(("g",), names, [[None] * len(names)]),
    )


MAKERS = (Maker(draw_left), Maker(draw_radius), Maker(draw_gate), Maker(draw_clipped))
