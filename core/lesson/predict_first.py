"""Predict first: hide an answer, take the learner's guess, then reveal it and keep the score."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

SCORE = "predict_first_score"


def _keep_score(key: str, answer: str) -> None:
    guess = st.session_state.get(key)
    right, asked = st.session_state.get(SCORE, (0, 0))
    if guess is not None:
        st.session_state[SCORE] = (right + (guess == answer), asked + 1)


def predict_first(lesson: str, question: str, choices: Sequence[str], answer: str, about: str = "") -> bool:
    """Ask `question` when the learner has switched predicting on; return whether the answer may be shown.

    `about` names what the question is about (a word, a step): a new one is a new question. One guess counts.
    """
    on = st.toggle(
        "Predict first",
        key=f"{lesson}_predict",
        bind="query-params",
        help="Hides the answer until you have guessed it, and keeps your score.",
    )
    if not on:
        return True
    key = f"{lesson}_guess_{about}"
    guessed = st.session_state.get(key)
    st.radio(
        question,
        choices,
        index=None,
        key=key,
        horizontal=True,
        disabled=guessed is not None,
        on_change=_keep_score,
        args=(key, answer),
    )
    right, asked = st.session_state.get(SCORE, (0, 0))
    if guessed is None:
        st.info("Guess, and the numbers appear.")
        return False
    verdict = "Right" if guessed == answer else f"Not this time: it is {answer}"
    st.text(f"{verdict}. Your score: {right} of {asked}.")
    return True
