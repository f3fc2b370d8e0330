"""Play the tour of a lesson, or a lecture over many lessons, on the lessons' pages.

A beat is a link. The view "tour" goes to a beat by going to its link in the browser's history, and Streamlit sets every
control from the query. So the Back button leads to the beat before. The query has the place: beat=<playlist>.<number>.
This module fills the beat's words with the values of the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.lesson import pin, warmup
from core.lesson.beats import BEAT, Beat, Playlist, fill_values, read_playlist
from core.lesson.browser_view import browser_view, codes_of
from core.lesson.controls import TAB, Controls
from core.lesson.lab_words import LAB_WORDS
from core.lesson.live_values import is_read, placeholder, values, words_fields
from core.lesson.static_files import base_path
from core.lesson.story import ANSWER, story_of, words_of
from core.words.language import cache_by_language, language
from core.words.texts import translation_of

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


WORDS_A_MINUTE = 130  # read aloud
GLANCE = 0.5  # minutes to look at the picture of a beat
LECTURES = Path(__file__).resolve().parents[2] / "assets" / "lectures"
MINE = "mine"  # the name of the learner's own lecture
OWN = "lecture_own"  # in the session: its Markdown
PLAYED = "tour_played"  # in the session: {lesson: Place} when the lesson was last shown
FOLDED = "tour_folded"
COOKIE = "attend_tours"  # "folded" if the learner folded the tours in this browser
_modules: dict[str, str] = {}  # {lesson's name: module of its page}


def register_lesson(name: str, module: str) -> None:
    """Register a lesson by name, so that its tour is found beside its page's file and lectures can link to it."""
    _modules[name] = module


@cache_by_language
def tour(name: str) -> Playlist | None:
    """Return a lesson's story as a playlist; None where it has none."""
    if beats := story_of(_modules[name]):
        words = words_of(_modules[name])
        listed = [
            Beat(
                words.titles[beat.name],
                name,
                ((BEAT, f"{name}.{number}"),),
                words=words.source(beat.name)[0],
                notes=words.source(beat.name)[1],
                number=number,
                name=beat.name,
            )
            for number, beat in enumerate(beats, 1)
        ]
        return Playlist(name, words.title, tuple(listed))
    return None


def minutes(name: str) -> int | None:
    """Return the minutes that a lesson's tour takes, read aloud, with GLANCE per beat; None without a tour."""
    if not (playlist := tour(name)):
        return None
    words = sum(len(beat.words.split()) for beat in playlist.beats)
    return ceil(words / WORDS_A_MINUTE + GLANCE * len(playlist.beats))


def tours() -> dict[str, Playlist | None]:
    """Return {lesson: its tour or None}."""
    return {name: tour(name) for name in _modules}


@cache_by_language
def lectures() -> dict[str, Playlist]:
    """Return the lectures of the course, {name: lecture}."""
    names = sorted(file.stem for file in LECTURES.glob("*.md") if "." not in file.stem)
    return {name: read_playlist(name, read_lecture(name), tours()) for name in names}


def read_lecture(name: str) -> str:
    """Return the Markdown of a lecture, its translation where there is one."""
    file = LECTURES / f"{name}.md"
    translated = translation_of(file, language())
    return (translated if translated.is_file() else file).read_text(encoding="utf-8")


def own_lecture() -> Playlist:
    """Return the learner's own lecture."""
    return read_playlist(MINE, st.session_state.get(OWN, ""), tours())


def playlist_of(name: str) -> Playlist | None:
    """Return a lesson's tour, a lecture or the learner's own lecture by name, or None."""
    if name == MINE:
        return own_lecture()
    return tour(name) if name in _modules else lectures().get(name)


def playlist_in_query() -> tuple[Playlist | None, int]:
    """Return the playlist in the query and its beat's index, from 0; (None, 0) if there is no such beat."""
    name, number, _ = place_in_address()
    playlist = playlist_of(name)
    if playlist and 1 <= number <= len(playlist.beats):
        return playlist, number - 1
    return None, 0


def place_in_address() -> tuple[str, int, bool]:
    """Return the beat in the query: the playlist's name, the beat's number (0 for none), whether it is answered."""
    name, _, number = st.query_params.get(BEAT, "").removesuffix(f".{ANSWER}").rpartition(".")
    answered = st.query_params.get(BEAT, "").endswith(f".{ANSWER}")
    return name, int(number) if number.isdecimal() else 0, answered


@dataclass(frozen=True)
class TourPlace:
    """A place in a playlist: its name, the beat's index, and the controls on arrival (None: not as the beat sets them)."""

    playlist: str
    at: int
    controls: dict[str, list[str]] | None


