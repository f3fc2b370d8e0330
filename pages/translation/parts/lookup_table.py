"""A look-up on a line as a table with worked formulas, and its result when the bandwidth goes to either end."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.translation.soft_lookup import bandwidth_figure, look_up, worked_lookup
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.translation.kernel_smoothing import Lookup, softmax
from pages.translation.parts.lookup_points import Asked

LEAST, MOST = 1e-6, 1e6


def shown(result: float) -> str:
    """Return a result as it is shown; a query that no key answers has none."""
    return "no answer" if np.isnan(result) else f"{result:.4g}"


def lookup_table(lesson: str, asked: Asked, found: Lookup) -> None:
    """Show every key's row: distance, kernel, weight, share of the result; the Gaussian's also as two softmaxes."""
    keys, values = np.array(asked.keys), np.array(asked.values)
    table = {
        "key k": keys,
        "value v": values,
        "u = q − k": asked.query - keys,
        "K(u)": np.exp(found.scores[0]),
        "a = K / ΣK": found.weights[0],
    }
    if asked.way == "gaussian":
        table["−u² / 2b²"] = found.scores[0]
        table["softmax of −u² / 2b²"] = softmax(found.scores[0])
        table["softmax of (qk − k²/2) / b²"] = softmax(
            (asked.query * keys - keys**2 / 2) / asked.bandwidth**2
        )
    table["a · v"] = found.weights[0] * values

    def formula(row: int, column: str) -> str | None:
        """Fill in the formula of one number."""
        return worked_lookup(found, *vars(asked).values(), row, column)

    every_number(lesson, "the look-up", pd.DataFrame(table), formula)


def bandwidth_ends(lesson: str, asked: Asked, found: Lookup) -> None:
    """Show the result over all bandwidths, and measured at both ends, beside what each end stands for."""
    show_figure(
        bandwidth_figure(asked.keys, asked.values, asked.query, asked.bandwidth),
        f"{lesson}_bandwidths",
        "The result against the bandwidth, for three kernels",
    )

    def at(bandwidth: float, way: str) -> float:
        return look_up([asked.query], asked.keys, asked.values, bandwidth, way).result[0]

    measured = {
        f"Whole: {asked.way}": (found.result[0], ""),
        f"Broken: gaussian, b = {LEAST:g}": (
            at(LEAST, "gaussian"),
            f"value of the nearest key: {_nearest(asked):.4g}",
        ),
        f"Broken: boxcar, b = {LEAST:g}": (at(LEAST, "boxcar"), "answers only on a key"),
        f"Broken: gaussian, b = {MOST:g}": (
            at(MOST, "gaussian"),
            f"mean of all values: {np.mean(asked.values):.4g}",
        ),
    }
    for column, (label, (result, meaning)) in zip(st.columns(4), measured.items(), strict=True):
        column.metric(label, shown(result))
        column.caption(meaning)
    st.markdown(
        "Too narrow, and the look-up is a dictionary again: only the nearest key speaks. Too wide, and the query no "
        "longer matters: every question gets the same answer."
    )


def _nearest(asked: Asked) -> float:
    """Return the mean value of the keys that are nearest to the query."""
    distance = np.abs(np.array(asked.keys) - asked.query)
    return float(np.array(asked.values)[distance == distance.min()].mean())
