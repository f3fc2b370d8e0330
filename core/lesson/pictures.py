"""The pictures that the last run of a lab drew: what "Describe" tells, and what can be taken away as one file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from core.lesson.browser_view import PLOT

PICTURES = "lab_pictures"  # in the session


@dataclass(frozen=True)
class Picture:
    """A picture of a lab: its view, what makes the data that the view is sent, and its sentence where it has one.

    `step` is the name, without the lesson's, under which the view keeps its step in the address, if it has steps.
    """

    view: str
    make: Callable[[], Mapping]
    alt: str = ""
    step: str = ""


def forget_pictures() -> None:
    """Begin a run, which has drawn nothing."""
    st.session_state[PICTURES] = {}


def note_picture(key: str, picture: Picture) -> None:
    """Note the picture that was drawn under a key, in place of what the run drew there before; outside a lab do nothing."""
    if PICTURES in st.session_state:
        st.session_state[PICTURES][key] = picture


def drawn_pictures() -> list[Picture]:
    """Return the pictures of the run, in the order in which they were drawn."""
    return list(st.session_state.get(PICTURES, {}).values())


def first_view() -> Picture | None:
    """Return the first browser view of the run, None where plotly drew all of its pictures."""
    return next((each for each in drawn_pictures() if each.view != PLOT), None)
