"""The home page: the visitor's own sentence read by a small model, a search, paths through the course, and all lessons."""

from math import exp, log
from pathlib import Path
from types import ModuleType

import streamlit as st

import pages
from core.figures.figure import Figure, bar
from core.figures.still import still
from core.lesson.browser_view import browser_view
from core.lesson.failure_log import failures
from core.lesson.lesson import Lesson
from core.lesson.tour import minutes
from core.models.stored import StoredModelError
from core.models.stored_language_models import encode, stored_language_model
from core.words.language import cache_by_language
from core.words.numbers import plain_number
from core.words.texts import read_words
from pages import paths

WORDS = read_words(Path(__file__).with_name("words.md"))
SENTENCE = "To be, or not to bee: that is the quesadilla."
MODEL, AT_MOST = "char_ngram", 120
FULL = 12  # bits of the strongest colour
NEW_LINE = "\n"
BLANK = {NEW_LINE: "first.new_line", " ": "first.space"}  # a character that cannot be seen: its name
BEFORE = 12  # characters quoted before the least expected one
HOUR, LONG = 60, 90  # minutes; a path of more than LONG is given in hours
OF_VIEW = (
    "search search.placeholder search.one search.many search.none search.try search.examples search.clear "
    "path.begin path.go_on path.done step.minutes step.visited step.builds_on subject.one subject.many "
    "subject.visited card.minutes card.builds_on and"
).split()


@cache_by_language
def cards() -> dict:
    """Return what the view draws: lessons by subject, each with its picture, and the paths. Made once for all sessions."""
    labels = {"paths": "paths", **{key: key for key in OF_VIEW}}
    return {
        "labels": {name: WORDS.label(key) for name, key in labels.items()}
        | {"subjects": WORDS.label("subjects", count=len(pages.LESSONS))},
        "paths": [describe_path(path) for path in paths.PATHS],
        "subjects": [
            {
                "title": subject_title(subject),
                "lessons": [describe_lesson(module.LESSON) for module in subject.LESSONS],
            }
            for subject in pages.SUBJECTS
        ],
    }


def subject_title(subject: ModuleType) -> str:
    """Return the title of a subject, a package of pages.

    >>> subject_title(pages.n_grams)
    'N-grams'
    """
    return WORDS.label(f"title.{subject.__name__.rpartition('.')[2]}")


def describe_lesson(lesson: Lesson) -> dict:
    """Return a lesson as the view needs it."""
    return {
        "name": lesson.name,
        "title": lesson.title,
        "question": lesson.question,
        "names": list(names_of(lesson)),
        "icon": lesson.svg,
        "picture": picture_of(lesson),
        "minutes": minutes(lesson.name),
        "after": list(pages.BUILDS_ON.get(lesson.name, ())),
    }


def names_of(lesson: Lesson) -> tuple[str, ...]:
    """Return the other names that a lesson is found by."""
    return lesson.words.names


def describe_path(path: paths.Path) -> dict:
    """Return a path as the view needs it: its parts, a title to each where there are several, and how long it takes."""
    total = sum(minutes(name) for name in path.lessons)
    long = total > LONG
    length = {"hours": round(total / HOUR)} if long else {"minutes": total}
    parts = [
        {
            "title": WORDS.label(f"path.{path.name}.{number}") if len(path.parts) > 1 else "",
            "number": WORDS.label("path.weeks", number=number) if len(path.parts) > 1 else "",
            "lessons": list(part),
        }
        for number, part in enumerate(path.parts, 1)
    ]
    return {
        "name": path.name,
        "title": WORDS.label(f"path.{path.name}"),
        "about": WORDS.label(f"path.{path.name}.about"),
        "length": WORDS.label("path.hours" if long else "path.length", lessons=len(path.lessons), **length),
        "parts": parts,
    }


def picture_of(lesson: Lesson) -> str:
    """Return the picture of a lesson's card; a plain one where the stored model that it shows is not here."""
    try:
        return still(lesson.picture())
    except StoredModelError as error:
        failures.write(error)
        return still(Figure(bar(x=[WORDS.label("missing")], y=[0])))


def reading(sentence: str) -> dict:
    """Return what the model made of a sentence: the bits of each character, and a sentence that says it."""
    model, ids = stored_language_model(MODEL), encode(MODEL, sentence[:AT_MOST]).ids
    characters = [model.vocabulary[i] for i in ids]
    logs = [] if not ids else model.token_log_probabilities(ids).tolist()
    after = model.log_probabilities(ids)
    likeliest = int(after.argmax())
    values = {
        "next": quoted(model.vocabulary[likeliest]),
        "p_next": plain_number(exp(after[likeliest]), 2),
    }
    says = WORDS.label("first.unread", **values)
    if logs:
        least = min(range(len(logs)), key=logs.__getitem__)
        before = "".join(characters[max(0, least - BEFORE) : least])
        place = WORDS.label("first.place", before=quoted(before)) if before else ""
        values |= {"least": quoted(characters[least]), "p_least": plain_number(exp(logs[least]), 2)}
        says = WORDS.label("first.least", place=place, **values)
    bits = [round(-value / log(2), 3) for value in logs]
    return {
        "label": WORDS.label("first.label"),
        "sentence": sentence,
        "characters": characters,
        "bits": bits,
        "full": FULL,
        "says": says,
    }


def quoted(characters: str) -> str:
    """Return characters in quotation marks; a space or a new line alone has its name.

    >>> quoted(" "), quoted("to be"), quoted("be\\nor")
    ('a space', '“to be”', '“be↵or”')
    """
    if characters in BLANK:
        return WORDS.label(BLANK[characters])
    return f"“{characters.replace(NEW_LINE, '↵')}”"


def take(sentence: str) -> None:
    """Keep the sentence that was typed, in this session only."""
    st.session_state["home_sentence"] = sentence


@st.fragment
def first_sentence() -> None:
    """Show the sentence and what the model made of it; a keystroke runs this alone."""
    sentence = st.session_state.get("home_sentence", SENTENCE)
    try:
        read = reading(sentence)
    except StoredModelError as error:
        st.warning(str(error))
    else:
        browser_view("first_sentence", read, "home_first", on={"sentence": take})


def page() -> None:
    """Show what the course is by letting the visitor try it, then the ways into it."""
    st.title(WORDS.title, anchor=False)
    st.markdown(WORDS.question)
    first_sentence()
    browser_view("home", cards(), "home_cards")
