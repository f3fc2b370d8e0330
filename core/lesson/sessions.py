"""What a session holds, how long, and when it runs and sends: files up to a quota, no page that is gone, runs in turn.

Streamlit lets some of it be chosen, but not st.App: app.py puts these classes in the place of its own.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import time
from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial
from threading import Event, Lock
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.session_manager import SessionInfo, SessionStorage
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from core.lesson.recent import let_go

if TYPE_CHECKING:
    from streamlit.runtime.app_session import RunDescriptor
    from streamlit.runtime.state import SafeSessionState
    from streamlit.runtime.uploaded_file_manager import UploadedFile

BYTES_AT_MOST = 30 << 20  # of one session's files together: three of the largest
FILES_AT_MOST = 50
GATHERING = 0.02  # seconds; what a run draws meanwhile is sent together
GIVING_BACK = 60.0  # seconds; a full look for garbage takes a quarter of one
TURN = 0.05  # seconds until a run lets others pass
OVER = "application/x-attend-over-quota"  # the type of a file that was not kept
SENTENCE = (
    f"The files that you have given so far and this one are more than {BYTES_AT_MOST >> 20} MB together, so it was not "
    "kept. What you gave before is as it was: take one of those files away with its ✕, then give this one again."
)


def upload(label: str, **options) -> UploadedFile | None:
    """Draw a field for one file of the learner's and return it; None when there is none, or too much is held already."""
    file = st.file_uploader(label, **options)
    if file is None or file.type != OVER:
        return file
    st.warning(SENTENCE)
    return None


