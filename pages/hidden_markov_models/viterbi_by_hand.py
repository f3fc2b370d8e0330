"""Viterbi by hand: the student fills in one column at a time; cells are marked, hinted, revealed and scored."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.hidden_markov_models.formulas import worked_candidates
from core.figures.hidden_markov_models.paths import hand_figure
from core.figures.hidden_markov_models.tables import table_figure
from core.lesson.break_it import consequence
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.hidden_markov_models.decoding import Decoded, decode, underflow
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
from core.models.hidden_markov_models.viterbi import Lattice, check_column, fill_lattice, viterbi_of_products
from core.models.hidden_markov_models.what_if import without_neighbours
from core.text.samples.products import read_product
from pages.hidden_markov_models.shared.hmm_choice import choose_model, choose_sentence, model_of, no_such_path
from pages.hidden_markov_models.shared.hmm_take_away import SOURCES, model_cell

LESSON = Lesson(
    __name__,
    title="Viterbi by hand",
    question="Can you fill in the table yourself?",
    icon="pencil",
)
WORDS_AT_MOST = 10
FIELDS_IN_A_ROW = 4
EXAMPLE = "0.9 * 0.7"  # how a product is written; no cell of the lessons' own examples has it
VERDICTS = {True: "✓ right", False: "✗ not yet", None: " "}


def picture() -> Figure:
    """A diary's table of scores of which two columns are filled in."""
    model, words = ice_cream_diary(), "3 1 3 2".split()
    return card(
        hand_figure(decode(model, words), underflow(model, words), 2, [None, None], [], revealed=False)
    )


def page() -> None:
    """The table with a column to fill in; its fields; what it is filled in from; every number filled in so far."""
    LESSON.open(
        r"v_1(j) = \pi_j\, b_j(o_1) \qquad v_t(j) = \max_i\; v_{t-1}(i)\, a_{ij}\, b_j(o_t)",
        "$\\pi_j$: the initial probability of state $j$; $a_{ij}$: the transition from $i$ to $j$; $b_j(o_t)$: the "
        "emission of word $t$ in state $j$; $v_t(j)$: the probability of the best path that ends in $j$ at word $t$.",
        asks=False,
    )
    controls, stage = LESSON.stage()
    with controls:
        name = choose_model(LESSON, without=("tagger",))
        words = choose_sentence(LESSON, name)
        if len(words) > WORDS_AT_MOST:
            st.info(f"By hand, the first {WORDS_AT_MOST} of the {len(words)} words are enough.")
            words = words[:WORDS_AT_MOST]
        broken = LESSON.break_it(
            "even",
            "Break it: every transition equally likely",
            "Then the best state of each word can be chosen on its own, and there is nothing to trace back.",
        )
    whole = model = model_of(name)
    if broken:
        model = without_neighbours(model)
    decoded, lattice = decode(model, words), underflow(model, words)
    with stage:
        if possible := not no_such_path(decoded):
            steps = [f"fill in column {t}" for t in range(1, len(words) + 1)]
            column = LESSON.step([*steps, "trace the best path back"])
            place = st.container()
            attempt = column_form(name, decoded, lattice, column)
            filled = min(column + attempt.filled, len(words))
            with place:
                LESSON.figure(
                    "figure",
                    hand_figure(decoded, lattice, column, attempt.right, attempt.came, attempt.revealed),
                    f"The table of scores, {filled} of {len(words)} columns filled in",
                )
                LESSON.caption(progress(name, decoded, column, attempt))
                tell_cells(decoded, lattice)
                if broken and filled <= 1:
                    st.caption(
                        "Column 1 has no transition in it, so it is as it was; from column 2 on every score has one."
                    )
    if possible:
        for box, (title, (values, rows, columns)) in zip(
            st.columns(2), given(decoded, column).items(), strict=False
        ):
            with box:
                st.caption(title)
                LESSON.figure(title[:5], table_figure(values, rows, columns, ".4g"), title)
        if broken:
            path = decode(whole, words).viterbi.path
            same = float(np.mean(np.array(path) == np.array(decoded.viterbi.path)))
            consequence("Words with the state of the true model's best path", 1.0, same, ".0%")
        filled_in(decoded, lattice, filled)
    LESSON.closing(
        code=[viterbi_of_products, fill_lattice, check_column],
        notebook=[
            model_cell(name),
            "from core.models.hidden_markov_models.decoding import underflow\n\n"
            f"words = {words!r}\nlattice = underflow(model, words)\nlattice.scores, lattice.backpointers, lattice.path",
        ],
        plot=(
            "from core.figures.hidden_markov_models.paths import paths_figure\n\n"
            'draw(paths_figure(words, model.states, {"Viterbi": lattice.path}))'
        ),
        try_this=[
            ("A diary of two days: four numbers, and greedy is already wrong", {"diary_sentence": "2 1"}),
            ("Three states: they can fish", {"model": "toy", "toy_sentence": "they can fish"}),
            (
                "Every transition equal: why do all possible cells of a column come from the same state?",
                {"even": True, "step": 2},
            ),
        ],
        sources=SOURCES,
    )


