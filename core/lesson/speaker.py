"""The speaker's desk: state that the presenting window shares with the lecturer's second window.

The two windows are two sessions, perhaps on two machines. A token, which only the second window's URL holds, connects them:
the first session writes its place to the desk, and the second reads it. If both windows are in one browser, the second also
controls the first, by a BroadcastChannel.
"""

from __future__ import annotations

import re
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field

import streamlit as st

from core.lesson.beats import Playlist
from core.lesson.predict_first import GUESSES

TOKEN = "speaker_token"  # key in the lecturer's session
# The cookie by which nginx keeps a browser at one of several processes (deploy/nginx.conf), and what it holds.
COOKIE, COOKIE_HELD = "attend", re.compile(r"[0-9a-f]{32}")
DESKS_AT_MOST = 200  # of one server; the least recently used one is dropped


@dataclass
class Desk:
    """The place in a lecture: the playlist, the beat's index, the start (time.time) and the guesses so far."""

    playlist: Playlist | None = None
    at: int = 0
    began: float = 0.0
    guesses: dict[str, tuple[str, str]] = field(default_factory=dict)  # question: (guess, answer)


_desks: OrderedDict[str, Desk] = OrderedDict()


def token() -> str:
    """Return this session's token; create its desk if there is none.

    Behind nginx the token begins with this browser's cookie, so that a window on another machine comes to the same process.
    """
    if TOKEN not in st.session_state:
        cookie = str(st.context.cookies.get(COOKIE, ""))
        place = f"{cookie}-" if COOKIE_HELD.fullmatch(cookie) else ""
        st.session_state[TOKEN] = place + secrets.token_urlsafe(12)
    name = st.session_state[TOKEN]
    if name not in _desks:
        _desks[name] = Desk()
        while len(_desks) > DESKS_AT_MOST:
            _desks.popitem(last=False)
    return name


def channel(name: str = "") -> str:
    """Return the name of the BroadcastChannel of a token, by default this session's; "" if it has no desk."""
    name = name or st.session_state.get(TOKEN, "")
    return f"attend-desk-{name}" if name in _desks else ""


def desk(name: str) -> Desk | None:
    """Return the desk of a token, or None."""
    return _desks.get(name)


def update_desk(playlist: Playlist, at: int) -> None:
    """Write the present place to this session's desk, if it has one."""
    name = st.session_state.get(TOKEN)
    if name not in _desks:
        return
    _desks.move_to_end(name)
    found = _desks[name]
    if found.playlist is None or found.playlist.name != playlist.name:
        found.began = time.time()
    found.playlist, found.at = playlist, at
    found.guesses = dict(st.session_state.get(GUESSES, {}))
