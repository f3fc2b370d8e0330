"""Replacements for Streamlit's session classes: upload quota, timed shutdown, fair scheduling, batched messages.

st.App has no option for these classes, so app.py assigns them to Streamlit's modules.
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

from core.lesson.cache import evict_idle

if TYPE_CHECKING:
    from streamlit.runtime.app_session import RunDescriptor
    from streamlit.runtime.state import SafeSessionState
    from streamlit.runtime.uploaded_file_manager import UploadedFile

BYTES_AT_MOST = 30 << 20  # of all files of one session: three of the largest allowed
FILES_AT_MOST = 50
BATCH_SECONDS = 0.02  # the messages of a run in this time are sent together
TRIM_EVERY = 60.0  # seconds; a full garbage collection takes a quarter of a second
TIME_SLICE = 0.05  # seconds after which a run lets waiting runs go first
OVER_QUOTA = "application/x-attend-over-quota"  # the type of a file that was refused
SENTENCE = (
    f"The files that you have given so far and this one are more than {BYTES_AT_MOST >> 20} MB together, so it was not "
    "kept. What you gave before is as it was: take one of those files away with its ×, then give this one again."
)


def upload(label: str, **options) -> UploadedFile | None:
    """Draw a field for one file and return the file; None if there is none or the session is over its quota."""
    file = st.file_uploader(label, **options)
    if file is None or file.type != OVER_QUOTA:
        return file
    st.warning(SENTENCE)
    return None


class UploadQuotaManager(MemoryUploadedFileManager):
    """Uploaded files with a quota per session. A refused file is kept empty, so that the page can say so."""

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Store a file; store it empty if the bytes exceed the quota, not at all if the number of files does."""
        others = [
            held for held in self.file_storage.get(session_id, {}).values() if held.file_id != file.file_id
        ]
        if len(others) >= FILES_AT_MOST:
            return
        if sum(len(held.data) for held in others) + len(file.data) > BYTES_AT_MOST:
            file = UploadedFileRec(file.file_id, file.name, OVER_QUOTA, b"")
        super().add_file(session_id, file)


class TimedSessionStorage(SessionStorage):
    """Disconnected sessions, kept for `ttl_seconds` so that a reload can resume, then shut down.

    Streamlit's own storage removes expired sessions only when the next session disconnects, perhaps tomorrow. All methods
    run on the server's event loop.
    """

    def __init__(self, maxsize: int = 128, ttl_seconds: float = 120):
        self.maxsize, self.ttl_seconds = maxsize, ttl_seconds
        self._held: dict[str, tuple[SessionInfo, asyncio.TimerHandle]] = {}

    def get(self, session_id: str) -> SessionInfo | None:
        """Return a session, or None if it is not stored."""
        return self._held[session_id][0] if session_id in self._held else None

    def save(self, session_info: SessionInfo) -> None:
        """Store a session; above `maxsize` sessions, shut the oldest one down."""
        name = session_info.session.id
        self.delete(name)
        end = asyncio.get_running_loop().call_later(self.ttl_seconds, self._shut_down, name)
        self._held[name] = session_info, end
        if len(self._held) > self.maxsize:
            self._shut_down(next(iter(self._held)))

    def delete(self, session_id: str) -> None:
        """Remove a session without shutting it down."""
        if session_id in self._held:
            self._held.pop(session_id)[1].cancel()

    def list(self) -> list[SessionInfo]:
        """Return the stored sessions, the oldest first."""
        return [info for info, _ in self._held.values()]

    def _shut_down(self, session_id: str) -> None:
        session = self._held[session_id][0].session
        self.delete(session_id)
        session.shutdown()
        session.session_state.clear()  # the event loop refers to its last session until it serves another


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