def controls_now(lesson: Controls) -> dict[str, list[str]]:
    """Return the query parameters of the lesson's controls. A control that is missing has its default."""
    with get_script_run_ctx().session_state.query_params() as parameters:
        return {
            key: st.query_params.get_all(key)
            for key in st.query_params
            if key.startswith(lesson.key("")) and key != lesson.key(TAB) and parameters.is_bound(key)
        }


def arrived(lesson: Controls, beat: Beat) -> dict[str, list[str]] | None:
    """Return the controls if they are as the beat's link sets them, else None.

    Other controls may differ: the page may have set them, and the learner's words stay.
    """
    now = controls_now(lesson)
    wanted: dict[str, list[str]] = {}
    with get_script_run_ctx().session_state.query_params() as parameters:
        for key, value in beat.settings:
            if parameters.is_bound(key):
                wanted.setdefault(key, []).append(value)
    return now if all(now.get(key) == value for key, value in wanted.items()) else None


def unknown_settings(lesson: Controls, beat: Beat) -> list[str]:
    """Return the query parameters of a beat's link that this lesson does not have."""
    with get_script_run_ctx().session_state.query_params() as parameters:
        return [
            key
            for key, _ in beat.settings
            if key.startswith(lesson.key("")) and not parameters.is_bound(key) and not is_read(key)
        ]


def folded() -> bool:
    """Return whether the learner has folded the tours, in this session or earlier in this browser."""
    return st.session_state.get(FOLDED, st.context.cookies.get(COOKIE) == "folded")


def fold(away: bool) -> None:
    """Fold or unfold the tours."""
    st.session_state[FOLDED] = away


def current_place(lesson: Controls, linked: bool) -> tuple[Playlist, int, bool] | None:
    """Return the playlist on a lesson's page, the beat's index, and whether the controls are as the beat sets them.

    Changing a control leaves the beat, and opening the beat's link returns to it. A link with settings (`linked`) but
    without a beat does not start the tour. Returns None if there is no tour.
    """
    playlist, at = playlist_in_query()
    kept = st.session_state.setdefault(PLAYED, {}).get(lesson.name)
    if playlist is None:
        playlist, at = (playlist_of(kept.playlist), kept.at) if kept else (None, 0)
    if playlist is None or at >= len(playlist.beats):
        return None
    beat = playlist.beats[at]
    if beat.lesson != lesson.name:
        return playlist, at, False
    same = kept and (kept.playlist, kept.at) == (playlist.name, at)
    if not same or get_script_run_ctx().is_history_navigation:
        elsewhere = linked and BEAT not in st.query_params
        kept = TourPlace(playlist.name, at, None if elsewhere else arrived(lesson, beat))
        st.session_state[PLAYED][lesson.name] = kept
    return playlist, at, kept.controls == controls_now(lesson)


def prepare_next(playlist: Playlist, at: int) -> list[str]:
    """Queue the next beat for pre-rendering; return the URLs of its views' code, for the browser to fetch.

    The list is empty if the next beat is in the same lesson. Beats of a learner's own lecture are not pre-rendered, because
    it may hold any number of links.
    """
    after = playlist.beats[at + 1 : at + 2]
    for beat in after if playlist.name != MINE and BEAT in st.query_params else ():
        warmup.prerender(beat.link)
    return [
        code for beat in after if beat.lesson != playlist.beats[at].lesson for code in codes_of(beat.lesson)
    ]


def show_tour(lesson: Controls, box: DeltaGenerator, linked: bool, pinned: dict) -> None:
    """Draw the tour's bar and the words of its beat in the box below the title."""
    found = current_place(lesson, linked)
    if found is None:
        return
    playlist, at, there = found
    beat, opened = playlist.beats[at], BEAT in st.query_params or not folded()
    with box:
        browser_view(
            "tour",
            {
                "playlist": playlist.name,
                "title": playlist.title,
                "at": at,
                "beats": [
                    {
                        "title": each.title,
                        "link": each.link,
                        "look": each.look and f"{each.lesson}_{each.look}",
                    }
                    for each in playlist.beats
                ],
                "carried": words_fields(),
                "lesson": lesson.name,
                "base": base_path(),
                "there": there,
                "ahead": prepare_next(playlist, at),
                "open": opened,
                **pinned,
            },
            lesson.key("tour"),
            on={"fold": fold, "pin": partial(pin.pin, lesson)},
        )
        if opened:
            away = LAB_WORDS.markdown("tour.away", title=beat.title)
            with st.container(key=lesson.key("tour_says")):
                st.markdown(fill_values(beat.words, values(), placeholder()) if there else away)
                for key in unknown_settings(lesson, beat) if there else ():
                    st.caption(LAB_WORDS.markdown("tour.unknown", line=beat.line, key=key))
