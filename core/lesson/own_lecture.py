"""The learner's own lecture: a list of views added on any page, stored as one Markdown text.

The session holds it, and the browser keeps it: after F5, or in another tab, a new session gets it back.
"""

from __future__ import annotations

import streamlit as st

from core.lesson.beats import BEAT, Beat, to_markdown
from core.lesson.browser_view import browser_view
from core.lesson.controls import TAB, Controls
from core.lesson.lab_words import LAB_WORDS
from core.lesson.tour import MINE, OWN, own_lecture, place_in_address

ASKED = "lecture_asked"  # in the session: whether the browser said what it kept
BYTES_AT_MOST = 200_000  # of what a browser gives back


def keep_lecture() -> None:
    """Have the browser keep the session's lecture; a new session first gets back what the browser kept."""
    text = st.session_state.get(OWN, "") if st.session_state.get(ASKED) else None
    browser_view("own_lecture", {"text": text}, "own_lecture", on={"found": take_back})


def take_back(text: object) -> None:
    """Take the lecture that the browser kept; what a new session added meanwhile follows it."""
    known = st.session_state.get(ASKED, False)  # then another window changed it
    st.session_state[ASKED] = True
    if not isinstance(text, str) or not (text or known) or len(text.encode()) > BYTES_AT_MOST:
        return
    added = () if known else own_lecture().beats
    st.session_state[OWN] = text
    if added:
        set_beats((*own_lecture().beats, *added))


def keep_if_played() -> None:
    """The same on a lesson's page, where the own lecture is played or was changed."""
    if OWN in st.session_state or place_in_address()[0] == MINE:
        keep_lecture()


def add_view(lesson: Controls) -> None:
    """Draw a field for words and a button that adds the page's present state to the learner's own lecture."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            LAB_WORDS.label("lecture.say"),
            key=lesson.key("lecture_words"),
            max_chars=1000,
            help=LAB_WORDS.label("lecture.say.help"),
        )
        add = {"on_click": _add_step, "args": (lesson,)}
        st.button(LAB_WORDS.label("lecture.add"), key=lesson.key("lecture_add"), **add)
    count = len(own_lecture().beats)
    if count:
        st.caption(LAB_WORDS.label("lecture.count", n=count))


def _add_step(lesson: Controls) -> None:
    address = ((key, value) for key in st.query_params for value in st.query_params.get_all(key))
    settings = tuple(pair for pair in address if pair[0] not in (BEAT, lesson.key(TAB)))
    words = st.session_state.get(lesson.key("lecture_words"), "")
    set_beats((*own_lecture().beats, Beat(lesson.title, lesson.name, settings, words=words.strip())))


def set_beats(beats: tuple[Beat, ...]) -> None:
    """Replace the beats of the learner's own lecture."""
    kept = own_lecture()
    st.session_state[OWN] = to_markdown(kept.title if kept.beats else LAB_WORDS.label("lecture.title"), beats)


def move(at: int, by: int) -> None:
    """Move the beat at an index by so many places; a negative `by` moves it up."""
    beats = list(own_lecture().beats)
    beats.insert(max(0, at + by), beats.pop(at))
    set_beats(tuple(beats))


def remove(at: int) -> None:
    """Remove the beat at an index."""
    beats = own_lecture().beats
    set_beats(beats[:at] + beats[at + 1 :])
