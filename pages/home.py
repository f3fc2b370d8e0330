"""The home page: the visitor's own sentence read by a small model, then every lesson as a card, a link with its picture."""

import logging
from functools import cache
from math import exp, log

import streamlit as st

import pages
from core.figures.figure import Figure, bar
from core.figures.still import still
from core.figures.worked import plain_number
from core.lesson.browser_view import browser_view
from core.lesson.lesson import Lesson
from core.lesson.tour import minutes
from core.models.stored import StoredModelError
from core.models.stored_language_models import encode, stored_language_model

SENTENCE = "To be, or not to bee: that is the quesadilla."
MODEL, AT_MOST = "char_ngram", 120
FULL = 12  # bits of the strongest colour
BEFORE = 12  # characters quoted before the least expected one


@cache
def cards() -> dict:
    """Return what the view draws: the subjects with their lessons, each with its picture, drawn once for all sessions."""
    subjects = [
        {
            "title": subject.TITLE,
            "lessons": [
                {
                    "name": lesson.name,
                    "title": lesson.title,
                    "question": lesson.question,
                    "icon": lesson.icon,
                    "picture": picture_of(lesson),
                    "minutes": minutes(lesson.name),
                    "after": list(pages.BUILDS_ON.get(lesson.name, ())),
                }
                for lesson in (module.LESSON for module in subject.LESSONS)
            ],
        }
        for subject in pages.SUBJECTS
    ]
    return {"subjects": subjects}


def picture_of(lesson: Lesson) -> str:
    """Return the picture of a lesson's card; a plain one where the stored model that it shows is not here."""
    try:
        return still(lesson.picture())
    except StoredModelError as error:
        logging.getLogger("attend").warning("%s: %s", lesson.title, error)
        return still(Figure(bar(x=["its model is not here"], y=[0])))


def reading(sentence: str) -> dict:
    """Return what the model thought of a sentence: the bits of each character, and a sentence that says it."""
    model, ids = stored_language_model(MODEL), encode(MODEL, sentence[:AT_MOST]).ids
    characters = [model.vocabulary[i] for i in ids]
    logs = [] if not ids else model.token_log_probabilities(ids).tolist()
    after = model.log_probabilities(ids)
    likeliest = int(after.argmax())
    bet = f"Next it would bet on {quoted(model.vocabulary[likeliest])}, p = {plain_number(exp(after[likeliest]), 2)}."
    says = f"A model that counted the characters of plays has read nothing yet. {bet}"
    if logs:
        least = min(range(len(logs)), key=logs.__getitem__)
        before = "".join(characters[max(0, least - BEFORE) : least])
        place = f"after {quoted(before)}" if before else "at the beginning"
        says = (
            f"A model that counted the characters of plays was most surprised by {quoted(characters[least])} {place}: "
            f"p = {plain_number(exp(logs[least]), 2)}. {bet}"
        )
    bits = [round(-value / log(2), 3) for value in logs]
    return {"sentence": sentence, "characters": characters, "bits": bits, "full": FULL, "says": says}


def quoted(characters: str) -> str:
    """Return characters in quotation marks, where a new line is an arrow and a space alone can be seen.

    >>> quoted(" "), quoted("to be")
    ('“␣”', '“to be”')
    """
    shown = characters.replace("\n", "↵")
    return f"“{'␣' if shown == ' ' else shown}”"


def take(sentence: str) -> None:
    """Keep the sentence that was typed, in this session only."""
    st.session_state["home_sentence"] = sentence


@st.fragment
def first_sentence() -> None:
    """Show the sentence and what the model thought of it; a keystroke runs this alone."""
    sentence = st.session_state.get("home_sentence", SENTENCE)
    try:
        read = reading(sentence)
    except StoredModelError as error:
        st.warning(str(error))
    else:
        browser_view("first_sentence", read, "home_first", on={"sentence": take})


def page() -> None:
    """Show what the course is by letting the visitor try it, then the lessons."""
    st.title("Attend: see how machines read")
    st.markdown(
        "An interactive course in natural-language processing. **Every number on screen is real**, computed by the "
        "code shown beside it, on a text that you choose, and small enough to check by hand."
    )
    first_sentence()
    browser_view("home", cards(), "home_cards")