class BatchingAppSession(AppSession):
    """A session that sends the messages of a run in batches and does not repeat the page list and theme.

    Streamlit wakes the event loop for each element, and the two threads then compete: a tenth of the cost of a run. The
    events that begin or end a run flush the batch at once.

    Before every run Streamlit sends all pages and the whole theme. The browser does not read them when a fragment runs.
    """

    def __init__(self, *args, **named):
        self._last_announced = ForwardMsg()  # of the latest full run, without pages and theme
        self._batch: list[partial] = []
        self._batch_lock = Lock()
        super().__init__(*args, **named)

    def _on_scriptrunner_event(self, sender: object, event: ScriptRunnerEvent, **details) -> None:
        event_call = partial(self._handle_scriptrunner_event_on_event_loop, sender, event, **details)
        with self._batch_lock:
            self._batch.append(event_call)
            first = len(self._batch) == 1
        if event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
            self._call_soon_on_event_loop(self._flush)
        elif first:
            self._call_soon_on_event_loop(partial(self._event_loop.call_later, BATCH_SECONDS, self._flush))

    def _create_new_session_message(
        self, page_script_hash: str, run_descriptor: RunDescriptor, pages: dict | None = None
    ) -> ForwardMsg:
        whole = not run_descriptor.fragment_ids or not self._last_announced.HasField("new_session")
        message = ForwardMsg()
        if whole:
            message = super()._create_new_session_message(page_script_hash, run_descriptor, pages)
            self._last_announced.CopyFrom(message)
            for left_out in ("app_pages", "custom_theme"):
                self._last_announced.new_session.ClearField(left_out)
        else:
            message.CopyFrom(self._last_announced)
            message.new_session.page_script_hash = page_script_hash
            message.metadata.run.script_run_id = run_descriptor.script_run_id
            message.metadata.run.fragment_ids[:] = run_descriptor.fragment_ids
        return message

    def _flush(self) -> None:
        with self._batch_lock:
            batch, self._batch = self._batch, []
        for event_call in batch:
            try:
                event_call()
            except Exception as error:  # as in the event loop, an error must not stop the next event
                self._event_loop.call_exception_handler({"message": "An event was lost.", "exception": error})


class FairSemaphore:
    """A semaphore that is acquired in order of arrival; threading.Semaphore does not guarantee that."""

    def __init__(self, count: int):
        self._free, self._waiting, self._lock = count, deque(), Lock()

    def acquire(self, timeout: float | None = None) -> bool:
        """Wait at most `timeout` seconds; return whether the semaphore was acquired."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            mine = Event()
            self._waiting.append(mine)
        if mine.wait(timeout):
            return True
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)
        return mine.is_set()

    def release(self) -> None:
        """Pass the slot to the thread that has waited longest, if any."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1


RUN_SLOTS = FairSemaphore(2)  # for all sessions: one run computes while the other waits for the event loop


class FairScriptRunner(ScriptRunner):
    """At most two scripts run at once, first come first served; running all together makes each as slow as the last.

    After TIME_SLICE seconds a script lets waiting ones go first, between two of its elements. They may wait for a result
    that it computes, so it continues without a slot after 20 time slices.
    """

    _has_slot = False

    def _run_script(self, rerun_data: RerunData) -> None:
        self._acquire_slot()
        try:
            super()._run_script(rerun_data)
        finally:
            self._release_slot()

    def _maybe_handle_execution_control_request(self) -> None:
        super()._maybe_handle_execution_control_request()
        if self._has_slot and self._is_in_script_thread() and time.monotonic() - self._since > TIME_SLICE:
            self._release_slot()
            self._acquire_slot(timeout=20 * TIME_SLICE)

    def _acquire_slot(self, timeout: float | None = None) -> None:
        self._has_slot = RUN_SLOTS.acquire(timeout)
        self._since = time.monotonic()

    def _release_slot(self) -> None:
        if self._has_slot:
            self._has_slot = False
            RUN_SLOTS.release()


class LazySessionView(Mapping):
    """A read-only mapping of the session state that looks a key up when it is read.

    A widget checks whether the value of its key is None. Streamlit would copy the whole session state into a dictionary for
    each such check.
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