@dataclass
class Attempt:
    """What a student has done with one column: marks of scores and of predecessors, None where not checked."""

    right: list[bool | None]
    came: list[bool | None]
    hinted: bool = False
    revealed: bool = False
    first: list[bool] = field(default_factory=list)  # marks of the first check, which alone count

    @property
    def done(self) -> bool:
        """Every score is right."""
        return bool(self.right) and all(self.right)

    @property
    def filled(self) -> bool:
        """Every score stands in the table: all are right, or the answer was shown."""
        return self.revealed or self.done


def problem_of(name: str, decoded: Decoded) -> str:
    """Return a short name for a model and sentence: another one is another problem."""
    tables = decoded.model.log_transition.tobytes() + decoded.emissions.log_emission.tobytes()
    return sha256(f"{name} {decoded.emissions.words}".encode() + tables).hexdigest()[:10]


def attempts() -> dict[tuple[str, int], Attempt]:
    """Return the session's attempts, {(problem, column): attempt}."""
    if LESSON.get_state("attempts") is None:
        LESSON.set_state("attempts", {})
    return LESSON.get_state("attempts")


def attempt_at(problem: str, column: int, states: int) -> Attempt:
    """Return the student's attempt at a column, a new one when there is none."""
    return attempts().setdefault((problem, column), Attempt([None] * states, [None] * states))


def tell_cells(decoded: Decoded, lattice: Lattice) -> None:
    """Keep for the tour the numbers that the first two columns are filled in from, and what comes of them."""
    model, states = decoded.model, decoded.model.states
    n, K = lattice.scores.shape
    emission, transition = np.exp(decoded.emissions.log_emission), np.exp(model.log_transition)
    found = {
        "days": n,
        "cells": n * K,
        "top": states[0],
        "bottom": states[-1],
        "initial": np.exp(model.log_initial[0]),
        "emission": emission[0, 0],
        "first_top": lattice.scores[0, 0],
        "first_bottom": lattice.scores[0, -1],
        "top_to_bottom": transition[0, -1],
        "bottom_to_bottom": transition[-1, -1],
        "path": " → ".join(decoded.tags(lattice.path)),
        "end": lattice.final.max(),
    }
    if n > 1:
        found |= {
            "second_emission": emission[1, -1],
            "from_top": lattice.candidates[1, 0, -1],
            "from_bottom": lattice.candidates[1, -1, -1],
            "came": states[lattice.backpointers[1, -1]],
        }
    LESSON.set_values(
        **{name: each if isinstance(each, str) else f"{each:.4g}" for name, each in found.items()}
    )


def progress(name: str, decoded: Decoded, column: int, attempt: Attempt) -> str:
    """Say how far the student is, and how many fields were right at once."""
    words, problem = decoded.emissions.words, problem_of(name, decoded)
    marks = [mark for (of, _), tried in attempts().items() if of == problem for mark in tried.first]
    if marks:
        return f"Right at the first check, without a hint: {sum(marks)} of {len(marks)}."
    if column == len(words):
        best = (
            "best cell"
            if decoded.model.log_end is None
            else "cell that is best once it is multiplied by its end"
        )
        if len(words) == 1:
            return f"The only column's {best} is the whole path."
        return f"Follow the arrows to the left, from the last column's {best}."
    computed = (column + attempt.filled) * len(decoded.model.states)
    method = (
        "its initial probability times its emission"
        if column == 0
        else "the largest product of a score before and its transition, times its emission"
    )
    return f"{computed} of {len(words) * len(decoded.model.states)} scores are filled in. A state's score here: {method}."


def column_form(name: str, decoded: Decoded, lattice: Lattice, column: int) -> Attempt:
    """Draw the fields of a column (or, past the last one, of the path traced back), and return the attempt."""
    states, problem, n = decoded.model.states, problem_of(name, decoded), len(lattice.scores)
    attempt, prefix = attempt_at(problem, column, len(states)), f"{problem}_{column}"
    with LESSON.form(f"{prefix}_form"):
        count = n if column == n else len(states)
        for start in range(0, count, FIELDS_IN_A_ROW):
            for place, box in enumerate(st.columns(FIELDS_IN_A_ROW), start):
                if place < count:
                    with box:
                        draw = path_field if column == n else score_fields
                        draw(prefix, decoded, column, place, attempt)
        with st.container(horizontal=True):
            LESSON.submit(f"{prefix}_check", "Check", mark, problem, column, lattice, states)
            LESSON.submit(f"{prefix}_hint", "Hint", set_to_true, attempt, "hinted")
            LESSON.submit(f"{prefix}_reveal", "Show the answer", set_to_true, attempt, "revealed")
        st.caption(f"Type a number or a product, such as {EXAMPLE}. One per cent off still counts as right.")
    show_help(decoded, lattice, column, attempt)
    return attempt


