"""The Viterbi lattice: stepped cell by cell on any sentence, in logarithms or raw probabilities."""

import numpy as np
import streamlit as st

from core.figures.hidden_markov_models.lattice import lattice_payload
from core.lesson.break_it import break_it, consequence
from core.lesson.browser_view import browser_view
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.hidden_markov_models.hmm import decode, trace_back, underflow, viterbi
from pages.hidden_markov_models.parts.hmm_choice import (
    WINDOW,
    choose_model,
    choose_sentence,
    model_of,
    no_such_path,
)
from pages.hidden_markov_models.parts.hmm_pictures import viterbi as card_picture
from pages.hidden_markov_models.parts.hmm_take_away import SOURCES, model_cell
from pages.hidden_markov_models.parts.score_table import score_table
from pages.hidden_markov_models.parts.underflow import why_logarithms
from pages.hidden_markov_models.parts.unseen_words import unseen_words

LESSON = Lesson(
    __name__,
    title="The Viterbi lattice",
    question="Which path through the hidden states explains the words best?",
    icon="🪜",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"v_1(j) = \pi_j\, b_j(o_1) \qquad v_t(j) = \max_i\; v_{t-1}(i)\, a_{ij}\, b_j(o_t) \qquad "
        r"\text{came from}_t(j) = \operatorname*{argmax}_i\; v_{t-1}(i)\, a_{ij}",
        "$\\pi_j$: initial probability of state $j$ (`log_initial`). $a_{ij}$: transition from $i$ to $j$ "
        "(`log_transition`). $b_j(o_t)$: emission of word $t$ in state $j$ (`log_emission`). $v_t(j)$: `scores`. "
        "With logarithms every product is a sum. Ties go to the state listed first.",
    )
    controls, picture = st.columns([1, 4], gap="medium")
    with controls:
        name = choose_model(LESSON)
        model = model_of(name)
        words = choose_sentence(LESSON, name)
        repeated = st.slider(
            "Repeat the sentence",
            1,
            40,
            key=f"{LESSON}_repeat",
            bind="query-params",
            help="A long sentence without typing one: see what becomes of its probability.",
        )
        words = words * repeated
        broken = break_it(
            LESSON,
            "multiply",
            "Break it: multiply in 32 bits instead of adding logarithms",
            "Probabilities smaller than 1e-45 become 0 in 32-bit numbers, and below 5e-324 in 64-bit ones.",
        )
    decoded = decode(model, words)
    raw = underflow(model, words, np.float32 if broken else np.float64)
    with picture:
        if no_such_path(decoded):
            st.stop()
        tags = decoded.tags(decoded.viterbi.path)
        if predict_first(
            LESSON,
            "In which state is the first word on the best path?",
            list(model.states),
            tags[0],
            f"{name}_{' '.join(words)[:200]}_{len(words)}",
        ):
            first = st.session_state.get(f"{LESSON}_view", {}).get("first", 0)
            first = first if first < len(words) else 0
            browser_view(
                "lattice", lattice_payload(decoded, raw, first, WINDOW), f"{LESSON}_view", {"first": first}
            )
        else:
            st.stop()

    why_logarithms(LESSON, decoded, words)
    if broken:
        same = sum(a == b for a, b in zip(raw.path, decoded.viterbi.path, strict=True)) / len(words)
        consequence("Words with the best path's state", 1.0, same, ".0%")

    guesses = {
        word: guess
        for word, reading, guess in zip(
            words, decoded.emissions.readings, decoded.emissions.guesses, strict=True
        )
        if reading is None
    }
    unseen_words(LESSON, model, guesses)

    score_table(LESSON, decoded, first, WINDOW)
    code_that_ran(viterbi, trace_back)
    take_away(
        LESSON,
        [
            model_cell(name),
            "from core.models.hidden_markov_models.hmm import decode\n\n"
            f"decoded = decode(model, {words!r})\ndecoded.tags(decoded.viterbi.path), decoded.viterbi.scores",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "Step through: they can fish. Where does “can” become a verb?",
                {"model": "toy", "toy_sentence": "they can fish"},
            ),
            ("200 words: watch raw probabilities die", {"model": "tagger", "repeat": 20, "multiply": True}),
            (
                "Words that nobody has seen",
                {"model": "tagger", "tagger_sentence": "The blorfy wugs glimped quietly in Zanderdam ."},
            ),
        ],
        SOURCES,
    )
