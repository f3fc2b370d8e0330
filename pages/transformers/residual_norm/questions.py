"""Exercises on residual connections and norms: a layer norm, the length of a sum, and where a norm and a path stand."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.transformers.ablated_gpt import FORMS, WHOLE, Form


def norm(x: Tensor) -> Tensor:
    """Return the layer-normalised copy of a vector, without gain and offset."""
    return functional.layer_norm(x, x.shape, eps=0.0)


def draw_vector(draws: Draws, size: int, most: int) -> Tensor:
    """Return a vector of random whole numbers."""
    return torch.tensor([draws.integer(-most, most) for _ in range(size)], dtype=torch.float64)


def draw_norm(draws: Draws, difficulty: int) -> Draw | None:
    """A layer norm; mistakes: the mean stays, divide by the variance, divide by n − 1 under the root."""
    C = 3 if difficulty == 1 else 4
    x = draw_vector(draws, C, 6)
    gain = torch.tensor([1.0] * C if difficulty < 3 else [draws.choose((0.5, 1.5, 2.0)) for _ in range(C)])
    centred, variance = x - x.mean(), x.var(unbiased=False)
    if variance == 0:
        return None
    return Draw(
        given={"x": x.int(), "gain": gain, "C": C, "has_gain": difficulty == 3},
        answer=norm(x) * gain,
        mistakes={
            "uncentred": x / variance.sqrt() * gain,
            "variance": centred / variance * gain,
            "sample": centred / x.std() * gain,
        },
        steps={
            "mean": float(x.mean()),
            "centred": centred,
            "squares": float((centred**2).sum()),
            "variance": float(variance),
            "sigma": float(variance.sqrt()),
            "first": float((norm(x) * gain)[0]),
        },
        table=Table(("x̂",), [str(i + 1) for i in range(C)], [[None] * C]),
    )


def draw_sum(draws: Draws, difficulty: int) -> Draw | None:
    """The length of stream plus vector; mistakes: add the lengths, take a right angle, take the opposite direction."""
    stream, added = (draws.decimal(1, 4 * difficulty) for _ in range(2))
    cosine = draws.decimal(-0.9, 0.9, 1 if difficulty < 3 else 2)
    if abs(cosine) < 0.1:
        return None
    x = torch.tensor([stream, 0.0], dtype=torch.float64)
    f = added * torch.tensor([cosine, (1 - cosine**2) ** 0.5], dtype=torch.float64)
    return Draw(
        given={"stream": stream, "added": added, "cosine": cosine},
        answer=float((x + f).norm()),
        mistakes={
            "lengths": stream + added,
            "right_angle": float(torch.tensor([stream, added], dtype=torch.float64).norm()),
            "opposite": float((x - f).norm()),
        },
        steps={
            "squares": stream**2 + added**2,
            "mixed": 2 * stream * added * cosine,
            "sum": float((x + f) @ (x + f)),
        },
        digits=2,
    )


def sublayer(x: Tensor, factors: Tensor, form: Form) -> Tensor:
    """Return the stream after a sublayer of a form that multiplies number by number with `factors`."""
    added = factors * (norm(x) if form.norm == "pre" else x)
    after = x + added if form.residual else added
    return norm(after) if form.norm == "post" else after


def draw_block(draws: Draws, difficulty: int) -> Draw | None:
    """The stream after a pre-norm sublayer; mistakes: post-norm, no residual connection, no norm."""
    C = 3 if difficulty < 3 else 4
    x, factors = draw_vector(draws, C, 4), draw_vector(draws, C, 1 + difficulty)
    if factors[0] == 0 or x[0] == x.mean() or (x + factors * x).var() == 0:
        return None
    answer = sublayer(x, factors, FORMS[WHOLE])
    return Draw(
        given={"x": x.int(), "factors": factors.int()},
        answer=answer,
        mistakes={
            "post": sublayer(x, factors, FORMS["post-norm"]),
            "no_residual": sublayer(x, factors, FORMS["no residual"]),
            "no_norm": sublayer(x, factors, FORMS["no norm"]),
        },
        steps={"read": norm(x), "fed": factors * norm(x), "raw": (factors * x).int(), "right": answer},
        digits=2,
        table=Table(("x",), [str(i + 1) for i in range(C)], [[None] * C]),
    )


MAKERS = (Maker(draw_norm), Maker(draw_sum), Maker(draw_block))
