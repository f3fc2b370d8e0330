"""What sessions share and may hold: the quota of uploads, the turns in which scripts run, memory that is given back.

As many runs compute at once as there are slots: first the session that has used the least time of late. A session that has
used more than its share leaves one slot to the others, as long as others are there. So a learner who presses a slow button
again and again waits for the neighbours; they do not wait for that learner. A session has one run in the queue: a newer run
replaces an older one that still waits, because nobody would see the older run's page.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import TYPE_CHECKING

import streamlit as st

from core.lesson.cache import evict_idle
from core.lesson.lab_words import LAB_WORDS

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

BYTES_AT_MOST = 30 << 20  # of all files of one session: three of the largest allowed
FILES_AT_MOST = 50
TRIM_EVERY = 60.0  # seconds; a full garbage collection takes a quarter of a second
HALF_LIFE = 10.0  # seconds in which half of what a session has used is forgotten
SHARE = 1.0  # seconds; a move takes less than a tenth of one
RECENT = 10.0  # seconds after which a session is no longer there
LOOK_AGAIN = 0.25  # seconds, for one who waits because others are there: they may have gone
FORGOTTEN = 1e-3  # seconds used; less is nothing
OVER_QUOTA = "application/x-attend-over-quota"  # the type of a file that was refused


def upload(label: str, **options) -> UploadedFile | None:
    """Draw a field for one file and return the file; None if there is none or the session is over its quota."""
    file = st.file_uploader(label, **options)
    if file is None or file.type != OVER_QUOTA:
        return file
    st.warning(LAB_WORDS.label("files.over", most=BYTES_AT_MOST >> 20))
    return None


async def trim_memory_periodically(every: float = TRIM_EVERY) -> None:
    """Every `every` seconds, evict idle cache entries, collect garbage, and return free memory to the system.

    Objects of ended sessions form reference cycles. Only a full collection frees them, and Python runs one too rarely. glibc
    keeps freed memory for itself until malloc_trim is called.
    """
    while True:
        await asyncio.sleep(every)
        evict_idle()
        gc.collect()
        if trim := getattr(ctypes.pythonapi, "malloc_trim", None):
            await asyncio.to_thread(trim, 0)


@dataclass(eq=False)
class Waiting:
    """A run in the queue; `given` is set when it has a slot, or is to wait no longer."""

    session: str
    given: Event = field(default_factory=Event)
    has_slot: bool = False


@dataclass
class Use:
    """The seconds that a session has used, as they counted at a time, and when it last asked or gave back."""

    seconds: float = 0.0
    at: float = 0.0

    def until(self, now: float) -> float:
        """Return the seconds as they count now.

        >>> Use(8.0, 100.0).until(100.0 + 3 * HALF_LIFE)
        1.0
        """
        return self.seconds * 0.5 ** ((now - self.at) / HALF_LIFE)


class Turns:
    """Slots for runs, given to the session that has used the least time of late, else in order of arrival."""

    def __init__(self, count: int, clock: Callable[[], float] = time.monotonic):
        self._count = self._free = count
        self._clock, self._lock = clock, Lock()
        self._waiting: list[Waiting] = []
        self._uses: dict[str, Use] = {}

    def acquire(self, session: str = "", timeout: float | None = None) -> bool:
        """Wait at most `timeout` seconds for a slot; return whether there is one.

        Without a timeout it returns False only where a newer run of the session has taken this one's place. Who asks
        without a session counts as having used nothing.
        """
        mine, until = self.join(session), time.monotonic() + (math.inf if timeout is None else timeout)
        while not mine.given.wait(min(LOOK_AGAIN, until - time.monotonic())):
            if time.monotonic() >= until:
                self.leave(mine)
                break
            self.give()
        return mine.has_slot

    def join(self, session: str) -> Waiting:
        """Return a run of a session that now waits, or has a slot already."""
        mine = Waiting(session)
        with self._lock:
            for older in [each for each in self._waiting if session and each.session == session]:
                self._waiting.remove(older)
                older.given.set()
            self._count_use(session, 0.0)
            self._waiting.append(mine)
            self._give()
        return mine

    def leave(self, mine: Waiting) -> None:
        """Take a run out of the queue, if it still waits."""
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)

    def release(self) -> None:
        """Give a slot back; whoever is next gets it."""
        with self._lock:
            self._free += 1
            self._give()

    def charge(self, session: str, seconds: float) -> None:
        """Add seconds to those that a session has used."""
        with self._lock:
            self._count_use(session, seconds)

    def give(self) -> None:
        """Give the free slots to those who may have one now."""
        with self._lock:
            self._give()

    def used(self, session: str) -> float:
        """Return the seconds that a session has used of late."""
        return self._uses[session].until(self._clock()) if session in self._uses else 0.0

    def _count_use(self, session: str, seconds: float) -> None:
        now = self._clock()
        if session:
            self._uses[session] = Use(self.used(session) + seconds, now)
        for name in [name for name, use in self._uses.items() if now - use.at > RECENT]:
            if self.used(name) < FORGOTTEN:
                del self._uses[name]

    def _give(self) -> None:
        while self._free and (may := [each for each in self._waiting if self._may_run(each)]):
            chosen = min(may, key=lambda each: self.used(each.session))  # of equals, the first in the queue
            self._waiting.remove(chosen)
            self._free -= 1
            chosen.has_slot = True
            chosen.given.set()

    def _may_run(self, run: Waiting) -> bool:
        """Return whether a run leaves enough to others: the last of several slots is not for who has used too much."""
        if self._free > 1 or self._count == 1 or self.used(run.session) <= SHARE:
            return True
        now = self._clock()
        return not any(
            now - use.at <= RECENT and use.until(now) <= SHARE
            for name, use in self._uses.items()
            if name != run.session
        )


RUN_SLOTS = Turns(2)  # for all sessions: one run computes while the other waits for the event loop
