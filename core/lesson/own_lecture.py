"""The learner's own lecture: views added on any page, moved about, kept as one Markdown file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.lesson.beats import BEAT, Beat, written
from core.lesson.tour import OWN, own_lecture

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson

TITLE = "My lecture"


def add_view(lesson: Lesson) -> None:
    """Draw the field for a note and the button that adds the page, as it stands, to the learner's own lecture."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "What you will say here",
            key=lesson.key("lecture_words"),
            max_chars=1000,
            help="Markdown; the audience reads it. A line that begins with > is a note that only you see.",
        )
        st.button("Add this view to my lecture", key=lesson.key("lecture_add"), on_click=_add, args=(lesson,))
    count = len(own_lecture().beats)
    if count:
        st.caption(
            f"Your lecture has {count} beat{'' if count == 1 else 's'}. It waits on the page “Lectures”."
        )


def _add(lesson: Lesson) -> None:
    address = ((key, value) for key in st.query_params for value in st.query_params.get_all(key))
    settings = tuple(pair for pair in address if pair[0] not in (BEAT, lesson.key("below")))
    words = st.session_state.get(lesson.key("lecture_words"), "")
    put((*own_lecture().beats, Beat(lesson.title, lesson.name, settings, words=words.strip())))


def put(beats: tuple[Beat, ...]) -> None:
    """Keep the beats as the learner's own lecture."""
    kept = own_lecture()
    st.session_state[OWN] = written(kept.title if kept.beats else TITLE, beats)


def move(at: int, by: int) -> None:
    """Move a beat up or down."""
    beats = list(own_lecture().beats)
    beats.insert(max(0, at + by), beats.pop(at))
    put(tuple(beats))


def remove(at: int) -> None:
    """Take a beat out."""
    beats = own_lecture().beats
    put(beats[:at] + beats[at + 1 :])
