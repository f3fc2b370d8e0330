"""Exercises on scaled dot-product attention: the table of weights, the spread of scores, and the gradient."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.attention import AttentionTrace, attend
from core.models.self_attention.attention_scaling import jacobian

NAMES = ("k₁", "k₂", "k₃")
COLUMNS = ("q·k", "q·k / √d", "a")


def draw_weights(draws: Draws, difficulty: int) -> Draw:
    """Scores, scaled scores and weights; mistakes: no division, divide by d, divide after the softmax."""
    d, most = (9, 1) if difficulty == 3 else (4, 2)
    names = NAMES[: 2 if difficulty == 1 else 3]
    query = [draws.integer(-most, most) for _ in range(d)]
    keys = [[draws.integer(-most, most) for _ in range(d)] for _ in names]
    q, k = torch.tensor([query], dtype=torch.float64), torch.tensor(keys, dtype=torch.float64)
    right, whole = attend(q, k, k, 1 / math.sqrt(d)), attend(q, k, k)
    return Draw(
        given={"vectors": Table(("q", *names), [f"{i + 1}" for i in range(d)], [query, *keys]), "d": d},
        answer=columns(right, right.weights),
        mistakes={
            "unscaled": columns(whole, whole.weights),
            "by_d": columns(by_d := attend(q, k, k, 1 / d), by_d.weights),
            "after": columns(right, whole.weights / math.sqrt(d)),
        },
        steps={
            "root": int(math.sqrt(d)),
            "products": [a * b for a, b in zip(query, keys[0], strict=True)],
            "score": int(right.scores[0, 0]),
            "scaled": right.scaled[0],
            "exponentials": right.scaled[0].exp(),
            "total": float(right.scaled[0].exp().sum()),
            "first": float(right.weights[0, 0]),
        },
        table=Table(names, COLUMNS, [[None] * 3 for _ in names]),
    )


def columns(trace: AttentionTrace, weights: Tensor) -> Tensor:
    """Return the table's entries row by row: of each key its score, what the softmax reads, and its weight."""
    return torch.stack([trace.scores[0], trace.scaled[0], weights[0]], 1).flatten()  # (3 S,)


def draw_spread(draws: Draws, difficulty: int) -> Draw:
    """The standard deviation of q·k; mistakes: give the variance, add standard deviations, give that of one product."""
    d = draws.choose(((4, 9, 16, 25), (36, 49, 64, 100), (20, 50, 80, 128))[difficulty - 1])
    of_query, of_key = draws.choose((0.5, 1.5, 2.0, 3.0)), draws.choose((0.5, 1.5, 2.0, 3.0))
    product = of_query * of_key  # standard deviation of one product
    return Draw(
        given={"d": d, "of_query": of_query, "of_key": of_key},
        answer=math.sqrt(d * product**2),
        mistakes={"variance": d * product**2, "added": d * product, "one": product},
        steps={"product": product, "root": math.sqrt(d)},
        digits=2,
    )


def draw_gradient(draws: Draws, difficulty: int) -> Draw:
    """A derivative of a weight; mistakes: forget the division's factor, take the wrong sign, leave out the other weight."""
    d = draws.choose((4, 16, 64))
    weights = draws.distribution(difficulty + 1)
    i = draws.integer(0, difficulty)
    j = i if difficulty == 1 else draws.integer(0, difficulty)
    a = torch.tensor(weights, dtype=torch.float64)
    through = float(jacobian(a)[i, j])
    factor = 1.0 if i == j else 0.0
    return Draw(
        given={"d": d, "weights": weights, "i": i + 1, "j": j + 1},
        answer=through / math.sqrt(d),
        mistakes={
            "unscaled": through,
            "sign": -through / math.sqrt(d),
            "alone": weights[i] / math.sqrt(d),
        },
        steps={
            "root": int(math.sqrt(d)),
            "through": through,
            "factor": factor,
            "ai": weights[i],
            "aj": weights[j],
        },
        digits=4,
    )


MAKERS = (Maker(draw_weights), Maker(draw_spread), Maker(draw_gradient))
