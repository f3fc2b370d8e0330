"""Points, query, bandwidth and kernel of a look-up on a line: moved in the view, typed beside it, in the address."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.figures.translation.soft_lookup import WAYS
from core.lesson.plain import plain
from core.text.reading.decoding import TextError
from core.text.reading.entries import LARGEST, read_points, written_points

TEMPERATURES = "6: 9, 9: 13, 12: 19, 14: 21, 17: 18, 21: 12"
LEAST, MOST = 1e-6, 1e6  # bandwidths


@dataclass(frozen=True)
class Asked:
    """What is looked up: `query` among `keys` with their `values`, by a kernel (`way`) of bandwidth b."""

    keys: list[float]
    values: list[float]
    query: float
    bandwidth: float
    way: str


def take_from_view(lesson: str, view: str) -> None:
    """Carry what was moved in the view over to the fields that the address knows."""
    moved = getattr(st.session_state.get(view), "lookup", None)
    if moved and moved != st.session_state.get(f"{lesson}_moved"):
        st.session_state[f"{lesson}_moved"] = moved
        st.session_state[f"{lesson}_points"] = written_points(moved["keys"], moved["values"])
        st.session_state[f"{lesson}_query"] = float(moved["query"])
        st.session_state[f"{lesson}_bandwidth"] = min(MOST, max(LEAST, float(moved["bandwidth"])))
        st.session_state[f"{lesson}_way"] = moved["way"]


def asked_for(lesson: str) -> Asked | None:
    """Draw the fields, all in the address, and return what is asked; None, and a sentence, while it cannot be read."""
    typed = st.text_area(
        "Keys and values",
        TEMPERATURES,
        key=f"{lesson}_points",
        bind="query-params",
        max_chars=2000,
        height=100,
        help="Each key, a colon, its value. At first: the hour of a day, and its temperature (an example).",
    )
    way = st.selectbox("Look up by", WAYS, index=1, key=f"{lesson}_way", bind="query-params")
    query = st.number_input(
        "Query q", -LARGEST, LARGEST, 10.0, step=0.5, key=f"{lesson}_query", bind="query-params", format="%g"
    )
    bandwidth = st.number_input(
        "Bandwidth b",
        LEAST,
        MOST,
        1.5,
        step=0.1,
        key=f"{lesson}_bandwidth",
        bind="query-params",
        format="%g",
        disabled=way == WAYS[0],
    )
    try:
        keys, values = read_points(typed)
    except TextError as error:
        st.warning(plain(str(error)))
        return None
    return Asked(keys, values, query, bandwidth, way)
