"""Exercises on dot-product attention: scores and weights, the distance multiplied out, and keys of different lengths."""

from __future__ import annotations

from math import sqrt

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product, of_length_one

UNIT = ((1.0, 0.0), (0.0, 1.0), (0.6, 0.8), (0.8, 0.6), (-0.6, 0.8), (0.8, -0.6), (0.28, 0.96), (0.96, 0.28))
NAMES = ("k₁", "k₂", "k₃", "k₄")
ANIMALS, LEGS = ("dog", "spider", "ant", "fish", "hen", "cat", "snake"), (4, 8, 6, 0, 2, 4, 0)


def written(vector: np.ndarray) -> list:
    """Return a vector's numbers, whole ones without a point."""
    return [int(each) if each == int(each) else float(each) for each in vector]


def draw_weights(draws: Draws, difficulty: int) -> Draw:
    """Scores and weights of keys of length 1; mistakes: divide by b, do not divide, multiply by b squared."""
    query, *keys = draws.sample(UNIT, difficulty + 2)
    q, K, nothing = np.array(query), np.array(keys), np.zeros(len(keys))
    bandwidth = draws.choose((0.5, 0.4, 2.0))

    def cells(b: float) -> np.ndarray:
        found = lookup_by_dot_product(q, K, nothing, b)
        return np.stack((found.scores, found.weights), 1).ravel()

    right = lookup_by_dot_product(q, K, nothing, bandwidth)
    names = NAMES[: len(keys)]
    return Draw(
        given={
            "query": written(q),
            "vectors": [(name, written(key)) for name, key in zip(names, K, strict=True)],
            "bandwidth": bandwidth,
        },
        answer=cells(bandwidth),
        mistakes={
            "by_b": cells(sqrt(bandwidth)),
            "undivided": cells(1.0),
            "multiplied": cells(1 / bandwidth),
        },
        steps={
            "product": float(K[0] @ q),
            "square": bandwidth**2,
            "score": float(right.scores[0]),
            "powers": np.exp(right.scores),
            "a": float(right.weights[0]),
        },
        table=Table(names, ("q·k / b²", "a"), [[None, None] for _ in names]),
    )


def draw_legs(draws: Draws, difficulty: int) -> Draw | None:
    """The value that is looked up; mistakes: the largest key's value, the plain mean, shares of the scores."""
    places = draws.sample(range(len(ANIMALS)), difficulty + 1)
    values = np.array([LEGS[i] for i in places], float)
    products = np.array([draws.decimal(0.1, 0.9) for _ in places])
    bandwidth = draws.choose((0.4, 0.5, 1.0))
    q, K = np.array([1.0]), products[:, None]  # one dimension whose products are these
    found = lookup_by_dot_product(q, K, values, bandwidth)
    hard = lookup_by_dot_product(q, K, values, 0.01)
    if len(set(values)) < 2 or hard.weights.max() < 0.99:
        return None
    return Draw(
        given={
            "animals": Table(
                ("q·k", "v"), [ANIMALS[i] for i in places], [products.tolist(), values.astype(int).tolist()]
            ),
            "bandwidth": bandwidth,
        },
        answer=float(found.result),
        mistakes={
            "hard": float(hard.result),
            "mean": float(lookup_by_dot_product(q, K, values, 1e6).result),
            "shares": float(found.scores / found.scores.sum() @ values),
        },
        steps={
            "scores": found.scores,
            "weights": found.weights,
            "values": values.astype(int),
            "best": ANIMALS[places[int(products.argmax())]],
        },
        digits=2,
    )


def draw_distance(draws: Draws, difficulty: int) -> Draw | None:
    """The score by distance, multiplied out; mistakes: leave out the 2, do not square, keep the dot product alone."""
    d = (2, 2, 3)[difficulty - 1]
    most = (3, 5, 4)[difficulty - 1]
    q, k = (np.array([draws.integer(-most, most) for _ in range(d)], float) for _ in range(2))
    bandwidth = draws.choose((1.5, 2.0, 2.5))
    length = float(np.linalg.norm(q - k))
    if not length or not q @ k:
        return None
    nothing = np.zeros(1)
    return Draw(
        given={"query": written(q), "key": written(k), "bandwidth": bandwidth},
        answer=lookup_by_distance(q, k[None], nothing, bandwidth).scores[0],
        mistakes={
            "no_two": lookup_by_distance(q, k[None], nothing, bandwidth / sqrt(2)).scores[0],
            "unsquared": lookup_by_distance(
                np.zeros(1), np.array([[sqrt(length)]]), nothing, bandwidth
            ).scores[0],
            "product": lookup_by_dot_product(q, k[None], nothing, bandwidth).scores[0],
        },
        steps={
            "qq": int(q @ q),
            "qk": int(q @ k),
            "kk": int(k @ k),
            "squared": round(length**2),
            "length": length,
            "square": bandwidth**2,
        },
    )


def draw_longest(draws: Draws, difficulty: int) -> Draw | None:
    """The key with the largest weight; mistakes: by the other score, by the angle alone."""
    half = np.array([draws.integer(1, difficulty + 1), draws.choose((-2, -1, 1, 2))], float)
    q = 2 * half
    near, far, other = ([draws.integer(-reach, reach) for _ in range(2)] for reach in (1, 2, 3))
    keys = np.array(draws.shuffle((half, q + near, q + half + far, other)), float)
    if not np.abs(keys).sum(1).all():
        return None
    nothing = np.zeros(len(keys))
    scores = {
        "product": lookup_by_dot_product(q, keys, nothing, 1.0).scores,
        "distance": lookup_by_distance(q, keys, nothing, 1.0).scores,
        "angle": lookup_by_dot_product(of_length_one(q), of_length_one(keys), nothing, 1.0).scores,
    }
    if any(np.sort(each)[-1] - np.sort(each)[-2] < 0.001 for each in scores.values()):
        return None  # two are equally good
    first = {name: NAMES[int(each.argmax())] for name, each in scores.items()}
    asked = draws.choose(("product", "distance"))
    other = "distance" if asked == "product" else "product"
    return Draw(
        given={
            "query": written(q),
            "vectors": [(name, written(key)) for name, key in zip(NAMES, keys, strict=True)],
            "asked": asked,
        },
        answer=first[asked],
        mistakes={"other": first[other], "angle": first["angle"]},
        steps={
            "names": NAMES,
            "products": (keys @ q).astype(int),
            "squares": (-2 * scores["distance"]).round().astype(int),
        },
    )


MAKERS = (Maker(draw_weights), Maker(draw_legs), Maker(draw_distance), Maker(draw_longest))
