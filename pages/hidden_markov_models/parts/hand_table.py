"""The student's turn: fields for one column of a Viterbi table, marked, hinted, revealed and scored."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
import streamlit as st

from core.figures.hidden_markov_models.hmm import worked_candidates
from core.lesson.plain import plain
from core.models.hidden_markov_models.hmm import Decoded, Lattice, check_column
from core.text.samples.products import read_product

ATTEMPTS = "hand_table_attempts"  # {(problem, column): Attempt}, for the whole session
FIELDS_IN_A_ROW = 4


@dataclass
class Attempt:
    """What a student has done with one column: marks of scores and of predecessors, None where not checked."""

    right: list[bool | None]
    came: list[bool | None]
    hinted: bool = False
    revealed: bool = False
    first: list[bool] = field(default_factory=list)  # marks of the first check, which alone count


def problem_of(name: str, decoded: Decoded) -> str:
    """Return a short name for a model and sentence: another one is another problem."""
    tables = decoded.model.log_transition.tobytes() + decoded.emissions.log_emission.tobytes()
    return sha256(f"{name} {decoded.emissions.words}".encode() + tables).hexdigest()[:10]


def attempt_at(problem: str, column: int, states: int) -> Attempt:
    """Return the student's attempt at a column, a new one when there is none."""
    attempts = st.session_state.setdefault(ATTEMPTS, {})
    return attempts.setdefault((problem, column), Attempt([None] * states, [None] * states))


def score_of(problem: str) -> tuple[int, int]:
    """Return how many fields of a problem were right at the first check, and how many were checked."""
    attempts = st.session_state.get(ATTEMPTS, {})
    marks = [mark for (of, _), attempt in attempts.items() if of == problem for mark in attempt.first]
    return sum(marks), len(marks)


def _mark(lesson: str, problem: str, column: int, lattice: Lattice, states: tuple[str, ...]) -> None:
    attempt, key = attempt_at(problem, column, len(states)), f"{lesson}_{problem}_{column}"
    K = len(states)
    if column == len(lattice.scores):  # tracing back: one state a word
        told = [st.session_state[f"{key}_state_{t}"] for t in range(column)]
        attempt.right = [
            None if state is None else state == states[best]
            for state, best in zip(told, lattice.path, strict=True)
        ]
        attempt.came = []
    else:
        typed = [st.session_state[f"{key}_score_{j}"] for j in range(K)]
        marks = check_column(lattice.scores[column], [read_product(text) for text in typed])
        attempt.right = [
            bool(mark) if text.strip() else None for mark, text in zip(marks, typed, strict=True)
        ]
        if column > 0:
            came = [st.session_state[f"{key}_came_{j}"] for j in range(K)]
            attempt.came = [
                None
                if state is None
                else bool(lattice.candidates[column, states.index(state), j] == lattice.scores[column, j])
                for j, state in enumerate(came)
            ]
    marks = [mark for mark in (*attempt.right, *attempt.came) if mark is not None]
    if marks and not attempt.first and not attempt.revealed:
        attempt.first = [mark and not attempt.hinted for mark in marks]


def _set(attempt: Attempt, what: str) -> None:
    setattr(attempt, what, True)


VERDICTS = {True: "✓ right", False: "✗ not yet", None: " "}


def column_form(lesson: str, name: str, decoded: Decoded, lattice: Lattice, column: int) -> Attempt:
    """Draw the fields of a column (or, past the last one, of the path traced back), and return the attempt."""
    states, problem = decoded.model.states, problem_of(name, decoded)
    attempt, key = attempt_at(problem, column, len(states)), f"{lesson}_{problem}_{column}"
    n = len(lattice.scores)
    with st.form(f"{key}_form", border=False):
        count = n if column == n else len(states)
        for start in range(0, count, FIELDS_IN_A_ROW):
            for place, box in enumerate(st.columns(FIELDS_IN_A_ROW), start):
                if place < count:
                    with box:
                        _path_field(key, decoded, place, attempt) if column == n else _score_fields(
                            key, decoded, column, place, attempt
                        )
        with st.container(horizontal=True):
            arguments = (lesson, problem, column, lattice, states)
            st.form_submit_button("Check", on_click=_mark, args=arguments, key=f"{key}_check")
            st.form_submit_button("Hint", on_click=_set, args=(attempt, "hinted"), key=f"{key}_hint")
            st.form_submit_button(
                "Show the answer", on_click=_set, args=(attempt, "revealed"), key=f"{key}_reveal"
            )
    _help(decoded, lattice, column, attempt)
    return attempt


def _score_fields(key: str, decoded: Decoded, column: int, j: int, attempt: Attempt) -> None:
    states = decoded.model.states
    st.text_input(
        f"Score of {plain(states[j])}", key=f"{key}_score_{j}", max_chars=60, placeholder="0.3 * 0.5"
    )
    st.text(VERDICTS[attempt.right[j]])
    if column > 0:
        st.selectbox(
            f"{plain(states[j])} came from", states, index=None, key=f"{key}_came_{j}", placeholder="state"
        )
        st.text(VERDICTS[attempt.came[j]])


def _path_field(key: str, decoded: Decoded, t: int, attempt: Attempt) -> None:
    label = f"{t + 1}: {plain(decoded.emissions.words[t][:20])}"
    st.selectbox(label, decoded.model.states, index=None, key=f"{key}_state_{t}", placeholder="state")
    st.text(VERDICTS[attempt.right[t] if t < len(attempt.right) else None])


def _help(decoded: Decoded, lattice: Lattice, column: int, attempt: Attempt) -> None:
    if not (attempt.hinted or attempt.revealed):
        return
    if column == len(lattice.scores):
        st.markdown(
            "Begin at the end: the largest number of the last column, "
            + (
                "each times the probability that the sentence ends there. "
                if decoded.model.log_end is not None
                else ""
            )
            + "Then follow “came from” to the left, word by word."
        )
        if attempt.revealed:
            st.text(" → ".join(decoded.tags(lattice.path)))
        return
    for j in range(len(decoded.model.states)):
        st.latex(worked_candidates(decoded, lattice, column, j, attempt.revealed))


def probabilities_of(decoded: Decoded, column: int) -> dict[str, tuple[np.ndarray, list[str], list[str]]]:
    """Return the tables a column is filled in from: {title: (values, rows, columns)}."""
    model, states = decoded.model, list(decoded.model.states)
    ends = ["end"] if model.log_end is not None else []
    if column == len(decoded.emissions.words):
        return {"Ends": (np.exp(model.log_end)[:, None], states, ends)} if ends else {}
    emission = np.exp(decoded.emissions.log_emission[column])[:, None]
    given = {"Emissions of this word": (emission, states, [decoded.emissions.words[column]])}
    if column == 0:
        return {"Initial": (np.exp(model.log_initial)[:, None], states, ["start"]), **given}
    return {"Transitions, from row to column": (np.exp(model.log_transition), states, states), **given}
