"""Change the world: edit a model's tables and watch the best path flip."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.hidden_markov_models.curves import sweep_figure
from core.figures.hidden_markov_models.formulas import worked_flip
from core.figures.worked import how_often, percent, signed
from core.lesson.break_it import consequence
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.decoding import Decoded, decode
from core.models.hidden_markov_models.edited_tables import (
    edits_between,
    grids_of,
    model_of_grids,
    read_edits,
    with_edits,
    write_edits,
)
from core.models.hidden_markov_models.flips import best_paths, curves_of, next_crossing
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import from_probabilities, ice_cream_diary
from core.models.hidden_markov_models.what_if import cells_of, rows_of, with_probability, without_words
from pages.hidden_markov_models.shared.given_tables import END
from pages.hidden_markov_models.shared.hmm_choice import (
    choose_model,
    choose_sentence,
    keep_own_model,
    model_of,
    no_such_path,
)
from pages.hidden_markov_models.shared.hmm_paths import show_paths
from pages.hidden_markov_models.shared.hmm_take_away import SOURCES, tables_cell
from pages.hidden_markov_models.shared.path_factors import path_factors

LESSON = Lesson(
    __name__,
    title="Change the world",
    question="Which probability must change before the best path flips?",
    icon="sliders-vertical",
)
SWEPT_AT_MOST = 60  # words of the sentence; longer ones are looked at on their first words, and said so
EDITED_AT_MOST = 40  # wider emission tables than this are not edited by hand
TITLES = {
    "initial": "Initial probabilities",
    "transition": "Transitions, from row to column",
    "emission": "Emissions of each state",
}


def picture() -> Figure:
    """ln p of the best path as p(hot | start) goes from 0 to 1: where the colour changes the path flips."""
    model = ice_cream_diary()
    stretches = best_paths(model, "3 1 3 2 1".split(), "initial", 0, 0)
    return small(sweep_figure(stretches, model.states, float(np.exp(model.log_initial[0])), ""))


def page() -> None:
    """The best paths before and after the edits; the tables to edit; where one probability flips the path."""
    LESSON.open(
        r"\sum_j \pi_j = 1 \qquad \sum_j a_{ij} + a_{i,\text{end}} = 1 \qquad \sum_w b_i(w) = 1",
        "$\\pi$: how likely each state is first. $a_{ij}$: how likely state $j$ follows $i$. $b_i(w)$: how likely state "
        "$i$ emits the word $w$. Each row is everything that can happen, so it sums to one.",
    )
    controls, stage = LESSON.stage()
    with controls:
        name = choose_model(LESSON, without=("tagger",))
        words = choose_sentence(LESSON, name)
        broken = LESSON.break_it(
            "mute", "Break it: the words say nothing", "Every state emits every word equally often."
        )
    place = stage.container()
    with stage:
        st.caption("Change any number: a row that does not sum to one is refused.")
        original = model_of(name)
        edited = edit_tables(name, original)
    # What is compared: the tables as they were and as they are; or, broken, as they are, with the words and without.
    whole, model = (edited, without_words(edited)) if broken else (original, edited)
    before_name, now_name = (
        ("with the words", "without the words") if broken else ("original tables", "your tables")
    )
    before, now = decode(whole, words), decode(model, words)
    flipped = before.viterbi.path != now.viterbi.path
    with place:
        possible = not no_such_path(now)
        tables = now.model.log_transition.tobytes() + now.model.log_emission.tobytes()
        if possible and LESSON.ask(
            "Without what the words say, is the best path still the same?"
            if broken
            else "Is the best path still the one of the tables before you changed them?",
            ["the same", "another"],
            "another" if flipped else "the same",
            f"{name}_{hash((tuple(words), tables))}",
        ):
            show_paths(
                LESSON,
                now,
                {now_name: now.viterbi.path, before_name: before.viterbi.path},
                f"The best path {'flipped' if flipped else 'is the same'}: {before_name}, {now_name}",
            )
            ln_p, before_ln_p = (signed(each.viterbi.log_probability, 4) for each in (now, before))
            LESSON.caption(
                f"The path {'flipped' if flipped else 'is the same'}: ln p = {ln_p} ({before_name}: {before_ln_p}). "
                f"It has {percent(now.posterior)} of the probability of all paths."
            )
            LESSON.set_values(
                path=path_of(now),
                path_before=path_of(before),
                ln_p=ln_p,
                ln_p_before=before_ln_p,
                share=percent(now.posterior),
                verdict="It flips." if flipped else "It stays the same.",
            )
            path_factors(
                LESSON,
                words,
                {now_name: (model, now.viterbi.path), before_name: (whole, before.viterbi.path)},
            )
    if broken:
        same = float(np.mean(np.array(before.viterbi.path) == np.array(now.viterbi.path)))
        consequence("Words that keep their state", 1.0, same, ".0%")
    LESSON.button(
        "keep",
        f"Use these tables{', not broken,' if broken else ''} in the other lessons, as “yours”",
        *(keep_own_model, edited),
    )
    if possible:
        st.header("Where does the path flip?", anchor=False)
        where_it_flips(name, model, words)
    LESSON.closing(
        code=[from_probabilities, with_probability, best_paths, curves_of, next_crossing],
        notebook=[
            tables_cell(edited),
            "from core.models.hidden_markov_models.decoding import decode\n\n"
            f"decoded = decode(model, {words!r})\ndecoded.viterbi",
        ],
        plot=(
            "from core.figures.hidden_markov_models.paths import paths_figure\n\n"
            'draw(paths_figure(decoded.emissions.words, model.states, {"Viterbi": decoded.viterbi.path}))'
        ),
        try_this=[
            (
                "p(cold | hot) is 0.9 and p(hot | hot) 0.1: which of the days 3 3 3 turns cold?",
                {
                    "model": "diary",
                    "diary_sentence": "3 3 3",
                    "diary_edits": "transition.0.0:0.1 transition.0.1:0.9",
                },
            ),
            (
                "How likely must “fish” be as a verb before “they can fish” flips?",
                {"model": "toy", "toy_sentence": "they can fish", "toy_cell": "p(fish | VERB)"},
            ),
            ("The words say nothing: which path remains?", {"mute": True}),
        ],
        sources=SOURCES,
    )


def path_of(decoded: Decoded) -> str:
    """Return the first states of the best path, as it is written in a sentence."""
    tags = decoded.tags(decoded.viterbi.path)
    return " → ".join(tags[:12]) + (" …" if len(tags) > 12 else "")


def edit_tables(name: str, model: HiddenMarkovModel) -> HiddenMarkovModel:
    """Draw the grids of a model and return the model they describe; the edits are in the address, as numbers.

    While a row is no distribution a sentence says so, and the last tables that were right are returned; the address
    keeps their edits too.
    """
    grids, version = grids_of(model), begin_again(name)
    begun = with_edits(grids, read_edits(LESSON.get_state(f"{name}_begun", "")))
    places = [*st.columns([1, 1.2], gap="small"), st.container()]  # emissions are wide: a line of their own
    edited = {}
    for box, (table, title) in zip(places, TITLES.items(), strict=True):
        frame = pd.DataFrame(begun[table], *names_of(model, table)).rename_axis("state")
        with box:
            st.caption(title)
            if table == "emission" and len(frame.columns) > EDITED_AT_MOST:
                st.dataframe(frame.T, alt=title)
            else:
                frame = LESSON.edit_table(f"{name}_{table}_{version}", frame, disabled=["_index"])
        edited[table] = frame.to_numpy(dtype=float)
    LESSON.button("undo", "Undo all changes", undo, name)
    edits = write_edits(edits_between(grids, edited))
    last_right = LESSON.get_state(f"{name}_right_edits", LESSON.get_query(f"{name}_last_right"))
    try:
        right, last_right, wrong = model_of_grids(model, edited), edits, False
    except ValueError as error:
        st.warning(f"{error} Until then the picture shows the last tables that were right.")
        right, wrong = model_with_edits(model, grids, last_right), True
    LESSON.set_state(f"{name}_right_edits", last_right)
    remember(name, edits, last_right if wrong else "")
    return right


def model_with_edits(model: HiddenMarkovModel, grids: dict[str, np.ndarray], edits: str) -> HiddenMarkovModel:
    """Return a model with written edits made in its grids; as it is where they make no distributions."""
    try:
        return model_of_grids(model, with_edits(grids, read_edits(edits)))
    except ValueError:
        return model


def begin_again(name: str) -> int:
    """Return which editing of a model's tables this is: other edits, of a link or a prompt, or a return to it begin one."""
    kept, version = LESSON.get_state(f"{name}_kept"), LESSON.get_state(f"{name}_version", 0)
    given = "" if name == "yours" else LESSON.get_query(f"{name}_edits")
    away = (
        LESSON.get_state(f"{name}_transition_{version}") is None
    )  # the grids were not drawn in the last run
    if kept is None or away or (given and given != kept):
        version += 1
        LESSON.set_state(f"{name}_version", version)
        LESSON.set_state(f"{name}_begun", given or kept or "")
        if given and given != kept:
            LESSON.pop_state(f"{name}_right_edits")
    return version


