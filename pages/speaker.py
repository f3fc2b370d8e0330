"""The speaker's window: commands, notes, next beat, clock and guesses, for the lecturer only."""

import time

import streamlit as st

from core.lesson import speaker
from core.lesson.beats import Beat
from core.lesson.browser_view import browser_view
from core.lesson.plain import plain

NAME = "speaker"


def page() -> None:
    """Show what lies on the desk whose token the address holds, and what steers the lecture's window."""
    found = speaker.desk(st.query_params.get("token", ""))
    if found is None:
        st.title("Speaker's window", anchor=False)
        st.markdown(
            "This address opens no desk. Open the speaker's window from the page “Lectures”, in the session that you "
            "will present from; a desk is gone when the server was started again."
        )
        return
    browser_view(NAME, {"channel": speaker.channel(st.query_params["token"])}, "speaker_commands")
    notes(found)


@st.fragment(run_every=0.5)
def notes(desk: speaker.Desk) -> None:
    """Show where the lecture stands; twice a second."""
    if desk.playlist is None:
        st.title("Speaker's window", anchor=False)
        st.markdown("The lecture has not begun. Play its first beat in the other window.")
        return
    beats, at = desk.playlist.beats, desk.at
    seconds = int(time.time() - desk.began)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(f"{at + 1} of {len(beats)}: {plain(beats[at].title)}", anchor=False)
        st.metric("Since the beginning", f"{seconds // 60}:{seconds % 60:02}", width="content")
        if desk.playlist.minutes:
            planned = round(desk.playlist.minutes * at / len(beats))
            st.metric("This beat, if all are alike", f"{planned}:00", width="content")
        st.metric("Now", time.strftime("%H:%M"), width="content")
    st.markdown(beats[at].notes or "*No note for this beat.*")
    st.divider()
    show_next(beats[at + 1] if at + 1 < len(beats) else None)
    right = sum(guess == answer for guess, answer in desk.guesses.values())
    if desk.guesses:
        st.caption(f"Guesses so far: {right} of {len(desk.guesses)} right.")
        st.table(
            [{"guess": plain(guess), "answer": plain(answer)} for guess, answer in desk.guesses.values()]
        )


def show_next(beat: Beat | None) -> None:
    """Show the beat that comes next, with its notes."""
    if beat is None:
        st.markdown("**This is the last beat.**")
        return
    st.markdown(f"**Next: {plain(beat.title)}** ({beat.lesson})")
    st.markdown(beat.notes)