class FilesWithinQuota(MemoryUploadedFileManager):
    """The files of every session. Of one that is too much, its name is kept, so that the page can say so."""

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Keep a file, or that it was too much; nothing of it where there are too many."""
        others = [
            held for held in self.file_storage.get(session_id, {}).values() if held.file_id != file.file_id
        ]
        if len(others) >= FILES_AT_MOST:
            return
        if sum(len(held.data) for held in others) + len(file.data) > BYTES_AT_MOST:
            file = UploadedFileRec(file.file_id, file.name, OVER, b"")
        super().add_file(session_id, file)


class PunctualStorage(SessionStorage):
    """Sessions whose page is gone, to be found again for so many seconds, and then shut down.

    Streamlit's own storage lets go of them when the next page goes, be it tomorrow. All of this runs on the server's loop.
    """

    def __init__(self, maxsize: int = 128, ttl_seconds: float = 120):
        self.maxsize, self.ttl_seconds = maxsize, ttl_seconds
        self._held: dict[str, tuple[SessionInfo, asyncio.TimerHandle]] = {}

    def get(self, session_id: str) -> SessionInfo | None:
        """Return a session, None when it is not held (any more)."""
        return self._held[session_id][0] if session_id in self._held else None

    def save(self, session_info: SessionInfo) -> None:
        """Hold a session from now on; where that are too many, the one that has waited longest goes."""
        name = session_info.session.id
        self.delete(name)
        end = asyncio.get_running_loop().call_later(self.ttl_seconds, self._shut_down, name)
        self._held[name] = session_info, end
        if len(self._held) > self.maxsize:
            self._shut_down(next(iter(self._held)))

    def delete(self, session_id: str) -> None:
        """Hold a session no longer: its page is back, or it is shut down."""
        if session_id in self._held:
            self._held.pop(session_id)[1].cancel()

    def list(self) -> list[SessionInfo]:
        """Return the sessions held, the one that has waited longest first."""
        return [info for info, _ in self._held.values()]

    def _shut_down(self, session_id: str) -> None:
        session = self._held[session_id][0].session
        self.delete(session_id)
        session.shutdown()
        session.session_state.clear()  # the server's loop holds the session it served last until it serves another


async def give_back(every: float = GIVING_BACK) -> None:
    """Minute by minute let go of what nobody asks for, and give its memory back to the system.

    Pages of sessions that were shut down hold one another, so that they wait for a full look for garbage, which Python
    takes too seldom. What is freed is kept for what comes (glibc), unless it is told to give it back.
    """
    while True:
        await asyncio.sleep(every)
        let_go()
        gc.collect()
        if trim := getattr(ctypes.pythonapi, "malloc_trim", None):
            await asyncio.to_thread(trim, 0)


class SendsTogether(AppSession):
    """A session that hands what a run draws to the server's loop by the handful, and says nothing twice.

    Streamlit wakes the loop for each element, and the two threads then take turns: a tenth of what a move costs. What
    begins or ends a run is handed over at once, and takes with it what was gathered before.

    Before every run Streamlit names all pages and the whole theme, of which a browser reads nothing when a fragment runs.
    """

    def __init__(self, *args, **named):
        self._announced = ForwardMsg()  # the latest run of the whole page, without pages and theme
        self._gathered: list[partial] = []
        self._gathering = Lock()
        super().__init__(*args, **named)

    def _on_scriptrunner_event(self, sender: object, event: ScriptRunnerEvent, **details) -> None:
        happened = partial(self._handle_scriptrunner_event_on_event_loop, sender, event, **details)
        with self._gathering:
            self._gathered.append(happened)
            first = len(self._gathered) == 1
        if event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
            self._call_soon_on_event_loop(self._hand_over)
        elif first:
            self._call_soon_on_event_loop(partial(self._event_loop.call_later, GATHERING, self._hand_over))

    def _create_new_session_message(
        self, page_script_hash: str, run_descriptor: RunDescriptor, pages: dict | None = None
    ) -> ForwardMsg:
        whole = not run_descriptor.fragment_ids or not self._announced.HasField("new_session")
        message = ForwardMsg()
        if whole:
            message = super()._create_new_session_message(page_script_hash, run_descriptor, pages)
            self._announced.CopyFrom(message)
            for left_out in ("app_pages", "custom_theme"):
                self._announced.new_session.ClearField(left_out)
        else:
            message.CopyFrom(self._announced)
            message.new_session.page_script_hash = page_script_hash
            message.metadata.run.script_run_id = run_descriptor.script_run_id
            message.metadata.run.fragment_ids[:] = run_descriptor.fragment_ids
        return message

    def _hand_over(self) -> None:
        with self._gathering:
            gathered, self._gathered = self._gathered, []
        for happened in gathered:
            try:
                happened()
            except Exception as error:  # as with what the loop calls, one that goes wrong stops no other
                self._event_loop.call_exception_handler({"message": "An event was lost.", "exception": error})


class Turns:
    """So many turns, given to those who wait in the order in which they came (a semaphore's may be taken out of turn)."""

    def __init__(self, count: int):
        self._free, self._waiting, self._lock = count, deque(), Lock()

    def take(self, patience: float | None = None) -> bool:
        """Wait for a turn, and return whether it came in so many seconds."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            mine = Event()
            self._waiting.append(mine)
        if mine.wait(patience):
            return True
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)
        return mine.is_set()

    def give(self) -> None:
        """Give a turn to who has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1


TURNS = Turns(2)  # for the runs of all sessions: one computes while the other waits for the server's loop


class TakesTurns(ScriptRunner):
    """A session's run, which waits for its turn: many at once interrupt one another all the time, and all end last.

    One that takes long lets others pass between two of its elements. What it computes may then be what these wait for, so
    it goes on after a while without a turn.
    """

    _has_turn = False

    def _run_script(self, rerun_data: RerunData) -> None:
        self._take_turn()
        try:
            super()._run_script(rerun_data)
        finally:
            self._end_turn()

    def _maybe_handle_execution_control_request(self) -> None:
        super()._maybe_handle_execution_control_request()
        if self._has_turn and self._is_in_script_thread() and time.monotonic() - self._since > TURN:
            self._end_turn()
            self._take_turn(patience=20 * TURN)

    def _take_turn(self, patience: float | None = None) -> None:
        self._has_turn = TURNS.take(patience)
        self._since = time.monotonic()

    def _end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            TURNS.give()


class LooksUp(Mapping):
    """What a session keeps by key, each looked up when it is asked for.

    A field asks whether the value under its key is None, and Streamlit writes all that the session keeps into a
    dictionary to answer: for every field of every run.
    """

    def __init__(self, state: SafeSessionState):
        self._state = state

    def __contains__(self, key: object) -> bool:
        return key in self._state

    def __getitem__(self, key: str) -> object:
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state._state.filtered_state)

    def __len__(self) -> int:
        return len(self._state._state.filtered_state)
