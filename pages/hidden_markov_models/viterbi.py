"""The Viterbi lattice: stepped cell by cell on any sentence, in logarithms or raw probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.figures.card import card
from core.figures.hidden_markov_models.hmm import best_scores_figure, paths_figure, worked_cell
from core.figures.hidden_markov_models.lattice import lattice_payload
from core.lesson.break_it import consequence
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.hmm import Decoded, decode, trace_back, underflow, viterbi
from core.models.hidden_markov_models.hmm_tables import noun_verb_toy
from pages.hidden_markov_models.parts.hmm_choice import (
    WINDOW,
    choose_model,
    choose_sentence,
    model_of,
    no_such_path,
)
from pages.hidden_markov_models.parts.hmm_take_away import SOURCES, model_cell
from pages.hidden_markov_models.parts.unseen_words import unseen_words

LESSON = Lesson(
    __name__,
    title="The Viterbi lattice",
    question="Which path through the hidden states explains the words best?",
    icon="🪜",
)


def picture() -> go.Figure:
    """The best path through the lattice of the noun/verb toy."""
    words = "they watch can fish".split()
    decoded = decode(noun_verb_toy(), words)
    return card(paths_figure(words, decoded.model.states, {"Viterbi": decoded.viterbi.path}))


def page() -> None:
    """A sentence's lattice; why it adds logarithms; the words it never saw; every score."""
    LESSON.open(
        r"v_1(j) = \pi_j\, b_j(o_1) \qquad v_t(j) = \max_i\; v_{t-1}(i)\, a_{ij}\, b_j(o_t) \qquad "
        r"\text{came from}_t(j) = \operatorname*{argmax}_i\; v_{t-1}(i)\, a_{ij}",
        "$\\pi_j$: initial probability of state $j$ (`log_initial`). $a_{ij}$: transition from $i$ to $j$ "
        "(`log_transition`). $b_j(o_t)$: emission of word $t$ in state $j$ (`log_emission`). $v_t(j)$: `scores`. "
        "With logarithms every product is a sum. Ties go to the state listed first.",
    )
    controls, stage = LESSON.columns(4)
    with controls:
        name = choose_model(LESSON)
        model = model_of(name)
        sentence = choose_sentence(LESSON, name)
        repeated = LESSON.slider(
            "repeat",
            "Repeat the sentence",
            1,
            40,
            help="A long sentence without typing one: see what becomes of its probability.",
        )
        words = sentence * repeated
        broken = LESSON.break_it(
            "multiply",
            "Break it: multiply in 32 bits instead of adding logarithms",
            "Probabilities smaller than 1e-45 become 0 in 32-bit numbers, and below 5e-324 in 64-bit ones.",
        )
    decoded = decode(model, words)
    raw = underflow(model, words, np.float32 if broken else np.float64)
    with stage:
        if possible := not no_such_path(decoded):
            first_state = decoded.tags(decoded.viterbi.path)[0]
            about = f"{name}_{' '.join(words)[:200]}_{len(words)}"
            question = "In which state is the first word on the best path?"
            if LESSON.ask(question, list(model.states), first_state, about):
                first = first_drawn(words)
                LESSON.view("lattice", lattice_payload(decoded, raw, first, WINDOW), on={"first": show_from})
                score_table(decoded, first)

    if possible:
        st.header("Why logarithms?", anchor=False)
        st.markdown(
            "Every word multiplies the score by numbers below 1. A computer's number cannot be arbitrarily small: below "
            "its limit it becomes 0, every candidate ties at 0, and the path is lost. Sums of logarithms never get there."
        )
        draw_underflow(decoded, words)
        if broken:
            same = np.mean(np.array(raw.path) == np.array(decoded.viterbi.path))
            consequence("Words with the best path's state", 1.0, float(same), ".0%")
        st.header("Words it never saw", anchor=False)
        unseen_words(LESSON, model, decoded.emissions.unseen)
    LESSON.closing(
        code=[viterbi, trace_back, underflow],
        notebook=[
            model_cell(name),
            "from core.models.hidden_markov_models.hmm import decode\n\n"
            f"decoded = decode(model, {words!r})\ndecoded.tags(decoded.viterbi.path), decoded.viterbi.scores",
        ],
        try_this=[
            (
                "Step through: they can fish. Where does “can” become a verb?",
                {"model": "toy", "toy_sentence": "they can fish"},
            ),
            (
                "200 words: watch raw probabilities die",
                {"model": "tagger", "repeat": 20, "multiply": True},
            ),
            (
                "Words that nobody has seen",
                {"model": "tagger", "tagger_sentence": "The blorfy wugs glimped quietly in Zanderdam ."},
            ),
        ],
        sources=SOURCES,
    )


def first_drawn(words: Sequence[str]) -> int:
    """Return the place of the first word drawn: of a long sentence only a window is."""
    first = int(LESSON.linked("first", "0"))
    return first if first < len(words) else 0


def show_from(first: int) -> None:
    """Draw the window that the learner turned to in the view."""
    LESSON.link("first", first)


def draw_underflow(decoded: Decoded, words: Sequence[str]) -> None:
    """Draw each word's best score as logarithms keep it and as products lose it."""
    rounded = {
        "products, 64 bits": underflow(decoded.model, words),
        "products, 32 bits": underflow(decoded.model, words, np.float32),
    }
    ends = {
        name: "never 0" if lattice.underflow is None else f"0 from word {lattice.underflow + 1}"
        for name, lattice in rounded.items()
    }
    LESSON.figure(
        "underflow",
        best_scores_figure(decoded.viterbi, rounded),
        "Best score of each word; " + "; ".join(f"{name}: {end}" for name, end in ends.items()),
    )


def score_table(decoded: Decoded, first: int) -> None:
    """Show the cells of the words that are drawn, under "Every number"."""
    words, states, lattice = decoded.emissions.words, decoded.model.states, decoded.viterbi
    rows = [
        {
            "place": t + 1,
            "word": words[t],
            "state": state,
            "ln score": float(lattice.scores[t, j]),
            "score": f"{math.exp(lattice.scores[t, j]):.6g}",
            "came from": states[lattice.backpointers[t, j]] if t else "",
            "on the best path": lattice.path[t] == j,
        }
        for t in range(first, min(first + WINDOW, len(words)))
        for j, state in enumerate(states)
    ]

    def formula(row: int, column: str) -> str | None:
        t, j = divmod(row, len(states))
        return worked_cell(decoded, first + t, j, column == "score") if "score" in column else None

    LESSON.every_number("scores", pd.DataFrame(rows), formula)
