"""Exercises on positions: a row of sinusoids, the dot product of two positions, and a score under rotary positions."""

from __future__ import annotations

import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.positions import rotary_score, rotation, sinusoidal_positions, speeds

SHAPES = ((4, 100), (4, 10_000), (6, 1000))  # dimensions C and base b, by difficulty


def draw_encoding(draws: Draws, difficulty: int) -> Draw:
    """A position's sines and cosines; mistakes: cosines first, degrees, an exponent that is half as large."""
    C, base = SHAPES[difficulty - 1]
    t = draws.integer(1, 99)
    row = sinusoidal_positions(t + 1, C, base)[t]
    angles = t * speeds(C, base)
    degrees = torch.deg2rad(angles)
    return Draw(
        given={"t": t, "C": C, "base": base},
        answer=row,
        mistakes={
            "exchanged": row.view(-1, 2).flip(1).flatten(),
            "degrees": torch.stack((degrees.sin(), degrees.cos()), 1).flatten(),
            "speed": sinusoidal_positions(t + 1, 2 * C, base)[t, :C],
        },
        steps={
            "speeds": speeds(C, base),
            "angles": angles,
            "sine": float(row[0]),
            "cosine": float(row[1]),
            "half": speeds(2 * C, base)[1].item(),
        },
        table=Table((f"PE({t})",), [str(i) for i in range(C)], [[None] * C]),
    )


def draw_product(draws: Draws, difficulty: int) -> Draw:
    """The dot product of two positions; mistakes: add the positions, the first hand alone, the mean over hands."""
    C, base = SHAPES[difficulty - 1]
    t, s = draws.integer(1, 30), draws.integer(1, 30)
    PE, w = sinusoidal_positions(31, C, base).double(), speeds(C, base)
    product = float(PE[t] @ PE[s])
    return Draw(
        given={"t": t, "s": s, "C": C, "base": base},
        answer=product,
        mistakes={
            "sum": float(((t + s) * w).cos().sum()),
            "first": float(PE[t, :2] @ PE[s, :2]),
            "mean": product / len(w),
        },
        steps={"k": abs(t - s), "angles": abs(t - s) * w, "cosines": ((t - s) * w).cos(), "hands": len(w)},
    )


def draw_rotary(draws: Draws, difficulty: int) -> Draw:
    """A score under rotary positions; mistakes: turn nothing, turn by the sum, turn the other way."""
    C = 2 if difficulty < 3 else 4
    base = 100
    q, k = ([draws.integer(-3, 3) for _ in range(C)] for _ in range(2))
    query, key = (torch.tensor(each, dtype=torch.float32) for each in (q, k))
    s = draws.integer(0, 5 * difficulty)
    t = s + draws.integer(1, 3 + difficulty)
    w = speeds(C, base)
    turned = rotation(s - t, C, base) @ key
    return Draw(
        given={"query": q, "keyed": k, "t": t, "s": s, "C": C, "speeds": w},
        answer=rotary_score(query, key, t, s, base),
        mistakes={
            "unturned": float(query @ key),
            "sum": rotary_score(query, key, t, -s, base),
            "back": rotary_score(query, key, s, t, base),
        },
        steps={
            "k": s - t,
            "turned": turned,
            "turns": (s - t) * w,
            "products": query * turned,
        },
        digits=2,
    )


MAKERS = (Maker(draw_encoding), Maker(draw_product), Maker(draw_rotary))
