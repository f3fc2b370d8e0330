"""Where the path flips: one probability of a model swept from 0 to 1, and the best path at each value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.figures.hidden_markov_models.hmm import sweep_figure
from core.lesson.figure import show_figure
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.what_if import rows_of, sweep

WORDS_AT_MOST = 60  # of the sentence; longer ones are swept on their first words, and said so


def cells_of(model: HiddenMarkovModel, words: Sequence[str]) -> dict[str, tuple[str, int, int]]:
    """Return the probabilities that bear on a sentence, by name: {name: (table, row, column)}."""
    states = model.states
    inside = [word for word in dict.fromkeys(words) if word in model.index][:30]
    cells = {f"p({state} | start)": ("initial", 0, j) for j, state in enumerate(states)}
    for i, before in enumerate(states):
        cells |= {f"p({state} | {before})": ("transition", i, j) for j, state in enumerate(states)}
    for j, state in enumerate(states):
        cells |= {f"p({word} | {state})": ("emission", j, model.index[word]) for word in inside}
    return cells


def where_it_flips(lesson: str, name: str, model: HiddenMarkovModel, words: Sequence[str]) -> None:
    """Draw the choice of one probability and the best path for each of its values."""
    st.header("Where does the path flip?", anchor=False)
    cells, swept_words = cells_of(model, words), list(words[:WORDS_AT_MOST])
    left, right = st.columns([1, 3], gap="medium")
    with left:
        cell = st.selectbox(
            "One probability, from 0 to 1", list(cells), key=f"{lesson}_{name}_cell", bind="query-params"
        )
        table, row, column = cells[cell]
        swept = sweep(model, swept_words, table, row, column)
        st.caption("The others of its row are scaled, so that the row sums to one all the way.")
        if len(words) > WORDS_AT_MOST:
            st.caption(f"On the first {WORDS_AT_MOST} of the {len(words)} words.")
        st.text(
            "Flips at p = " + ", ".join(f"{value:.2f}" for value in swept.flips)
            if swept.flips
            else "No value of this one probability flips the path."
        )
    with right:
        now = float(np.exp(rows_of(model, table)[row, column]))
        show_figure(
            sweep_figure(swept, model.states, now, cell),
            f"{lesson}_sweep",
            f"The best path for each value of one probability; it flips {len(swept.flips)} times",
        )
