"""Looking up on a line: the view's data, a query's scores and weights, curves of several kernels, formulas."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite, log10

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, VERMILLION
from core.figures.worked import made_by, number, word
from core.models.translation.kernel_smoothing import (
    KERNELS,
    Lookup,
    dictionary_lookup,
    kernel,
    nearness,
    product_scores,
    soft_lookup,
)
from pages.translation.soft_lookup import LESSON

WORDS = LESSON.words
EXACT = "exact"
WAYS = (EXACT, *KERNELS)
ROOM = 0.14  # of the range of keys or values, left free on either side
LINES = {"boxcar": (OCHRE, "solid", 6), "triangle": (GREEN, "dash", 3), "gaussian": (BLUE, "solid", 3)}


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
    story: bool = False,
    **parts: object,
) -> dict:
    """Return what the view `soft_lookup` needs: the points, the query, the kernel, and how far the axes reach.

    `hidden` draws the points and the query alone, for a guess. In a `story` the labels are those of its example.

    >>> lookup_payload([0, 10], [1, 3], 4, 1.5, "gaussian")["steps"]
    {'key': 0.1, 'value': 0.02}
    """
    reach = {"key": _reach([*keys, query]), "value": _reach(values)}
    span = max(keys) - min(keys) or 1.0
    of = "story" if story else "lab"
    names = ("key", "value", "weight", "query", "bandwidth", "unit", "none")
    return {
        "keys": [float(key) for key in keys],
        "values": [float(value) for value in values],
        "query": float(query),
        "bandwidth": float(bandwidth),
        "way": way,
        "ways": [] if story else [{"id": each, "name": WORDS.label(f"way.{each}")} for each in WAYS],
        "hidden": hidden,
        "curve": True,
        "moves": not story,
        "lines": [],
        "labels": {name: WORDS.label(f"{of}.{name}") for name in names},
        "reach": reach,
        "steps": {axis: round_step((high - low) / 100) for axis, (low, high) in reach.items()},
        "bandwidths": [span / 1000, span * 100],
    } | parts


def line_of(bandwidth: float, text: str, at: float, side: str) -> dict:
    """Return the Gaussian's curve of another bandwidth, named at a query, as the view draws it."""
    return {"way": "gaussian", "bandwidth": bandwidth, "text": text, "at": at, "side": side}


# The lab.


def curves_figure(
    keys: Sequence[float], values: Sequence[float], bandwidth: float, height: int = 320, points: int = 400
) -> Figure:
    """Return the smoothed curve over all queries for each kernel; a gap is a query that a kernel leaves unanswered."""
    figure = blank(height, WORDS.label("axis.query"), WORDS.label("axis.result"))
    queries = np.linspace(*_reach(keys), points)
    arrays = np.asarray(keys, float), np.asarray(values, float)
    for way in LINES:
        add_curve(figure, queries, soft_lookup(queries, *arrays, bandwidth, way).result, way)
    marker = {"size": 11, "color": GREY, "line": {"width": 1, "color": "white"}}
    name = WORDS.label("line.points")
    figure.add_trace(scatter(x=list(keys), y=list(values), mode="markers", name=name, marker=marker))
    return figure


def add_curve(figure: Figure, x: np.ndarray, result: np.ndarray, way: str) -> None:
    """Add a kernel's results: kernels have lines of different hue, width and dash, so that one shows below another."""
    colour, dash, width = LINES[way]
    y = [float(f) if isfinite(f) else None for f in result]
    line = {"color": colour, "dash": dash, "width": width}
    figure.add_trace(scatter(x=x, y=y, mode="lines", name=WORDS.label(f"way.{way}"), line=line))


def bandwidth_figure(
    keys: Sequence[float], values: Sequence[float], query: float, bandwidth: float, height: int = 320
) -> Figure:
    """Return the result at one query against the bandwidth, from next to nothing to next to everything."""
    span = max(keys) - min(keys) or 1.0
    bandwidths = np.geomspace(span / 1000, span * 100, 300)
    arrays = np.full(len(bandwidths), float(query)), np.asarray(keys, float), np.asarray(values, float)
    figure = blank(height, WORDS.label("axis.bandwidth"), WORDS.label("axis.result"))
    for way in LINES:
        add_curve(figure, bandwidths, soft_lookup(*arrays, bandwidths[:, None], way).result, way)
    nearest = values[int(np.abs(np.asarray(keys) - query).argmin())]
    for level, label in ((nearest, "line.nearest"), (float(np.mean(values)), "line.mean")):
        line = {"color": GREY, "dash": "dot"}
        figure.add_hline(y=level, line=line, annotation_text=WORDS.label(label))
    at = min(max(bandwidth, bandwidths[0]), bandwidths[-1])  # a bandwidth beyond either end stands at it
    figure.add_vline(x=float(at), line={"color": VERMILLION, "width": 2})
    return figure.update_xaxes(type="log")


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
    """Return the formula of one number of a key's row, filled in; None for a column that has none. `column` is its id.

    Where every K is too small for a float, the weights' exponents are less the largest, which changes no quotient.
    """
    k, v, e, a = keys[row], values[row], found.scores[0], number(found.weights[0][row])
    u, b, K = number(query - k), number(bandwidth), np.exp(e)
    softmax = rf"\qquad {word('softmax')} = {a}"
    score = rf"-\frac{{u^2}}{{2 b^2}} = -\frac{{({u})^2}}{{2 \cdot {b}^2}} = {number(e[row])}"
    parts = K if K.sum() > 0 or way != "gaussian" else np.exp(nearness(query - np.asarray(keys), bandwidth))
    total = parts.sum()
    unreached = rf"\text{{{WORDS.label('formula.unreached')}: }} "
    quotient = rf"\frac{{{number(parts[row])}}}{{{number(total)}}} = " if total > 0 else unreached
    same = rf"\ \text{{({WORDS.label('formula.and')}}}\ q^2 / 2b^2\text{{)}}"
    by = made_by(dictionary_lookup if way == EXACT else soft_lookup)
    by_kernel = by if way == EXACT else made_by(kernel)
    formula = {
        "u": rf"u = q - k = {number(query)} - ({number(k)}) = {u}",
        "K": rf"{by_kernel}K(u) = {_kernel_formula(u, b, way)} = {number(K[row])}",
        "a": rf"a = \frac{{K(u)}}{{\sum_j K(u_j)}} = {quotient}{a}",
        "score": score,
        "softmax": rf"{score},{softmax}",
        "products": rf"{made_by(product_scores)}\frac{{q k - k^2 / 2}}{{b^2}} = "
        rf"{number((query * k - k * k / 2) / bandwidth**2)}{same},{softmax}",
        "share": rf"a \cdot v = {a} \cdot ({number(v)}) = {number(found.weights[0][row] * v)}",
    }.get(column)
    return formula if formula is None or r"\texttt" in formula else by + formula
