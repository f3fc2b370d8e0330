"""Words that a model never saw: which they are, and what its suffix model thought of the one chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from core.figures.hidden_markov_models.formulas import worked_suffix
from core.figures.hidden_markov_models.tables import name_shape, suffix_figure
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.suffix_model import SuffixGuess
from pages.hidden_markov_models.shared import WORDS

LISTED_AT_MOST = 500
NAMED_AT_MOST = 20


def unseen_words(lesson: Lesson, model: HiddenMarkovModel, guesses: Mapping[str, SuffixGuess | None]) -> None:
    """Draw the choice of an unseen word and the opinion of its endings; say so when there is none."""
    if not guesses:
        st.text(WORDS.label("unseen.none"))
        return
    if model.unknown_words is None:
        st.text(
            WORDS.label("unseen.no_endings", listed=list(guesses)[:NAMED_AT_MOST], V=len(model.vocabulary))
        )
        return
    listed = list(guesses)[:LISTED_AT_MOST]
    linked = lesson.get_query("unseen_number")
    if lesson.get_state("unseen") is None and linked.isdecimal() and 1 <= int(linked) <= len(listed):
        lesson.set_state("unseen", listed[int(linked) - 1])
    chosen = lesson.answer(
        "unseen",
        WORDS.label("unseen", n=len(guesses)),
        listed,
        first=0,
        help=WORDS.label("unseen.help"),
    )
    # By its number: a word of the learner's own text is not for the address.
    lesson.set_query("unseen_number", listed.index(chosen) + 1 if chosen != listed[0] else None)
    guess = guesses[chosen]
    best = int(guess.tag_probabilities.argmax())
    tag = model.states[best]
    said = "unseen.ending" if guess.suffix else "unseen.no_ending"
    shape = WORDS.label("unseen.lower") if guess.shape == "lower" else name_shape(guess.shape)
    p = guess.tag_probabilities[best]
    st.text(WORDS.label(said, word=chosen, suffix=guess.suffix, shape=shape, tag=tag, p=p))
    lesson.figure("suffix", suffix_figure(guess, model.states), WORDS.label("unseen.alt", tag=tag))
    st.latex(worked_suffix(guess, model.unknown_words.weight, model.states, best))
    emission = guess.log_emission[best]
    if math.isfinite(emission):
        st.caption(WORDS.label("unseen.emission", ln=emission))
