"""The counts of a tagged text, or the probabilities made of them, as pictures; and every transition's formula."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.hidden_markov_models.hmm import table_figure, worked_estimate
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import TaggedCounts

DRAWN_AT_MOST = 24  # words of the emission table drawn as a picture; a longer one is a table that scrolls
START, END = "⟨start⟩", "⟨end⟩"


def count_tables(lesson: str, counts: TaggedCounts, model: HiddenMarkovModel) -> None:
    """Draw the tables of a model with its end, as counts or as probabilities: the learner chooses."""
    what = st.segmented_control(
        "Show",
        ["counts", "probabilities"],
        default="counts",
        required=True,
        key=f"{lesson}_show",
        bind="query-params",
    )
    if what == "counts":
        initial, following, emission, form = counts.initial, following_counts(counts), counts.emission, "d"
    else:
        logs = model.log_initial, following_logs(model), model.log_emission
        (initial, following, emission), form = map(np.exp, logs), ".3g"
    states, vocabulary = list(counts.states), counts.vocabulary
    st.caption(f"From each tag (row) to the next (column); {START} begins a sentence, {END} ends it.")
    rows = np.vstack([np.append(initial, initial.dtype.type(0)), following])
    figure = table_figure(rows, [START, *states], [*states, END], form)
    show_figure(figure, f"{lesson}_transition", f"Transition {what}")
    st.caption(f"How each tag emits the {len(vocabulary):,} words, the most frequent first.")
    order = np.argsort(-counts.emission.sum(axis=0), kind="stable")
    names = [vocabulary[column] for column in order]
    if len(names) <= DRAWN_AT_MOST:
        figure = table_figure(emission[:, order], states, names, form)
        show_figure(figure, f"{lesson}_emission", f"Emission {what}")
    else:
        st.dataframe(pd.DataFrame(emission[:, order].T, names, states), height=260, alt=f"Emission {what}")


def following_counts(counts: TaggedCounts) -> np.ndarray:
    """Return what follows each tag, the end of the sentence last, shape (K, K + 1)."""
    return np.column_stack([counts.transition, counts.end])


def following_logs(model: HiddenMarkovModel) -> np.ndarray:
    """Return the logarithms of what follows each tag, the end of the sentence last, shape (K, K + 1)."""
    return np.column_stack([model.log_transition, model.log_end])


def every_transition(lesson: str, counts: TaggedCounts, model: HiddenMarkovModel, alpha: float) -> None:
    """Show each transition's count and probability, under "Every number"."""
    states = counts.states
    rows = [(START, counts.initial, model.log_initial, states)]
    rows += [
        (state, row, logs, (*states, END))
        for state, row, logs in zip(states, following_counts(counts), following_logs(model), strict=True)
    ]
    cells = [(before, after, row, logs, j) for before, row, logs, to in rows for j, after in enumerate(to)]
    table = pd.DataFrame(
        [
            {"from": before, "to": after, "count": int(row[j]), "probability": float(np.exp(logs[j]))}
            for before, after, row, logs, j in cells
        ]
    )

    def formula(row: int, column: str) -> str | None:
        """Divide the cell's count by its row's total, with alpha added to each."""
        before, after, of, _, j = cells[row]
        return worked_estimate(before, after, of, j, alpha) if column == "probability" else None

    every_number(lesson, "transitions", table, formula)