def remember(name: str, edits: str, last_right: str) -> None:
    """Keep a model's edits, and put them into the address; those of the learner's own model stay in the session."""
    LESSON.set_state(f"{name}_kept", edits)
    if name != "yours":
        LESSON.set_query(f"{name}_edits", edits or None)
        LESSON.set_query(f"{name}_last_right", last_right or None)


def undo(name: str) -> None:
    """Go back to the model's own tables."""
    LESSON.set_query(f"{name}_edits", None)
    LESSON.set_query(f"{name}_last_right", None)
    for kept in ("kept", "right_edits"):
        LESSON.pop_state(f"{name}_{kept}")


def names_of(model: HiddenMarkovModel, table: str) -> tuple[list[str], list[str]]:
    """Return the names of a grid's rows and columns."""
    states = list(model.states)
    if table == "initial":
        return ["start"], states
    if table == "emission":
        return states, list(model.vocabulary)
    return states, states if model.log_end is None else [*states, END]


def where_it_flips(name: str, model: HiddenMarkovModel, words: Sequence[str]) -> None:
    """Draw the choice of one probability and the best path for each of its values."""
    cells, swept_words = cells_of(model, words), list(words[:SWEPT_AT_MOST])
    left, right = st.columns([1, 3], gap="medium")
    with left:
        cell = LESSON.select(f"{name}_cell", "One probability, from 0 to 1", list(cells))
        stretches = best_paths(model, swept_words, *cells[cell])
        st.caption("The others of its row are scaled, so that the row sums to one all the way.")
        if len(words) > SWEPT_AT_MOST:
            st.caption(f"On the first {SWEPT_AT_MOST} of the {len(words)} words.")
        flips = [stretch.start for stretch in stretches[1:]]
        found = (
            "Flips at p = " + ", ".join(f"{value:.4f}" for value in flips)
            if flips
            else "No value of this one probability flips the path."
        )
        st.text(found)
    with right:
        table, row, column = cells[cell]
        now = float(np.exp(rows_of(model, table)[row, column]))
        LESSON.set_values(cell=cell, now=f"{now:.4g}", flips=found)
        LESSON.figure(
            "sweep",
            sweep_figure(stretches, model.states, now, cell),
            f"The best path for each value of one probability; it flips {how_often(len(flips))}",
        )
        for before, after in pairwise(stretches):
            st.latex(worked_flip(before, after))
