"""Exercises on the methods that count: GloVe's weight and its loss of one pair, and a cell of PPMI."""

from __future__ import annotations

import math

import numpy as np
from scipy.sparse import csr_matrix

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.word_vectors.glove import weight
from core.models.word_vectors.ppmi_svd import ppmi

WORDS = ("tea", "ice", "cup", "snow")
ALPHA = 0.75


def weigh(x: float, x_max: float, alpha: float = ALPHA) -> float:
    """Return GloVe's weight of one count."""
    return float(weight(np.array([x]), x_max, alpha)[0])


def draw_weight(draws: Draws, difficulty: int) -> Draw:
    """GloVe's weight of a count; mistakes: leave out the power, turn the fraction, do not divide."""
    x_max = draws.choose(((20, 25, 40), (50, 60, 80), (100, 150, 200))[difficulty - 1])
    x = draws.integer(1, x_max - 1)
    return Draw(
        given={"x": x, "x_max": x_max, "alpha": ALPHA},
        answer=weigh(x, x_max),
        mistakes={
            "power": weigh(x, x_max, 1.0),
            "turned": weigh(x_max, x),
            "unlimited": float(x**ALPHA),
        },
        steps={"share": x / x_max},
    )


def draw_loss(draws: Draws, difficulty: int) -> Draw:
    """GloVe's loss of one pair; mistakes: compare with the count itself, leave out the weight, or the square."""
    d, x_max = 1 + difficulty, 100
    w, c = ([draws.integer(-2, 3) / 2 for _ in range(d)] for _ in range(2))
    b, b_context = draws.decimal(0.1, 1.5), draws.decimal(0.1, 1.5)
    x = draws.integer(2, 80)
    product = math.fsum(a * e for a, e in zip(w, c, strict=True))
    total = product + b + b_context
    gap = total - math.log(x)
    f = weigh(x, x_max)
    return Draw(
        given={"w": w, "c": c, "b": b, "b_context": b_context, "x": x, "f": round(f, 3)},
        answer=round(f, 3) * gap**2,
        mistakes={
            "count": round(f, 3) * (total - x) ** 2,
            "unweighted": gap**2,
            "unsquared": round(f, 3) * abs(gap),
        },
        steps={"product": product, "total": total, "log": math.log(x), "gap": gap},
    )


def draw_ppmi(draws: Draws, difficulty: int) -> Draw | None:
    """One cell of PPMI; mistakes: natural logarithm, divide by one frequency only, no logarithm."""
    n = 1 + difficulty
    half = draws.integers(1, 9, n, n)
    counts = [[half[min(i, j)][max(i, j)] for j in range(n)] for i in range(n)]  # near each other: symmetric
    i, j = draws.integer(0, n - 1), draws.integer(0, n - 1)
    X = np.array(counts, dtype=float)
    N, row, column = X.sum(), X[i].sum(), X[:, j].sum()
    answer = float(ppmi(csr_matrix(X), power=1.0).toarray()[i, j])
    pmi = math.log2(X[i, j] * N / (row * column))
    if answer < 0.05:
        return None
    return Draw(
        given={
            "counts": Table(WORDS[:n], WORDS[:n], counts),
            "one": WORDS[i],
            "other": WORDS[j],
        },
        answer=answer,
        mistakes={
            "natural": pmi * math.log(2),
            "one_sided": math.log2(X[i, j] / row),
            "unlogged": 2.0**pmi,
        },
        steps={
            "x": counts[i][j],
            "N": int(N),
            "row": int(row),
            "column": int(column),
            "ratio": 2.0**pmi,
        },
    )


MAKERS = (Maker(draw_weight), Maker(draw_loss), Maker(draw_ppmi))
