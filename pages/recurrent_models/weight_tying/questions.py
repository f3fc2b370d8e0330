"""Exercises on weight tying: count a model's parameters, what tying saves, and a row that reads and writes."""

from __future__ import annotations

import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.recurrent_language_model import RecurrentConfig
from core.models.recurrent_models.weight_tying import recurrent_parameters, without_row

GATES = {"gru": 3, "lstm": 4}
TOKENS = ("a", "b", "c")


def draw_shape(draws: Draws, difficulty: int) -> RecurrentConfig:
    """Return the shape of a recurrent language model."""
    V = (draws.integer(20, 60), draws.integer(60, 250), 1000 * draws.integer(1, 50))[difficulty - 1]
    H = (draws.integer(3, 9), draws.integer(10, 40), 10 * draws.integer(8, 32))[difficulty - 1]
    return RecurrentConfig(V, draws.choose(tuple(GATES)), H)


def draw_count(draws: Draws, difficulty: int) -> Draw:
    """All parameters; mistakes: count the output matrix as if it were (not) tied, one gate alone, one bias vector."""
    shape, tied = draw_shape(draws, difficulty), draws.choose((True, False))
    parts = recurrent_parameters(shape, tied)
    plain = recurrent_parameters(RecurrentConfig(shape.vocabulary_size, "rnn", shape.width), tied)
    total = sum(parts.values())
    return Draw(
        given={
            "V": shape.vocabulary_size,
            "H": shape.width,
            "gates": GATES[shape.cell],
            "cell": shape.cell,
            "tied": tied,
        },
        answer=total,
        mistakes={
            "tables": sum(recurrent_parameters(shape, not tied).values()),
            "one_gate": sum(plain.values()),
            "one_bias": total - parts["biases of the cell"] // 2,
        },
        steps={
            "embedding": parts["embedding"],
            "cell_size": parts["W_x"] + parts["W_h"] + parts["biases of the cell"],
            "per_gate": plain["W_x"] + plain["W_h"] + plain["biases of the cell"],
        },
    )


def draw_saved(draws: Draws, difficulty: int) -> Draw:
    """The share that tying saves; mistakes: divide by the tied model, count both tables, add two tables to the tied."""
    shape = draw_shape(draws, difficulty)
    untied, tied = recurrent_parameters(shape, tied=False), recurrent_parameters(shape)
    saved, total, left = untied["output matrix"], sum(untied.values()), sum(tied.values())
    return Draw(
        given={"V": shape.vocabulary_size, "H": shape.width, "left": left, "cell": shape.cell},
        answer=saved / total,
        mistakes={
            "of_tied": saved / left,
            "both": (untied["embedding"] + saved) / total,
            "two_more": saved / (left + untied["embedding"] + saved),
        },
        steps={"saved": saved, "total": total},
    )


def probabilities(h: Tensor, E: Tensor, b: Tensor) -> Tensor:
    """Return the logits and probabilities of a tied output, row by row, (2 V,)."""
    z = h @ E.T + b
    return torch.stack((z, z.softmax(0)), 1).flatten()


def draw_writing(draws: Draws, difficulty: int) -> Draw:
    """Logits and probabilities; mistakes: leave out the biases, compare the row just read, erase the row when writing."""
    tokens, width = TOKENS[: 2 if difficulty == 1 else 3], 3 if difficulty == 3 else 2
    rows = [[draws.integer(-2, 2) for _ in range(width)] for _ in tokens]
    h_list = [draws.signed() for _ in range(width)]
    biases = [draws.signed() for _ in tokens]
    read, erased = draws.integer(0, len(tokens) - 1), draws.integer(0, len(tokens) - 1)
    E, b, h = (torch.tensor(each, dtype=torch.float64) for each in (rows, biases, h_list))
    right = probabilities(h, E, b)
    names = tuple(f"E, {i + 1}" for i in range(width))
    return Draw(
        given={
            "embedding": Table(
                tokens, (*names, "b"), [[*row, bias] for row, bias in zip(rows, biases, strict=True)]
            ),
            "h": h_list,
            "read": tokens[read],
            "erased": tokens[erased],
        },
        answer=right,
        mistakes={
            "bias": probabilities(h, E, 0 * b),
            "reading": probabilities(E[read], E, b),
            "erased": probabilities(h, without_row(E, erased), b),
        },
        steps={
            "products": h * E[0],
            "bias": biases[0],
            "first": float(right[0]),
            "power": float(right[0].exp()),
            "total": float(right[::2].exp().sum()),
            "p": float(right[1]),
            "row": rows[read],
            "erased_row": rows[erased],
            "erased_logit": float(right[2 * erased]),
        },
        table=Table(tokens, ("z", "p"), [[None, None] for _ in tokens]),
    )


MAKERS = (Maker(draw_count), Maker(draw_saved), Maker(draw_writing))
