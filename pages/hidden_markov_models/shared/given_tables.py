"""The tables that a lattice is computed from, beside it: start, transitions and end, and each word's emissions."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.figures.hidden_markov_models.tables import table_figure
from core.lesson.lesson import Lesson
from core.lesson.settings import Choice
from core.models.hidden_markov_models.decoding import DecodedSentence
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.words.numbers import signed
from pages.hidden_markov_models.shared import WORDS

WORDS_AT_MOST = 24  # different words whose emissions are drawn


def given_tables(lesson: Lesson, decoded: DecodedSentence, shown: slice, logarithms: bool = True) -> None:
    """Draw the tables that the words in `shown` are decoded with, as logarithms or as probabilities."""
    forms = ("logarithms", "probabilities") if logarithms else ("probabilities", "logarithms")
    form = lesson.draw(Choice("tables", forms[0], forms))
    states = list(decoded.model.states)
    place_of = {decoded.emissions.words[t]: t for t in range(*shown.indices(len(decoded.emissions.words)))}
    words = sorted(place_of, key=decoded.emissions.words.index)
    drawn = words[:WORDS_AT_MOST]
    rows, columns = following(decoded.model)
    emitted = decoded.emissions.log_emission[[place_of[word] for word in drawn]].T
    tables = {
        "following": (following_logs(decoded.model), rows, columns),
        "emission": (emitted, states, drawn),
    }
    boxes = st.columns([max(len(columns), 3), max(len(drawn), 3)], gap="small")
    for box, (name, (logs, rows, columns)) in zip(boxes, tables.items(), strict=True):
        with box:
            title = WORDS.label(f"tables.{name}")
            st.caption(title)
            texts = [[cell_text(value, form == "logarithms") for value in row] for row in logs]
            lesson.figure(name, table_figure(np.exp(logs), rows, columns, texts=texts), title)
    if len(words) > len(drawn):
        st.caption(WORDS.label("tables.cut", drawn=len(drawn), n=len(words)))


def cell_text(log_probability: float, as_logarithm: bool) -> str:
    """Return a probability, given as its logarithm, as a cell shows it.

    >>> cell_text(-0.693147, True), cell_text(-0.693147, False), cell_text(-np.inf, True)
    ('−0.69', '0.5', '−∞')
    """
    if not as_logarithm:
        return f"{np.exp(log_probability):.3g}"
    return "−∞" if np.isneginf(log_probability) else signed(log_probability)


def sentence_start() -> str:
    """Return what stands in a table for the start of a sentence."""
    return WORDS.label("tables.start")


def sentence_end() -> str:
    """Return what stands in a table for the end of a sentence."""
    return WORDS.label("tables.end")


def following(model: HiddenMarkovModel) -> tuple[list[str], list[str]]:
    """Return the names of the rows and the columns of `following_logs`."""
    states = list(model.states)
    return [sentence_start(), *states], states if model.log_end is None else [*states, sentence_end()]


def following_logs(model: HiddenMarkovModel) -> np.ndarray:
    """Return what follows the start and each state, as logarithms, shape (K + 1, K), or (K + 1, K + 1) with an end."""
    rows = np.vstack([model.log_initial, model.log_transition])
    return rows if model.log_end is None else np.column_stack([rows, np.append(-np.inf, model.log_end)])
