"""The tour of a lesson and the lecture over lessons, played on the pages themselves.

A beat is a link. To go to a beat the browser goes to its link, as with its Back button, and Streamlit sets every
control by it; so the view "tour" needs no server to move, and Back leads to the beat before. Where the play stands is
in the address: beat=<programme>.<number>. Here the beat's sentences are filled with what the page's run found.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache, partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.lesson import first_visits, pin, speaker
from core.lesson.beats import BEAT, Beat, Programme, filled, read_programme
from core.lesson.browser_view import browser_view, codes_of
from core.lesson.live_values import is_read, said_instead, told, words_held
from core.lesson.plain import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from core.lesson.lesson import Lesson

WORDS_A_MINUTE = 130  # of one who reads aloud
GLANCE = 0.5  # minutes
LECTURES = Path(__file__).resolve().parents[2] / "assets" / "lectures"
MINE = "mine"  # the name of the learner's own lecture
OWN = "lecture_own"  # its text, Markdown, in this session only
PLAYED = "tour_played"  # {lesson: Stand}: where the play stood when it was seen last
FOLDED = "tour_folded"
COOKIE = "attend_tours"  # "folded", in this browser only, so that a lesson opens without a jump
_modules: dict[str, str] = {}  # lesson's name -> the module of its page


def know(name: str, module: str) -> None:
    """Note a lesson of the course, for tours stand beside their pages and lectures name lessons."""
    _modules[name] = module


@cache
def tour(name: str) -> Programme | None:
    """Return the tour that stands beside a lesson's page, None if there is none."""
    page = getattr(sys.modules.get(_modules[name]), "__file__", None)
    file = page and Path(page).with_suffix(".md")
    if not file or not file.is_file():
        return None
    return read_programme(name, file.read_text(encoding="utf-8"), {name: None}, name)


def minutes(name: str) -> int | None:
    """Return how long a lesson's tour takes: read aloud, and a glance at the picture of each beat."""
    if not (programme := tour(name)):
        return None
    words = sum(len(beat.words.split()) for beat in programme.beats)
    return ceil(words / WORDS_A_MINUTE + GLANCE * len(programme.beats))


def tours() -> dict[str, Programme | None]:
    """Return the tours of all lessons by name."""
    return {name: tour(name) for name in _modules}


@cache
def lectures() -> dict[str, Programme]:
    """Return the lectures that ship with the course by name."""
    files = sorted(LECTURES.glob("*.md"))
    return {file.stem: read_programme(file.stem, file.read_text(encoding="utf-8"), tours()) for file in files}


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


@dataclass(frozen=True)
class Stand:
    """Where the play stands on a lesson's page: the programme, the beat's place, and the controls on arrival."""

    programme: str
    at: int
    controls: dict[str, list[str]] | None


def controls_now(lesson: Lesson) -> dict[str, list[str]]:
    """Return what the address says of the lesson's controls; what it leaves out is as at first."""
    with get_script_run_ctx().session_state.query_params() as parameters:
        return {
            key: st.query_params.get_all(key)
            for key in st.query_params
            if key.startswith(lesson.key("")) and key != lesson.key("below") and parameters.is_bound(key)
        }


def arrived(lesson: Lesson, beat: Beat) -> dict[str, list[str]] | None:
    """Return the controls if they stand as the beat's link sets them, None if a link brought others.

    The page may have set more by itself, and the learner's own words stay.
    """
    now = controls_now(lesson)
    wanted: dict[str, list[str]] = {}
    with get_script_run_ctx().session_state.query_params() as parameters:
        for key, value in beat.settings:
            if parameters.is_bound(key):
                wanted.setdefault(key, []).append(value)
    return now if all(now.get(key) == value for key, value in wanted.items()) else None


def unknown_settings(lesson: Lesson, beat: Beat) -> list[str]:
    """Return the fields of a beat's link that this lesson does not have (any more)."""
    with get_script_run_ctx().session_state.query_params() as parameters:
        return [
            key
            for key, _ in beat.settings
            if key.startswith(lesson.key("")) and not parameters.is_bound(key) and not is_read(key)
        ]


def folded() -> bool:
    """Return whether the learner has folded the tours away, in this session or in this browser before."""
    return st.session_state.get(FOLDED, st.context.cookies.get(COOKIE) == "folded")


def fold(away: bool) -> None:
    """Fold the tours away, or bring them back."""
    st.session_state[FOLDED] = away


def stand(lesson: Lesson, linked: bool) -> tuple[Programme, int, bool] | None:
    """Return the programme that is played on a lesson's page, its beat's place, and whether the page stands as it says.

    Moving a control leaves the beat; arriving by its link comes back to it. A link with settings of its own (`linked`)
    and no beat begins no tour.
    """
    programme, at = asked_for()
    kept = st.session_state.setdefault(PLAYED, {}).get(lesson.name)
    if programme is None:
        programme, at = (programme_of(kept.programme), kept.at) if kept else (tour(lesson.name), 0)
    if programme is None or at >= len(programme.beats):
        return None
    beat = programme.beats[at]
    if beat.lesson != lesson.name:
        return programme, at, False
    same = kept and (kept.programme, kept.at) == (programme.name, at)
    if not same or get_script_run_ctx().is_history_navigation:
        elsewhere = linked and BEAT not in st.query_params
        kept = Stand(programme.name, at, None if elsewhere else arrived(lesson, beat))
        st.session_state[PLAYED][lesson.name] = kept
    return programme, at, kept.controls == controls_now(lesson)


def ahead(programme: Programme, at: int) -> list[str]:
    """Return the addresses of the code that the next beat needs, where it is another lesson's: the browser fetches it.

    What the next beat's page computes, the server makes ready, on the texts that everybody has; a learner's own lecture
    may name any number of links, and is left out.
    """
    after = programme.beats[at + 1 : at + 2]
    for beat in after if programme.name != MINE and BEAT in st.query_params else ():
        first_visits.prepare(beat.link)
    return [
        code for beat in after if beat.lesson != programme.beats[at].lesson for code in codes_of(beat.lesson)
    ]


def show_tour(lesson: Lesson, box: DeltaGenerator, linked: bool, pinned: dict) -> None:
    """Fill the box below the title: the bar of the tour or lecture, and what its beat says."""
    found = stand(lesson, linked)
    if found is None:
        return
    programme, at, there = found
    beat, opened = programme.beats[at], BEAT in st.query_params or not folded()
    if BEAT in st.query_params:
        speaker.tell(programme, at)
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
                "carried": words_held(),
                "there": there,
                "desk": speaker.channel(),
                "ahead": ahead(programme, at),
                "open": opened,
                **pinned,
            },
            lesson.key("tour"),
            on={"fold": fold, "pin": partial(pin.pin, lesson)},
        )
        if opened:
            away = f"You are on your own way. The tour waits at “{plain(beat.title)}”."
            with st.container(key=lesson.key("tour_says")):
                st.markdown(filled(beat.words, told(), said_instead()) if there else away)
                for key in unknown_settings(lesson, beat) if there else ():
                    st.caption(
                        f"Line {beat.line}: this lesson has no setting “{plain(key)}”. The rest is as the beat says."
                    )
