"""The speaker's desk: what only the lecturer sees, in a second window, while the first one is on the wall.

The two windows are two sessions, perhaps on two machines. They meet by a token that stands in the second one's address
only. The first session leaves on the desk where it is; the second one reads it. Where both windows are of one browser,
the second one also steers the first, by a channel within that browser.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field

import streamlit as st

from core.lesson.beats import Programme
from core.lesson.predict_first import GUESSES

TOKEN = "speaker_token"  # in the lecturer's session
DESKS_AT_MOST = 200  # of one server; the one that was used longest ago is cleared


@dataclass
class Desk:
    """Where a lecture stands: its programme, the beat's place, when it began, and the guesses so far."""

    programme: Programme | None = None
    at: int = 0
    began: float = 0.0
    guesses: dict[str, tuple[str, str]] = field(default_factory=dict)  # question: (guess, answer)


_desks: OrderedDict[str, Desk] = OrderedDict()


def token() -> str:
    """Return this session's token, and make its desk if it has none."""
    if TOKEN not in st.session_state:
        st.session_state[TOKEN] = secrets.token_urlsafe(12)
    name = st.session_state[TOKEN]
    if name not in _desks:
        _desks[name] = Desk()
        while len(_desks) > DESKS_AT_MOST:
            _desks.popitem(last=False)
    return name


def channel(name: str = "") -> str:
    """Return the channel on which the windows of one browser hear of each other; "" for a session without a desk."""
    name = name or st.session_state.get(TOKEN, "")
    return f"attend-desk-{name}" if name in _desks else ""


def desk(name: str) -> Desk | None:
    """Return the desk of a token, None if there is none."""
    return _desks.get(name)


def tell(programme: Programme, at: int) -> None:
    """Leave on the desk where the lecture stands, if this session's lecturer has opened one."""
    name = st.session_state.get(TOKEN)
    if name not in _desks:
        return
    _desks.move_to_end(name)
    found = _desks[name]
    if found.programme is None or found.programme.name != programme.name:
        found.began = time.time()
    found.programme, found.at = programme, at
    found.guesses = dict(st.session_state.get(GUESSES, {}))
