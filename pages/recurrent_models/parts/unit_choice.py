"""Which unit of a hidden state to look at: one that measurably tells something, or any by its number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.models.recurrent_models.telling_units import LEAST, TellingUnit

BY_NUMBER = "a unit by its number"
ROWS = 18


def take_cell(lesson: str, view: str, told: Sequence[TellingUnit]) -> None:
    """Carry the unit and step chosen in the view over to the widgets that the address knows."""
    cell = getattr(st.session_state.get(view), "cell", None)
    if not cell or cell == st.session_state.get(f"{lesson}_moved"):
        return
    st.session_state[f"{lesson}_moved"] = cell
    st.session_state[f"{lesson}_step"] = int(cell["step"]) + 1
    if int(cell["unit"]) == st.session_state.get(f"{lesson}_shown_unit"):
        return
    features = {unit.unit: unit.feature for unit in told}
    look = features.get(int(cell["unit"]), BY_NUMBER)
    st.session_state[f"{lesson}_look"] = look
    if look == BY_NUMBER:
        # The field may not be there yet, so nothing else would write its number into the address.
        st.session_state[f"{lesson}_unit"] = int(cell["unit"])
        st.query_params[f"{lesson}_unit"] = str(int(cell["unit"]))


def choose_unit(lesson: str, told: Sequence[TellingUnit], width: int) -> int:
    """Draw the choice of a unit and say how it was found; return its number, 0 to `width` - 1."""
    units = {each.feature: each for each in told}
    options = [*units, BY_NUMBER]
    if st.session_state.get(f"{lesson}_look") not in options:
        st.session_state.pop(f"{lesson}_look", None)  # another text, in which this feature never changes
    default = options.index("place in the line") if "place in the line" in options else 0
    look = st.selectbox("Unit that follows", options, default, key=f"{lesson}_look", bind="query-params")
    if look == BY_NUMBER:
        if st.session_state.get(f"{lesson}_unit", 0) >= width:
            st.session_state[f"{lesson}_unit"] = 0  # another model, with fewer units
        unit = st.number_input("Unit", 0, width - 1, 0, key=f"{lesson}_unit", bind="query-params")
    else:
        found = units[look]
        unit = found.unit
        st.caption(
            f"**Unit {unit}**, measured: of {width} units it correlates best with “{look}” on the first half of your "
            f"text (r = {found.chosen:+.2f}). On the other half, r = **{found.measured:+.2f}**."
        )
    if not told:
        st.caption(
            f"Your text has fewer than {LEAST} characters that the model can read, so units are not measured on it."
        )
    st.session_state[f"{lesson}_shown_unit"] = unit
    return int(unit)


def rows_shown(values: np.ndarray, told: Sequence[TellingUnit], unit: int) -> dict[int, str]:
    """Return the units drawn, {unit: label}: the measured ones, the one looked at, and those that vary most.

    >>> rows_shown(np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.1]]), [], 0)
    {0: '0', 1: '1', 2: '2'}
    """
    labels: dict[int, str] = {}
    for each in told:
        both = [labels[each.unit]] if each.unit in labels else [str(each.unit)]
        labels[each.unit] = ", ".join([*both, each.feature])
    labels.setdefault(unit, str(unit))
    for other in np.argsort(-values.var(axis=0), kind="stable"):
        if len(labels) >= ROWS:
            break
        labels.setdefault(int(other), str(other))
    return labels
