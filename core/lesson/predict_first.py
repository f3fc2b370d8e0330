"""Predict first: hide an answer, take the learner's guess, then reveal it and keep the score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

import streamlit as st

from core.lesson.live_values import wait_for_a_guess
from core.lesson.plain import plain

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson

GUESSES = "predict_first_guesses"  # {question: (guess, answer)}, for the whole session


@dataclass(frozen=True)
class Question:
    """A question with its choices and its answer; `about` names what it is about: a new one is a new question."""

    question: str
    choices: Sequence[str]
    answer: str
    about: str = ""


def _keep_guess(key: str, answer: str) -> None:
    st.session_state.setdefault(GUESSES, {})[key] = (st.session_state[key], answer)


def predict_first(
    lesson: Lesson, question: str, choices: Sequence[str], answer: str, about: str = ""
) -> bool:
    """Ask `question` when the learner has switched predicting on; return whether the answer may be shown.

    The switch stands in the line of the title.

    `about` names what the question is about (a word, a step): a new one is a new question. One guess counts.
    """
    if not lesson.value("predict"):
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
        st.info("Guess, and the numbers appear.")
        wait_for_a_guess()
        return False
    guess, truth = guesses[key]
    right = sum(guess == truth for guess, truth in guesses.values())
    verdict = "Right" if guess == truth else f"You said {guess}; it is {truth}"
    st.text(f"{verdict}. Your score: {right} of {len(guesses)}.")
    return True


def predict_in_turn(lesson: Lesson, steps: int, question_of: Callable[[int], Question | None]) -> int:
    """Ask for one step after another, and return how many steps may be shown: those before the first open question.

    Nothing is asked about a step whose question is None. The verdict on the last guess stands above the next question.
    """
    if not lesson.value("predict"):
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
