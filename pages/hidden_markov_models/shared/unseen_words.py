"""Words that a model never saw: which they are, and what its suffix model thought of the one chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from core.figures.hidden_markov_models.formulas import worked_suffix
from core.figures.hidden_markov_models.tables import suffix_figure
from core.figures.worked import signed
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.suffix_model import SuffixGuess

LISTED_AT_MOST = 500


def unseen_words(lesson: Lesson, model: HiddenMarkovModel, guesses: Mapping[str, SuffixGuess | None]) -> None:
    """Draw the choice of an unseen word and the opinion of its endings; say so when there is none."""
    if not guesses:
        st.text("Every word here was seen in training. Put in one that you invent.")
        return
    if model.unknown_words is None:
        st.text(
            f"Never seen: {', '.join(list(guesses)[:20])}. This model has no endings to go by: every state emits an "
            f"unseen word with 1 / V = 1 / {len(model.vocabulary)}, so only the neighbours decide."
        )
        return
    listed = list(guesses)[:LISTED_AT_MOST]
    label = f"Unseen word ({len(guesses):,})"
    linked = lesson.get_query("unseen_number")
    if lesson.get_state("unseen") is None and linked.isdecimal() and 1 <= int(linked) <= len(listed):
        lesson.set_state("unseen", listed[int(linked) - 1])
    chosen = lesson.answer("unseen", label, listed, first=0, help="The words marked in the picture.")
    # By its number: a word of the learner's own text is not for the address.
    lesson.set_query("unseen_number", listed.index(chosen) + 1 if chosen != listed[0] else None)
    guess = guesses[chosen]
    best = int(guess.tag_probabilities.argmax())
    shape = "lower, without digit, capital or hyphen" if guess.shape == "lower" else guess.shape
    shared = (
        f"the longest ending that rare words of the training text share with it is “{guess.suffix}” (shape: {shape}). "
        "That speaks for"
        if guess.suffix
        else f"rare words of the training text share no ending with it (shape: {shape}). All of its shape speak for"
    )
    st.text(
        f"{chosen}: {shared} {model.states[best]}, p = {guess.tag_probabilities[best]:.3f}. "
        "Each row below is smoothed by the row above it."
    )
    lesson.figure(
        "suffix",
        suffix_figure(guess, model.states),
        f"Probability of each tag, ending by ending; the longest ending speaks for {model.states[best]}",
    )
    st.latex(worked_suffix(guess, model.unknown_words.weight, model.states, best))
    emission = guess.log_emission[best]
    if math.isfinite(emission):
        st.caption(
            f"Bayes' rule turns p(tag | ending) into the emission used: ln p(word | tag) = {signed(emission, 3)}."
        )
