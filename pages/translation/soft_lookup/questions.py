"""Exercises on soft lookup: kernels and weights, the answer to a query, and very narrow or wide bandwidths."""

from __future__ import annotations

from math import sqrt

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.translation.kernel_smoothing import kernel, nearest_value, soft_lookup

KERNELS = ("boxcar", "triangle", "gaussian")
NARROW, WIDE = 0.05, 1000.0


def draw_day(draws: Draws, entries: int) -> tuple[np.ndarray, np.ndarray]:
    """Return hours as keys, in order, and the temperatures there as values."""
    keys = sorted(draws.sample(range(6, 22), entries))
    return np.array(keys, float), np.array([draws.integer(4, 28) for _ in keys], float)


def as_table(keys: np.ndarray, values: np.ndarray) -> Table:
    """Return the entries of a dictionary as a question shows them."""
    return Table(("v",), tuple(f"k = {key:.0f}" for key in keys), [values.astype(int).tolist()])


def draw_weights(draws: Draws, difficulty: int) -> Draw | None:
    """K and the weight of every key; mistakes: do not divide by the sum, leave out the 2, do not square b."""
    keys, _ = draw_day(draws, difficulty + 1)
    bandwidth, query = draws.choose((1.5, 2.0, 2.5, 3.0)), draws.integer(6, 21)
    distance = query - keys
    if np.abs(distance).max() > 2.5 * bandwidth:
        return None  # weights too small for paper

    def cells(b: float) -> np.ndarray:
        K = kernel(distance, b)
        return np.stack((K, K / K.sum()), 1).ravel()

    K = kernel(distance, bandwidth)
    names = tuple(f"k = {key:.0f}" for key in keys)
    return Draw(
        given={"query": query, "keys": keys.astype(int), "bandwidth": bandwidth},
        answer=cells(bandwidth),
        mistakes={
            "not_divided": np.stack((K, K), 1).ravel(),
            "no_two": cells(bandwidth / sqrt(2)),
            "not_squared": cells(sqrt(bandwidth)),
        },
        steps={
            "u": int(distance[0]),
            "key": int(keys[0]),
            "K": K,
            "total": float(K.sum()),
            "a": float(K[0] / K.sum()),
        },
        table=Table(names, ("K", "a"), [[None, None] for _ in names]),
    )


def draw_answer(draws: Draws, difficulty: int) -> Draw | None:
    """The answer to a query; mistakes: the mean of all values, the nearest key's value, the sum without division."""
    name = KERNELS[difficulty - 1]
    keys, values = draw_day(draws, 4)
    bandwidth, query = draws.choose((2.5, 3.5, 4.0)), draws.integer(7, 20)
    K = kernel(query - keys, bandwidth, name)
    if np.count_nonzero(K) < 2 or np.abs(query - keys).max() > 3 * bandwidth:
        return None
    nearest, second = np.sort(np.abs(query - keys))[:2]
    if nearest == second:
        return None
    return Draw(
        given={"day": as_table(keys, values), "query": query, "bandwidth": bandwidth, "kernel": name},
        answer=soft_lookup([query], keys, values, bandwidth, name).result[0],
        mistakes={
            "all": soft_lookup([query], keys, values, WIDE).result[0],
            "nearest": nearest_value(query, keys, values),
            "sum": K @ values,
        },
        steps={
            "K": K,
            "names": keys.astype(int),
            "terms": [(float(k), int(v)) for k, v in zip(K, values, strict=True) if k],
            "total": float(K.sum()),
        },
        digits=2,
    )


def draw_extreme(draws: Draws, difficulty: int) -> Draw | None:
    """A very narrow or wide bandwidth; mistakes: take the other extreme, the neighbours' mean, a line between them."""
    keys, values = draw_day(draws, difficulty + 3)
    query, is_narrow = draws.integer(7, 20), draws.choose((True, False))
    place = int(np.searchsorted(keys, query))
    if query in keys or not 0 < place < len(keys):
        return None
    around = slice(place - 1, place + 1)
    before, after = np.abs(keys[around] - query)
    if before == after:
        return None
    narrow, wide = (float(soft_lookup([query], keys, values, b).result[0]) for b in (NARROW, WIDE))
    return Draw(
        given={"day": as_table(keys, values), "query": query, "is_narrow": is_narrow},
        answer=narrow if is_narrow else wide,
        mistakes={
            "other": wide if is_narrow else narrow,
            "neighbours": soft_lookup([query], keys[around], values[around], WIDE).result[0],
            "line": np.interp(query, keys, values),
        },
        steps={
            "nearest": int(keys[around][int(after < before)]),
            "values": values.astype(int),
            "around": keys[around].astype(int),
        },
        digits=1,
    )


MAKERS = (Maker(draw_weights), Maker(draw_answer), Maker(draw_extreme))
