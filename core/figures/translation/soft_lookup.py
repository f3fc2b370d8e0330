"""Looking up on a line: the browser view's payload, curves of several kernels, the bandwidth's two ends, formulas."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite, log10

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.palette import GREY, VERMILLION
from core.figures.worked import made_by, number
from core.models.translation.kernel_smoothing import (
    KERNELS,
    Lookup,
    dictionary_lookup,
    kernel,
    nearness,
    product_scores,
    soft_lookup,
)

EXACT = "exact key"
WAYS = (EXACT, *KERNELS)
ROOM = 0.14  # of the range of keys or values, left free on either side


def look_up(
    queries: Sequence[float], keys: Sequence[float], values: Sequence[float], b: float, way: str
) -> Lookup:
    """Return the look-up that a way of looking up (one of `WAYS`) makes of numbers on a line."""
    arrays = (np.asarray(each, float) for each in (queries, keys, values))
    return dictionary_lookup(*arrays) if way == EXACT else soft_lookup(*arrays, b, way)


def round_step(length: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at most `length`: the step of a slider that stops at round numbers.

    >>> round_step(0.13), round_step(7)
    (0.1, 5.0)
    """
    power = 10.0 ** floor(log10(length))
    return float(f"{max(m for m in (1, 2, 5) if m * power <= length * (1 + 1e-9)) * power:.6g}")


def _reach(numbers: Sequence[float]) -> list[float]:
    low, high = min(numbers), max(numbers)
    room = ROOM * (high - low) or 1.0
    return [low - room, high + room]


def lookup_payload(
    keys: Sequence[float],
    values: Sequence[float],
    query: float,
    bandwidth: float,
    way: str,
    hidden: bool = False,
) -> dict:
    """Return what the view `soft_lookup` needs: the points, the query, the kernel, and how far the axes reach.

    `hidden` draws the points and the query alone, for a guess.

    >>> lookup_payload([0, 10], [1, 3], 4, 1.5, "gaussian")["steps"]
    {'key': 0.1, 'value': 0.02}
    """
    reach = {"key": _reach([*keys, query]), "value": _reach(values)}
    span = max(keys) - min(keys) or 1.0
    return {
        "keys": [float(key) for key in keys],
        "values": [float(value) for value in values],
        "query": float(query),
        "bandwidth": float(bandwidth),
        "way": way,
        "ways": list(WAYS),
        "hidden": hidden,
        "reach": reach,
        "steps": {axis: round_step((high - low) / 100) for axis, (low, high) in reach.items()},
        "bandwidths": [span / 1000, span * 100],
    }


def curves_figure(
    keys: Sequence[float], values: Sequence[float], bandwidth: float, height: int = 320, points: int = 400
) -> Figure:
    """Return the smoothed curve over all queries for each kernel; a gap is a query that a kernel leaves unanswered."""
    figure = blank(height, "query", "result")
    queries = np.linspace(*_reach(keys), points)
    for name in KERNELS:
        result = soft_lookup(queries, np.asarray(keys), np.asarray(values), bandwidth, name).result
        y = [float(f) if isfinite(f) else None for f in result]
        figure.add_trace(scatter(x=queries, y=y, mode="lines", name=name, line={"width": 2.5}))
    marker = {"size": 11, "color": GREY, "line": {"width": 1, "color": "white"}}
    figure.add_trace(
        scatter(x=list(keys), y=list(values), mode="markers", name="keys and values", marker=marker)
    )
    return figure


def bandwidth_figure(
    keys: Sequence[float], values: Sequence[float], query: float, bandwidth: float, height: int = 320
) -> Figure:
    """Return the result at one query against the bandwidth, from next to nothing to next to everything."""
    span = max(keys) - min(keys) or 1.0
    bandwidths = np.geomspace(span / 1000, span * 100, 300)
    arrays = np.full(len(bandwidths), float(query)), np.asarray(keys, float), np.asarray(values, float)
    figure = blank(height, "bandwidth b", "result")
    for name in KERNELS:
        found = soft_lookup(*arrays, bandwidths[:, None], name).result
        y = [float(f) if isfinite(f) else None for f in found]
        figure.add_trace(scatter(x=bandwidths, y=y, mode="lines", name=name, line={"width": 2.5}))
    nearest = values[int(np.abs(np.asarray(keys) - query).argmin())]
    for level, label in (
        (nearest, "value of the nearest key"),
        (float(np.mean(values)), "mean of all values"),
    ):
        figure.add_hline(y=level, line={"color": GREY, "dash": "dot"}, annotation_text=label)
    figure.add_vline(x=bandwidth, line={"color": VERMILLION, "width": 2})
    figure.update_xaxes(type="log")
    return figure


def _kernel_formula(u: str, b: str, way: str) -> str:
    return {
        "gaussian": rf"e^{{-({u})^2 / (2 \cdot {b}^2)}}",
        "boxcar": rf"[\,|{u}| \le {b}\,]",
        "triangle": rf"\max(0,\ 1 - |{u}| / {b})",
        EXACT: rf"[\,{u} = 0\,]",
    }[way]


def worked_lookup(
    found: Lookup,
    keys: Sequence[float],
    values: Sequence[float],
    query: float,
    bandwidth: float,
    way: str,
    row: int,
    column: str,
) -> str | None:
    """Return the formula of one number of a key's row, filled in; None for a column that has none.

    Where every K is too small for a float, the weights' exponents are less the largest, which changes no quotient.
    """
    k, v, e, a = keys[row], values[row], found.scores[0], number(found.weights[0][row])
    u, b, K = number(query - k), number(bandwidth), np.exp(e)
    softmax = rf"\qquad \text{{softmax: }} {a}"
    score = rf"-\frac{{u^2}}{{2 b^2}} = -\frac{{({u})^2}}{{2 \cdot {b}^2}} = {number(e[row])}"
    parts = K if K.sum() > 0 or way != "gaussian" else np.exp(nearness(query - np.asarray(keys), bandwidth))
    total = parts.sum()
    quotient = (
        rf"\frac{{{number(parts[row])}}}{{{number(total)}}} = "
        if total > 0
        else r"\text{no key is reached: } "
    )
    by = made_by(dictionary_lookup if way == EXACT else soft_lookup)
    by_kernel = by if way == EXACT else made_by(kernel)
    formula = {
        "u = q − k": rf"u = q - k = {number(query)} - ({number(k)}) = {u}",
        "K(u)": rf"{by_kernel}K(u) = {_kernel_formula(u, b, way)} = {number(K[row])}",
        "a = K / ΣK": rf"a = \frac{{K(u)}}{{\sum_j K(u_j)}} = {quotient}{a}",
        "−u² / 2b²": score,
        "softmax of −u² / 2b²": rf"{score},{softmax}",
        "softmax of (qk − k²/2) / b²": rf"{made_by(product_scores)}\frac{{q k - k^2 / 2}}{{b^2}} = "
        rf"{number((query * k - k * k / 2) / bandwidth**2)}\ \text{{(the score and }} q^2 / 2b^2\text{{)}},{softmax}",
        "a · v": rf"a \cdot v = {a} \cdot ({number(v)}) = {number(found.weights[0][row] * v)}",
    }.get(column)
    return formula if formula is None or r"\texttt" in formula else by + formula
