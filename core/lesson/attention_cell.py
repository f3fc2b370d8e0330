"""The cell of the attention view that a page looks at: pinned in the picture, or chosen by step and input word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st


def take_from_view(lesson: str, view: str) -> None:
    """Carry the cell that was pinned in the view over to the step and the input word that the address knows."""
    cell = getattr(st.session_state.get(view), "cell", None)
    if cell == st.session_state.get(f"{lesson}_pinned"):
        return
    st.session_state[f"{lesson}_pinned"] = cell
    if cell is None:
        st.session_state[f"{lesson}_input"] = None
    else:
        st.session_state[f"{lesson}_step"] = int(cell["output"]) + 1
        st.session_state[f"{lesson}_input"] = int(cell["input"])


def choose_place(label: str, key: str, words: Sequence[str], otherwise: str) -> int | None:
    """Draw the choice of one of the words and return its index, or None for `otherwise`, which is chosen at first."""
    if (st.session_state.get(key) or 0) >= len(words):
        st.session_state[key] = None  # a place in a longer sentence
    return st.selectbox(
        label,
        [None, *range(len(words))],
        format_func=lambda i: otherwise if i is None or i >= len(words) else f"{i + 1} {words[i]}",
        key=key,
        bind="query-params",
    )


def choose_input(lesson: str, inputs: Sequence[str], weights: np.ndarray) -> int:
    """Draw the choice of an input word, at first the one with the largest of the `weights` (S,); return its index."""
    chosen = choose_place("Input word", f"{lesson}_input", inputs, "the heaviest")
    return int(np.argmax(weights)) if chosen is None else chosen
