"""The tour of a lesson and the lecture over lessons, played on the pages themselves.

A beat is a link. To go to a beat the browser goes to its link, as with its Back button, and Streamlit sets every
control by it; so the view "tour" needs no server to move, and Back leads to the beat before. Where the play stands is
in the address: beat=<programme>.<number>. Here the beat's sentences are filled with what the page's run found.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.lesson import speaker
from core.lesson.beats import BEAT, Beat, Programme, filled, read_programme
from core.lesson.browser_view import browser_view
from core.lesson.live_values import values

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from core.lesson.lesson import Lesson

LECTURES = Path(__file__).resolve().parents[2] / "assets" / "lectures"
MINE = "mine"  # the name of the learner's own lecture
OWN = "lecture_own"  # its text, Markdown, in this session only
PLAYED = "tour_played"  # {lesson: (programme, place)}: where the play was when moving a control left it
FOLDED = "tour_folded"
COOKIE = "attend_tours"  # "folded", in this browser only, so that a lesson opens without a jump
_modules: dict[str, str] = {}  # lesson's name -> the module of its page


def know(name: str, module: str) -> None:
    """Note a lesson of the course, for tours stand beside their pages and lectures name lessons."""
    _modules[name] = module


@cache
def tour(name: str) -> Programme | None:
    """Return the tour that stands beside a lesson's page, None if there is none."""
    page = getattr(sys.modules[_modules[name]], "__file__", None)
    file = Path(page or "").with_suffix(".md")
    return (
        read_programme(name, file.read_text(encoding="utf-8"), {name: None}, name) if file.is_file() else None
    )


def tours() -> dict[str, Programme | None]:
    """Return the tours of all lessons by name."""
    return {name: tour(name) for name in _modules}


@cache
def lecture(name: str) -> Programme:
    """Return a lecture that ships with the course."""
    return read_programme(name, (LECTURES / f"{name}.md").read_text(encoding="utf-8"), tours())


@cache
def lectures() -> dict[str, Programme]:
    """Return the lectures that ship with the course by name."""
    return {file.stem: lecture(file.stem) for file in sorted(LECTURES.glob("*.md"))}


def own_lecture() -> Programme:
    """Return the learner's own lecture."""
    return read_programme(MINE, st.session_state.get(OWN, ""), tours())


def programme_of(name: str) -> Programme | None:
    """Return the programme of a name: a lesson's tour, a lecture, the learner's own lecture."""
    if name == MINE:
        return own_lecture()
    return tour(name) if name in _modules else lectures().get(name)


def asked_for() -> tuple[Programme | None, int]:
    """Return the programme that the address names and the place of its beat, from 0."""
    name, _, number = st.query_params.get(BEAT, "").rpartition(".")
    programme = programme_of(name)
    if programme and number.isdecimal() and 1 <= int(number) <= len(programme.beats):
        return programme, int(number) - 1
    return None, 0


def bound(lesson: Lesson, pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Return those of an address's fields that are the lesson's controls. What views keep there is no setting."""
    found: dict[str, list[str]] = {}
    with get_script_run_ctx().session_state.query_params() as parameters:
        for key, value in pairs:
            ours = key.startswith(lesson.key("")) and key != lesson.key("below")
            if ours and parameters.is_bound(key):
                found.setdefault(key, []).append(value)
    return found


def is_there(lesson: Lesson, beat: Beat) -> bool:
    """Return whether the lesson's controls stand as the beat sets them; what an address leaves out is as at first."""
    now = [(key, value) for key in st.query_params for value in st.query_params.get_all(key)]
    return beat.lesson == lesson.name and bound(lesson, now) == bound(lesson, list(beat.settings))


def folded() -> bool:
    """Return whether the learner has folded the tours away, in this session or in this browser before."""
    return st.session_state.get(FOLDED, st.context.cookies.get(COOKIE) == "folded")


def fold(away: bool) -> None:
    """Fold the tours away, or bring them back."""
    st.session_state[FOLDED] = away


def show_tour(lesson: Lesson, box: DeltaGenerator) -> None:
    """Fill the box below the title: the bar of the tour or lecture, and what its beat says."""
    programme, at = asked_for()
    played = st.session_state.setdefault(PLAYED, {})
    if programme:
        played[lesson.name] = (programme.name, at)
        speaker.tell(programme, at)
    else:
        name, at = played.get(lesson.name, (lesson.name, 0))
        programme = programme_of(name)
    if programme is None or at >= len(programme.beats):
        return
    beat = programme.beats[at]
    there = is_there(lesson, beat)
    opened = BEAT in st.query_params or not folded()
    with box:
        browser_view(
            "tour",
            {
                "programme": programme.name,
                "title": programme.title,
                "at": at,
                "beats": [
                    {
                        "title": each.title,
                        "link": each.link,
                        "look": each.look and f"{each.lesson}_{each.look}",
                    }
                    for each in programme.beats
                ],
                "there": there,
                "open": opened,
            },
            lesson.key("tour"),
            on={"fold": fold},
        )
        if opened:
            with st.container(key=lesson.key("tour_says")):
                st.markdown(
                    filled(beat.words, values())
                    if there
                    else f"You are on your own way. The tour waits at “{beat.title}”."
                )