def score_fields(prefix: str, decoded: Decoded, column: int, j: int, attempt: Attempt) -> None:
    """Draw the fields of one cell: its score and, but in the first column, the state it came from."""
    states = decoded.model.states
    LESSON.answer(f"{prefix}_score_{j}", f"Score of {plain(states[j])}", max_chars=60, placeholder=EXAMPLE)
    st.text(VERDICTS[attempt.right[j]])
    if column > 0:
        LESSON.answer(f"{prefix}_came_{j}", f"{plain(states[j])} came from", states, placeholder="state")
        st.text(VERDICTS[attempt.came[j]])


def path_field(prefix: str, decoded: Decoded, column: int, t: int, attempt: Attempt) -> None:
    """Draw the field of one word's state on the best path."""
    label = f"{t + 1}: {plain(decoded.emissions.words[t][:20])}"
    LESSON.answer(f"{prefix}_traced_{t}", label, decoded.model.states, placeholder="state")
    st.text(VERDICTS[attempt.right[t] if t < len(attempt.right) else None])


def mark(problem: str, column: int, lattice: Lattice, states: tuple[str, ...]) -> None:
    """Mark what was typed into a column's fields; the first marks, if nothing was revealed, are kept as its score."""
    attempt, prefix = attempt_at(problem, column, len(states)), f"{problem}_{column}"
    if column == len(lattice.scores):  # tracing back: one state a word
        told = [LESSON.get_state(f"{prefix}_traced_{t}") for t in range(column)]
        attempt.right = [
            None if state is None else state == states[best]
            for state, best in zip(told, lattice.path, strict=True)
        ]
        attempt.came = []
    else:
        typed = [LESSON.get_state(f"{prefix}_score_{j}") or "" for j in range(len(states))]
        marks = check_column(lattice.scores[column], [read_product(text) for text in typed])
        attempt.right = [
            bool(right) if text.strip() else None for right, text in zip(marks, typed, strict=True)
        ]
        came = [LESSON.get_state(f"{prefix}_came_{j}") for j in range(len(states))]
        attempt.came = [
            None
            if state is None
            else bool(lattice.candidates[column, states.index(state), j] == lattice.scores[column, j])
            for j, state in enumerate(came)
        ]
    marks = [each for each in (*attempt.right, *attempt.came) if each is not None]
    if marks and not attempt.first and not attempt.revealed:
        attempt.first = [each and not attempt.hinted for each in marks]


def set_to_true(attempt: Attempt, what: str) -> None:
    """Note that a hint, or the answer, was asked for."""
    setattr(attempt, what, True)


def show_help(decoded: Decoded, lattice: Lattice, column: int, attempt: Attempt) -> None:
    """Show what was asked for: the products of each cell, with their values only when the answer is to be shown."""
    if not (attempt.hinted or attempt.revealed):
        return
    if column < len(lattice.scores):
        for j in range(len(decoded.model.states)):
            st.latex(worked_candidates(decoded, lattice, column, j, attempt.revealed))
        return
    ends = (
        "each times the probability that the sentence ends there. "
        if decoded.model.log_end is not None
        else ""
    )
    st.markdown(
        f"Begin at the end: the largest number of the last column, {ends}Then follow “came from” to the left, word by "
        "word."
    )
    if attempt.revealed:
        st.text(" → ".join(decoded.tags(lattice.path)))


def given(decoded: Decoded, column: int) -> dict[str, tuple[np.ndarray, list[str], list[str]]]:
    """Return the tables a column is filled in from: {title: (values, rows, columns)}."""
    model, states = decoded.model, list(decoded.model.states)
    ends = ["end"] if model.log_end is not None else []
    if column == len(decoded.emissions.words):
        return {"Ends": (np.exp(model.log_end)[:, None], states, ends)} if ends else {}
    emission = np.exp(decoded.emissions.log_emission[column])[:, None]
    tables = {"Emissions of this word": (emission, states, [decoded.emissions.words[column]])}
    if column == 0:
        return {"Initial": (np.exp(model.log_initial)[:, None], states, ["start"]), **tables}
    return {"Transitions, from row to column": (np.exp(model.log_transition), states, states), **tables}


def filled_in(decoded: Decoded, lattice: Lattice, columns: int) -> None:
    """Show the cells of the columns that are filled in, under "Every number"."""
    states, words = decoded.model.states, decoded.emissions.words
    rows = [
        {
            "word": words[t],
            "state": states[j],
            "score": f"{lattice.scores[t, j]:.6g}",
            "came from": states[lattice.backpointers[t, j]] if t else "",
        }
        for t in range(min(columns, len(words)))
        for j in range(len(states))
    ]

    def formula(row: int, column: str) -> str | None:
        t, j = divmod(row, len(states))
        return worked_candidates(decoded, lattice, t, j, True) if column in ("score", "came from") else None

    table = pd.DataFrame(rows, columns=["word", "state", "score", "came from"])
    LESSON.every_number("scores", lambda: (table, formula))
