"""T, k and p: moved in the browser view, typed exactly beside it, and kept in the address."""

from __future__ import annotations

import streamlit as st

from core.models.generation.sampling import Settings

TEMPERATURE_AT_MOST = 1000.0
NUMBERS = ("temperature", "top_k", "top_p")
FIVE = {
    "greedy": Settings(temperature=0.0),
    "T = 0.5": Settings(temperature=0.5),
    "T = 1": Settings(),
    "top-p 0.9": Settings(top_p=0.9),
    "T = 2": Settings(temperature=2.0),
}


def take_from_view(lesson: str, view: str) -> None:
    """Carry the settings that were moved in the view over to the fields that the address knows."""
    moved = getattr(st.session_state.get(view), "settings", None)
    if moved and moved != st.session_state.get(f"{lesson}_moved"):
        st.session_state[f"{lesson}_moved"] = moved
        for name, kind in zip(NUMBERS, (float, int, float), strict=True):
            st.session_state[f"{lesson}_{name}"] = kind(moved[name])


def exact_settings(lesson: str, most: int, default: Settings) -> Settings:
    """Draw the fields for T, k and p, each in the address, and return the settings; `most` is V."""
    if st.session_state.get(f"{lesson}_top_k", 0) > most:
        st.session_state[f"{lesson}_top_k"] = 0  # another model, with fewer tokens: nothing to cut
    with st.expander("Type T, k and p exactly"):
        temperature = st.number_input(
            "T: 0 is greedy, 1000 as good as uniform",
            0.0,
            TEMPERATURE_AT_MOST,
            default.temperature,
            step=0.05,
            key=f"{lesson}_temperature",
            bind="query-params",
        )
        k = st.number_input(
            "k: 0 keeps all", 0, most, default.top_k, key=f"{lesson}_top_k", bind="query-params"
        )
        p = st.number_input(
            "p: 1 keeps all",
            0.0,
            1.0,
            default.top_p,
            step=0.01,
            key=f"{lesson}_top_p",
            bind="query-params",
        )
    return Settings(temperature, k, p)
