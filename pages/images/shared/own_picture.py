"""The learner's own picture: a popover with the upload, the picture kept for the session, and a switch to read it."""

from __future__ import annotations

import streamlit as st

from core.lesson.lesson import Lesson
from core.lesson.live_values import note_typed
from core.pictures.reading import ENDINGS, Picture, PictureError, read_picture
from pages.images.shared import WORDS


def own_picture(lesson: Lesson) -> Picture | None:
    """Draw the popover with the upload; return the learner's picture if they have one and want it, else None."""
    with st.popover(WORDS.label("own")):
        file = lesson.upload("file", WORDS.label("own.file"), type=list(ENDINGS), max_upload_size=10)
        if file is None:
            lesson.set_state("fault", "")  # the sentence goes with the file it was about
        elif file.file_id != lesson.get_state("read"):
            keep(lesson, file.getvalue())
            lesson.set_state("read", file.file_id)
        kept = lesson.get_state("kept")
        if fault := lesson.get_state("fault"):
            st.warning(f"{fault} {WORDS.label('own.before')}" if kept else fault)
        wanted = lesson.toggle("mine", WORDS.label("own.read"), disabled=kept is None)
        for note in kept.notes if kept else ():
            st.text(note)
        st.caption(WORDS.label("own.private"))
    own = kept if wanted else None
    note_typed(lesson.key("mine"), own is not None)  # what is computed from it stays in this session
    return own


def keep(lesson: Lesson, data: bytes) -> None:
    """Keep a file's picture as the learner's; when it cannot be read, keep the sentence and the picture before."""
    try:
        picture = read_picture(data)
    except PictureError as error:
        lesson.set_state("fault", str(error))
        return
    for name, value in (("kept", picture), ("fault", ""), ("mine", True)):
        lesson.set_state(name, value)


def say_if_missing(lesson: Lesson, own: Picture | None) -> None:
    """Say so where a link asks for a picture of the learner's that is not here."""
    if lesson.get_state("mine") and not own:
        st.info(WORDS.label("own.missing"))
