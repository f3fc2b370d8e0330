"""Exercises on quantization: integers of a row, one rounded weight, and the bytes of a matrix with its scales."""

from __future__ import annotations

import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.transformers.quantization import SCALE_BITS, largest_integer, quantize


def draw_row(draws: Draws, n: int) -> list[float]:
    """Return n weights, none of them 0."""
    return [draws.integer(2, 95) / 100 * draws.choose((-1, 1)) for _ in range(n)]


def rounded_row(row: list[float], bits: int) -> tuple[float, list[int]]:
    """Return the scale and the integers of a row."""
    found = quantize(torch.tensor([row], dtype=torch.float64), bits)
    return float(found.scales[0, 0]), [int(q) for q in found.integers[0]]


def cut_off(ratio: float) -> int:
    """Return a ratio without its decimals; what is an integer but for the last bit of a float stays that integer.

    >>> cut_off(-14.999999999999998), cut_off(2.9)
    (-15, 2)
    """
    return int(ratio * (1 + 1e-9))


def is_clear(row: list[float], s: float) -> bool:
    """Return whether no weight is near the middle of two levels, where the last digit would decide."""
    return all(abs(abs(w / s) % 1 - 0.5) > 0.06 for w in row)


def draw_integers(draws: Draws, difficulty: int) -> Draw | None:
    """The integers of a row; mistakes: cut off instead of rounded, the scale for all values of b bits, of the mean."""
    bits = draws.choose(((3, 4), (4,), (4, 5))[difficulty - 1])
    row = draw_row(draws, (3, 4, 5)[difficulty - 1])
    s, q = rounded_row(row, bits)
    double = max(map(abs, row)) / (2**bits - 1)
    mean = sum(map(abs, row)) / len(row) / largest_integer(bits)
    if not all(is_clear(row, each) for each in (s, double, mean)):
        return None
    cut = [cut_off(w / s) for w in row]
    halves = [round(w / double) for w in row]
    means = [round(w / mean) for w in row]
    names = [f"w{i + 1}" for i in range(len(row))]
    at = next((i for i, (one, other) in enumerate(zip(q, cut, strict=True)) if one != other), None)
    if at is None:
        return None
    return Draw(
        given={"weights": Table(("w",), names, [row]), "b": bits},
        answer=tuple(q),
        mistakes={"cut": tuple(cut), "unsigned": tuple(halves), "mean": tuple(means)},
        steps={
            "most": max(map(abs, row)),
            "levels": largest_integer(bits),
            "unsigned_levels": 2**bits - 1,
            "s": s,
            "name": names[at],
            "w": row[at],
            "ratio": row[at] / s,
            "q": q[at],
            "short": cut[at],
        },
        table=Table(("q",), names, [[None] * len(row)]),
    )


def draw_rounded(draws: Draws, difficulty: int) -> Draw | None:
    """A rounded weight; mistakes: cut off, the scale of its own value alone, the scale for all values of b bits."""
    bits = (3, 4, 5)[difficulty - 1]
    row = draw_row(draws, 4)
    k = draws.integer(0, 3)
    s, q = rounded_row(row, bits)
    most = max(map(abs, row))
    double = most / (2**bits - 1)
    if abs(row[k]) == most or not is_clear([row[k]], s) or not q[k] or q[k] == cut_off(row[k] / s):
        return None
    power = most / 2 ** (bits - 1)
    return Draw(
        given={"weights": row, "k": k + 1, "b": bits, "w": row[k]},
        answer=q[k] * s,
        mistakes={
            "cut": cut_off(row[k] / s) * s,
            "unsigned": round(row[k] / double) * double,
            "power": round(row[k] / power) * power,
        },
        steps={
            "most": most,
            "levels": largest_integer(bits),
            "s": s,
            "ratio": row[k] / s,
            "q": q[k],
            "half": s / 2,
            "unsigned_levels": 2**bits - 1,
            "power_levels": 2 ** (bits - 1),
        },
    )


def draw_bytes(draws: Draws, difficulty: int) -> Draw | None:
    """The bytes of a matrix in groups; mistakes: scales forgotten, one scale per row, bits taken as bytes."""
    rows = draws.choose((16, 32, 64))
    columns = draws.choose((128, 256, 512))
    group = draws.choose((16, 32, 64))
    bits = draws.choose((2, 4, 8) if difficulty < 3 else (3, 5, 6))
    n = rows * columns
    scales = n // group

    def count(scales: int) -> int:
        """Return the bytes of all integers and so many scales."""
        return (n * bits + scales * SCALE_BITS) // 8

    return Draw(
        given={"R": rows, "C": columns, "G": group, "b": bits, "scale_bits": SCALE_BITS},
        answer=count(scales),
        mistakes={"bare": count(0), "row": count(rows), "bits": n * bits + scales * SCALE_BITS},
        steps={
            "n": n,
            "scales": scales,
            "integers": count(0),
            "more": count(scales) - count(0),
            "each": 8 * count(scales) / n,
        },
    )


MAKERS = (Maker(draw_integers), Maker(draw_rounded), Maker(draw_bytes))
