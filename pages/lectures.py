"""Lectures: those that ship with the course, and the visitor's own, made of views of any lessons."""

import streamlit as st

import pages
from core.lesson import own_lecture, sessions
from core.lesson.beats import BEAT, Beat, Playlist
from core.lesson.tour import MINE, OWN, lectures
from core.lesson.tour import own_lecture as kept
from core.words.plain import plain

NAME = "lectures"
EXAMPLE = """# My lecture

## Where does the path go?

[The Viterbi lattice](viterbi)

Each column is a word, each row a state.

> Ask the room before the first step.
"""


def page() -> None:
    """Play a lecture, or make one."""
    st.title("Lectures", anchor=False)
    st.markdown(
        "A lecture is a list of beats: each a view of a lesson with a few sentences. **Page Down**, Space or a clicker goes "
        "on, **P** presents, **B** is black, **?** lists the keys."
    )
    st.markdown(
        "**S** opens the speaker's window, in another window or on another device: your notes, the next beat, a clock, and "
        "what the class says. **Class** opens a room, in which phones follow and vote."
    )
    st.header("Ready made", anchor=False)
    for playlist in lectures().values():
        row(playlist)
    st.header("Your own", anchor=False)
    st.markdown(
        "On any lesson, under “Take it away”, add the view you see. Here you put the views in order, and keep them as one "
        "Markdown file, which you may also write by hand. This browser keeps it, too."
    )
    own_lecture.keep_lecture()
    show_own(kept())


def row(playlist: Playlist) -> None:
    """Draw a lecture's title, its length, and the link to its first beat."""
    beats, minutes = len(playlist.beats), playlist.minutes
    each = f", about {minutes / beats:.1f} minutes each" if minutes and beats else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{plain(playlist.title)}**: {beats} beat{'' if beats == 1 else 's'}{each}", width="content"
        )
        if playlist.beats:
            play(playlist, playlist.beats[0], 1, "Play")


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
                st.button(
                    sign, key=name, on_click=do, args=(at, by), disabled=at == last, help=f"Play it {words}"
                )
            st.button(
                "×", key=f"lecture_remove_{at}", on_click=own_lecture.remove, args=(at,), help="Take it out"
            )
    with st.expander("The file", expanded=not playlist.beats):
        st.text_area(
            "Your lecture as Markdown",
            key=OWN,
            height=320,
            placeholder=EXAMPLE,
            persist_state="session",
        )
        with st.container(horizontal=True):
            st.download_button(
                "Save it",
                st.session_state.get(OWN, ""),
                file_name=f"{MINE}.md",
                mime="text/markdown",
                on_click="ignore",
                disabled=not st.session_state.get(OWN),
            )
        file = sessions.upload("Open a lecture", type=["md", "txt"], key="lecture_file", max_upload_size=1)
        if file is not None:
            st.button("Use this file", key="lecture_use", on_click=take, args=(file.getvalue(),))


def take(content: bytes) -> None:
    """Make a file's text the visitor's own lecture."""
    st.session_state[OWN] = content.decode("utf-8-sig", errors="replace")
