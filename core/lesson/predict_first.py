"""Predict first: hide an answer until the learner has guessed it, and keep the score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass

import streamlit as st

from core.lesson.controls import Controls
from core.lesson.lab_words import LAB_WORDS
from core.lesson.live_values import wait_for_guess
from core.words.plain import plain

GUESSES = "predict_first_guesses"  # in the session: {key of the question: (guess, answer)}


@dataclass(frozen=True)
class Question:
    """A question with its choices and answer. `about` identifies it: a new `about` is a new question."""

    question: str
    choices: Sequence[str]
    answer: str
    about: str = ""


def _keep_guess(key: str, answer: str) -> None:
    st.session_state.setdefault(GUESSES, {})[key] = (st.session_state[key], answer)


def predict_first(
    lesson: Controls, question: str, choices: Sequence[str], answer: str, about: str = ""
) -> bool:
    """Ask `question` if the learner has switched "Predict first" on; return whether the answer may be shown.

    `about` identifies the question (a word, a step): a new `about` is a new question. Only the first guess counts.
    """
    if not lesson.get_state("predict"):
        return True
    key = lesson.key(f"guess_{about}")
    guesses = st.session_state.get(GUESSES, {})
    if key not in guesses:
        st.radio(
            plain(question),
            choices,
            index=None,
            format_func=plain,
            key=key,
            horizontal=True,
            on_change=_keep_guess,
            args=(key, answer),
        )
        st.info(LAB_WORDS.label("guess.open"))
        wait_for_guess()
        return False
    guess, truth = guesses[key]
    right = sum(guess == truth for guess, truth in guesses.values())
    verdict = "guess.right" if guess == truth else "guess.wrong"
    st.text(LAB_WORDS.label(verdict, guess=guess, truth=truth, right=right, n=len(guesses)))
    return True


def predict_in_turn(lesson: Controls, steps: int, question_of: Callable[[int], Question | None]) -> int:
    """Ask about one step after another; return how many steps may be shown, those before the first open question.

    A step whose question is None is not asked about. The result of the last guess is shown above the next question.
    """
    if not lesson.get_state("predict"):
        return steps
    guesses = st.session_state.get(GUESSES, {})
    answered = None
    for place in range(steps):
        question = question_of(place)
        if question is None:
            continue
        if lesson.key(f"guess_{question.about}") not in guesses:
            if answered:
                predict_first(lesson, *astuple(answered))
            predict_first(lesson, *astuple(question))
            return place
        answered = question
    if answered:
        predict_first(lesson, *astuple(answered))
    return steps
