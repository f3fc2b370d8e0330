"""Editing a hidden Markov model's tables: three grids, refused with a sentence while a row does not sum to one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import from_probabilities

WORDS_AT_MOST = 40  # wider emission tables than this are not edited by hand
END = "⟨end⟩"


def tables_of(model: HiddenMarkovModel) -> dict[str, pd.DataFrame]:
    """Return a model's tables as grids of probabilities, rounded to what can be typed."""
    states, words = list(model.states), list(model.vocabulary)
    following = pd.DataFrame(np.exp(model.log_transition), states, states)
    if model.log_end is not None:
        following[END] = np.exp(model.log_end)
    tables = {
        "initial": pd.DataFrame(np.exp(model.log_initial)[None], ["start"], states).round(9),
        "transition": following.round(9),
        "emission": pd.DataFrame(np.exp(model.log_emission), states, words).round(9),
    }
    return {name: table.rename_axis("state") for name, table in tables.items()}


def model_of_tables(tables: dict[str, pd.DataFrame]) -> HiddenMarkovModel:
    """Return the model that grids describe. Raises ValueError, with a sentence, for a row that is no distribution."""
    transition = tables["transition"].astype(float)
    end = transition.pop(END).to_numpy() if END in transition else None
    emission = tables["emission"].astype(float)
    return from_probabilities(
        list(emission.index),
        list(emission.columns),
        tables["initial"].to_numpy(dtype=float)[0],
        transition.to_numpy(),
        emission.to_numpy(),
        end,
    )


def _again(lesson: str) -> None:
    st.session_state[f"{lesson}_version"] = st.session_state.get(f"{lesson}_version", 0) + 1


def edit_tables(lesson: str, name: str, model: HiddenMarkovModel) -> HiddenMarkovModel:
    """Draw the grids of a model and return the model they describe.

    While a row is no distribution a sentence says so, and the last tables that were right are returned.
    """
    version = st.session_state.get(f"{lesson}_version", 0)
    tables, edited = tables_of(model), {}
    titles = {
        "initial": "Initial probabilities",
        "transition": "Transitions, from row to column",
        "emission": "Emissions of each state",
    }
    places = [*st.columns([1, 1.2], gap="small"), st.container()]  # emissions are wide: a line of their own
    for column, (table, title) in zip(places, titles.items(), strict=True):
        with column:
            st.caption(title)
            if table == "emission" and tables[table].shape[1] > WORDS_AT_MOST:
                st.dataframe(tables[table].T, alt=title)
                edited[table] = tables[table]
            else:
                edited[table] = st.data_editor(
                    tables[table], key=f"{lesson}_{name}_{table}_{version}", disabled=["_index"]
                )
    last = f"{lesson}_{name}_{version}_right"
    try:
        st.session_state[last] = model_of_tables(edited)
    except ValueError as error:
        st.warning(f"{error} Until then the picture shows the last tables that were right.")
    st.button("Undo all changes", key=f"{lesson}_undo", on_click=_again, args=(lesson,))
    return st.session_state.get(last, model)
