"""Lectures: those that ship with the course, and the visitor's own, made of views of any lessons."""

import streamlit as st

import pages
from core.lesson import own_lecture, sessions
from core.lesson.beats import BEAT, Beat, Playlist, to_markdown
from core.lesson.lab_words import LAB_WORDS
from core.lesson.tour import MINE, OWN, lectures
from core.lesson.tour import own_lecture as kept
from core.words.plain import plain

NAME = "lectures"


def page() -> None:
    """Play a lecture, or make one."""
    st.title(LAB_WORDS.label("lectures.title"), anchor=False)
    st.markdown(LAB_WORDS.label("lectures.about"))
    st.markdown(LAB_WORDS.label("lectures.speaker"))
    st.header(LAB_WORDS.label("lectures.ready"), anchor=False)
    for playlist in lectures().values():
        row(playlist)
    st.header(LAB_WORDS.label("lectures.own"), anchor=False)
    st.markdown(LAB_WORDS.label("lectures.own.about"))
    own_lecture.keep_lecture()
    show_own(kept())


def row(playlist: Playlist) -> None:
    """Draw a lecture's title, its length, and the link to its first beat."""
    beats, minutes = len(playlist.beats), playlist.minutes
    length = LAB_WORDS.label("lectures.length", beats=beats, minutes=minutes and beats and minutes / beats)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(playlist.title)}**: {length}", width="content")
        if playlist.beats:
            play(playlist, playlist.beats[0], 1, LAB_WORDS.label("lectures.play"))


def play(playlist: Playlist, beat: Beat, number: int, label: str) -> None:
    """Draw the link that opens a beat."""
    lesson = next(each for each in pages.LESSONS if each.name == beat.lesson)
    query = [*beat.settings, (BEAT, f"{playlist.name}.{number}")]
    st.page_link(lesson.streamlit_page, label=label, icon=":material/play_arrow:", query_params=query)


def show_own(playlist: Playlist) -> None:
    """Draw the visitor's own lecture: its beats in order, its file, and what could not be followed."""
    for fault in playlist.faults if st.session_state.get(OWN) else ():
        st.warning(plain(fault))
    for at, beat in enumerate(playlist.beats):
        with st.container(horizontal=True, vertical_alignment="center"):
            play(playlist, beat, at + 1, f"{at + 1}. {plain(beat.title)}")
            for sign, words, do, last in (
                ("↑", "earlier", own_lecture.move, 0),
                ("↓", "later", own_lecture.move, len(playlist.beats) - 1),
            ):
                by = -1 if sign == "↑" else 1
                name = f"lecture_{words}_{at}"
                help = LAB_WORDS.label(f"lectures.{words}")
                st.button(sign, key=name, on_click=do, args=(at, by), disabled=at == last, help=help)
            name, help = f"lecture_remove_{at}", LAB_WORDS.label("lectures.remove")
            st.button("×", key=name, on_click=own_lecture.remove, args=(at,), help=help)
    with st.expander(LAB_WORDS.label("lectures.file"), expanded=not playlist.beats):
        st.text_area(
            LAB_WORDS.label("lectures.markdown"),
            key=OWN,
            height=320,
            placeholder=show_example(),
            persist_state="session",
        )
        with st.container(horizontal=True):
            st.download_button(
                LAB_WORDS.label("lectures.save"),
                st.session_state.get(OWN, ""),
                file_name=f"{MINE}.md",
                mime="text/markdown",
                on_click="ignore",
                disabled=not st.session_state.get(OWN),
            )
        label = LAB_WORDS.label("lectures.open")
        file = sessions.upload(label, type=["md", "txt"], key="lecture_file", max_upload_size=1)
        if file is not None:
            use = {"on_click": take, "args": (file.getvalue(),)}
            st.button(LAB_WORDS.label("lectures.use"), key="lecture_use", **use)


def show_example() -> str:
    """Return a lecture of one beat, as a model of the file."""
    named = {name: LAB_WORDS.label(f"lectures.example.{name}") for name in ("link", "says", "note")}
    beat = Beat(LAB_WORDS.label("lectures.example"), "viterbi", words=named["says"], notes=named["note"])
    written = to_markdown(LAB_WORDS.label("lecture.title"), (beat,))
    return written.replace("[viterbi]", f"[{named['link']}]")


def take(content: bytes) -> None:
    """Make a file's text the visitor's own lecture."""
    st.session_state[OWN] = content.decode("utf-8-sig", errors="replace")
