"""One number of a hidden state worked through, and every unit's numbers at one step."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.recurrent_models.recurrent import named_terms, terms_figure, worked_mixture, worked_sum
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.recurrent_language_model import RecurrentLanguageModel, RecurrentTrace
from core.models.recurrent_models.weighted_sum import GATES, WeightedSum, weighted_sum

MEANINGS = {
    "h": "what the network passes on",
    "r": "reset: how much of the past the proposal sees",
    "z": "update: how much of the past stays",
    "n": "the proposal for the new state",
    "i": "input: how much is written",
    "f": "forget: how much is kept",
    "g": "the proposal to be written",
    "o": "output: how much is shown",
    "c": "the cell: the long memory",
}


class Step:
    """One step of a reading: what the network held before it, and every sum that it formed."""

    def __init__(
        self, cell: str, network: RecurrentLanguageModel, traced: RecurrentTrace, t: int, wiped: int | None
    ):
        self.cell, self.network, self.traced, self.t = cell.lower(), network, traced, t
        empty = np.zeros(network.config.width)
        fresh = t == 0 or (wiped and t % wiped == 0)
        self.state = empty if fresh else traced.hidden[t - 1].double().numpy()
        self.cell_state = empty
        if self.cell == "lstm" and not fresh:
            self.cell_state = traced.gates["c"][t - 1].double().numpy()

    @property
    def sums(self) -> tuple[str, ...]:
        """The letters that are a squashed sum: h itself in a plain RNN, the gates and candidates otherwise."""
        return GATES[self.cell]

    def sum(self, name: str, unit: int) -> WeightedSum:
        """Return the sum behind a letter's value for a unit."""
        return weighted_sum(self.network, self.traced, name, unit, self.t, self.state)

    def formula(self, name: str, unit: int, character: str) -> str:
        """Return how a letter's value for a unit was computed, as LaTeX with its numbers."""
        if name in self.sums:
            return worked_sum(self.sum(name, unit), character)
        before = self.cell_state if name == "c" else self.state
        return worked_mixture(self.cell, name, self.traced, unit, self.t, before)


def choose_letter(lesson: str, cell: str, traced: RecurrentTrace) -> str:
    """Draw the choice of what to look at, h or a gate of the cell, and return its letter."""
    letter = st.segmented_control(
        "Look at",
        ["h", *traced.gates],
        default="h",
        required=True,
        key=f"{lesson}_letter_{cell}",
        bind="query-params",
    )
    st.caption(f"**{letter}**: {MEANINGS[letter]}")
    return letter


def values_of(traced: RecurrentTrace, name: str) -> np.ndarray:
    """Return a letter's values over the whole reading, (T, H)."""
    return (traced.hidden if name == "h" else traced.gates[name]).double().numpy()


def show_worked(lesson: str, step: Step, name: str, unit: int, character: str) -> None:
    """Fill in the equation of one unit at one step; where it is a sum, draw the sum as a staircase."""
    st.latex(step.formula(name, unit, character))
    sums = [name] if name in step.sums else list(step.sums)
    which = sums[0]
    if len(sums) > 1:
        key = f"{lesson}_sum"
        if st.session_state.get(key) not in sums:
            st.session_state.pop(key, None)
        which = st.segmented_control(
            "The sum behind", sums, default=sums[0], required=True, key=key, bind="query-params"
        )
        st.latex(step.formula(which, unit, character))
    found = step.sum(which, unit)
    show_figure(
        terms_figure(found),
        f"{lesson}_terms",
        f"The sum behind {which} of unit {unit}: "
        + ", ".join(f"{part} {value:+.3f}" for part, value in named_terms(found).items()),
    )


def state_table(lesson: str, step: Step, character: str) -> None:
    """Show every unit's numbers at one step, under "Every number"."""
    columns = {"unit": np.arange(step.network.config.width), "h before": step.state}
    if step.cell == "lstm":
        columns["c before"] = step.cell_state
    names = [*step.traced.gates, "h"]
    columns |= {name: values_of(step.traced, name)[step.t] for name in names}

    def formula(row: int, column: str) -> str | None:
        """Fill in a letter's value for a unit."""
        return step.formula(column, row, character) if column in names else None

    every_number(lesson, "units", pd.DataFrame(columns), formula)
