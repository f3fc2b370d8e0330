"""A look-up on a line as a table with worked formulas, and its result when the bandwidth goes to either end."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.soft_lookup import bandwidth_figure, look_up, worked_lookup
from core.lesson.break_it import consequence
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.lookup_points import Asked
from core.models.kernel_smoothing import Lookup, softmax

ENDS = {"next to nothing": 1e-6, "next to everything": 1e6}


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
    where = asked.keys, asked.values, asked.query
    show_figure(
        bandwidth_figure(*where, asked.bandwidth),
        f"{lesson}_bandwidths",
        "The result against the bandwidth, for three kernels",
    )
    stands_for = {
        "next to nothing": ("value of the nearest key", _nearest(asked)),
        "next to everything": ("mean of all values", float(np.mean(asked.values))),
    }
    for (name, bandwidth), (meaning, value) in zip(ENDS.items(), stands_for.values(), strict=True):
        results = {
            kernel: look_up([asked.query], asked.keys, asked.values, bandwidth, kernel).result[0]
            for kernel in ("gaussian", "boxcar", "triangle")
        }
        st.markdown(
            f"**Bandwidth {name}** ({bandwidth:g}): "
            + ", ".join(f"{kernel} {shown(result)}" for kernel, result in results.items())
            + f". The {meaning} is {value:.4g}."
        )
        if np.isfinite(found.result[0]):
            consequence("Result", float(found.result[0]), float(results["gaussian"]), ".3f")


def _nearest(asked: Asked) -> float:
    """Return the mean value of the keys that are nearest to the query."""
    distance = np.abs(np.array(asked.keys) - asked.query)
    return float(np.array(asked.values)[distance == distance.min()].mean())
