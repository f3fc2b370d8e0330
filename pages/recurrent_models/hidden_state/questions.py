"""Exercises on recurrent cells: a unit of a plain RNN, the cell of an LSTM over a few characters, a unit of a GRU."""

from __future__ import annotations

from math import atanh, inf

import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.recurrent_language_model import StepWeights, gru_step, lstm_step, rnn_step
from core.models.recurrent_models.broken_memory import logit
from core.models.recurrent_models.gradient_flow import linear_step

WORDS = ("to", "be", "or", "the", "and", "not")
OPEN = inf  # the sum of a gate that is held at 1


def vector(*numbers: float) -> Tensor:
    """Return numbers as a vector in 64 bits."""
    return torch.tensor(numbers, dtype=torch.float64)


def draw_unit(draws: Draws, difficulty: int) -> Draw:
    """One unit of a plain RNN; mistakes: no tanh, a sigmoid instead, no old state."""
    inputs, units = (1, 1, 2)[difficulty - 1], (1, 2, 2)[difficulty - 1]
    x, h = ([draws.signed() for _ in range(n)] for n in (inputs, units))
    w_x, w_h = ([draws.signed(most=2.0) for _ in range(n)] for n in (inputs, units))
    bias = draws.signed()
    weights = StepWeights(vector(*w_x)[None], vector(*w_h)[None], vector(bias), vector(0.0))
    total = float(linear_step(vector(*x), vector(*h), weights)[0])
    alone = rnn_step(vector(*x), torch.zeros(units, dtype=torch.float64), weights)[0]
    if abs(total) < 0.2:
        return None  # tanh hardly changes it
    return Draw(
        given={"x": x, "h": h, "w_x": w_x, "w_h": w_h, "bias": bias},
        answer=rnn_step(vector(*x), vector(*h), weights)[0][0],
        mistakes={
            "linear": total,
            "sigmoid": torch.sigmoid(vector(total))[0],
            "no_state": alone[0],
        },
        steps={
            "from_x": sum(a * b for a, b in zip(w_x, x, strict=True)),
            "from_h": sum(a * b for a, b in zip(w_h, h, strict=True)),
            "total": total,
        },
    )


def run_cell(sums: Tensor, begun: float) -> Tensor:
    """Return c and h of one LSTM unit after each step, (T, 2); the sums of i, f, g and o are (T, 4)."""
    nothing = torch.zeros(4, 1, dtype=torch.float64)
    h, c, found = vector(0.0), vector(begun), []
    for row in sums:
        h, gates = lstm_step(vector(0.0), h, c, StepWeights(nothing, nothing, row, torch.zeros_like(row)))
        c = gates["c"]
        found.append(torch.cat((c, h)))
    return torch.stack(found)


def draw_cell(draws: Draws, difficulty: int) -> Draw:
    """The cell and the state over a few characters; mistakes: swap i and f, forget nothing, write all, no tanh of c."""
    letters = ("a",) if difficulty == 1 else draws.choose([each for each in WORDS if len(each) == difficulty])
    begun = draws.signed(0.5, 2.0)
    open_ones = [[draws.decimal(0.1, 0.9) for _ in "ifo"] for _ in letters]
    gates = [[i, f, draws.signed(), o] for i, f, o in open_ones]
    sums = torch.stack([vector(logit(i), logit(f), atanh(g), logit(o)) for i, f, g, o in gates])
    held = {name: sums.clone() for name in ("i", "f")}
    held["i"][:, 0], held["f"][:, 1] = OPEN, OPEN
    right = run_cell(sums, begun)
    bare = torch.stack((right[:, 0], vector(*(row[3] for row in gates)) * right[:, 0]), 1)
    i, f, g, o = gates[0]
    return Draw(
        given={
            "gates": Table(tuple(letters), ("i", "f", "g", "o"), gates),
            "begun": begun,
            "n": len(letters),
        },
        answer=right.flatten(),
        mistakes={
            "swapped": run_cell(sums[:, [1, 0, 2, 3]], begun).flatten(),
            "kept": run_cell(held["f"], begun).flatten(),
            "written": run_cell(held["i"], begun).flatten(),
            "no_tanh": bare.flatten(),
        },
        steps={"i": i, "f": f, "g": g, "o": o, "c": float(right[0, 0]), "h": float(right[0, 1])},
        table=Table(tuple(letters), ("c", "h"), [[None, None] for _ in letters]),
    )


def draw_gru(draws: Draws, difficulty: int) -> Draw:
    """One unit of a GRU; mistakes: swap z and 1 - z, add the whole proposal, propose with all of the past."""
    r, z = draws.decimal(0.1, 0.9), draws.decimal(0.1, 0.9)
    r_sum, z_sum = draws.signed(0.5, 2.5), draws.signed(0.5, 2.5)
    sums = {"r": logit(r) if difficulty < 3 else r_sum, "z": logit(z) if difficulty < 2 else z_sum}
    from_x, from_h, old = draws.signed(most=1.5), draws.signed(0.5, 2.0), draws.signed()

    def step(r: float, z: float) -> tuple[Tensor, dict]:
        nothing = torch.zeros(3, 1, dtype=torch.float64)
        weights = StepWeights(nothing, nothing, vector(r, z, from_x), vector(0.0, 0.0, from_h))
        return gru_step(vector(0.0), vector(old), weights)

    right, gates = step(**sums)
    return Draw(
        given={
            "from_x": from_x,
            "from_h": from_h,
            "old": old,
            "reset": ("r", r) if difficulty < 3 else ("σ", r_sum),
            "update": ("z", z) if difficulty < 2 else ("σ", z_sum),
        },
        answer=right[0],
        mistakes={
            "swapped": step(sums["r"], -sums["z"])[0][0],
            "whole": (gates["n"] + gates["z"] * old)[0],
            "no_reset": step(OPEN, sums["z"])[0][0],
        },
        steps={name: float(gate) for name, gate in gates.items()},
    )


MAKERS = (Maker(draw_unit), Maker(draw_cell), Maker(draw_gru))
