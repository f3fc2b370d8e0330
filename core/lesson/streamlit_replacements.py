"""All that we replace in Streamlit, in one file: what, why, and the issue where Streamlit's users ask for it.

st.App has no option for these names, so app.py assigns ours in their place. A name that a new version of Streamlit
renames would be replaced in vain, without an error. So `replace_all` first compares each name, and each private method
that our classes override or call, with the signature that we know, and refuses to start if one differs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from threading import Lock

from streamlit.components.v2.bidi_component.main import BidiComponentMixin
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import (
    app_session,
    memory_session_storage,
    memory_uploaded_file_manager,
    websocket_session_manager,
)
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor
from streamlit.runtime.session_manager import SessionInfo, SessionStorage
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from core.lesson.cached import PRIVATE
from core.lesson.failure_log import failures
from core.lesson.lab_words import LAB_WORDS
from core.lesson.reader import LANG
from core.lesson.sessions import BYTES_AT_MOST, FILES_AT_MOST, OVER_QUOTA, RUN_SLOTS, Turns
from core.words.language import set_language

BATCH_SECONDS = 0.02  # the messages of a run in this time are sent together
# For a run that has waited long and goes on without a slot: others may wait for what it computes.
SPARE_SLOT = Turns(1)
TIME_SLICE = 0.05  # seconds after which a run lets waiting runs go first


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
        # The event loop refers to its last session until it serves another one, so what the session held is freed here.
        empty_state(session.session_state)


def empty_state(state: SessionState) -> None:
    """Forget all that a session keeps. Its own `clear` reads each value first, which fails for one of a wrong type."""
    state._new_widget_state.states.clear()
    state._new_widget_state.widget_metadata.clear()
    state.clear()


class BatchingAppSession(AppSession):
    """A session that sends the messages of a run in batches, and forgets its results when its page is gone.

    Streamlit wakes the event loop for each element, and the two threads then compete: a tenth of the cost of a run. The
    events that begin or end a run flush the batch at once.
    """

    def __init__(self, *args, **named):
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

    def clear_session_caches(self) -> None:
        """Forget, when the page is gone, the results that the session kept for itself: they can be computed again."""
        super().clear_session_caches()
        with suppress(KeyError):
            del self._session_state[PRIVATE]

    def _flush(self) -> None:
        with self._batch_lock:
            batch, self._batch = self._batch, []
        for event_call in batch:
            try:
                event_call()
            except Exception as error:  # as in the event loop, an error must not stop the next event
                self._event_loop.call_exception_handler({"message": "An event was lost.", "exception": error})


class FairScriptRunner(ScriptRunner):
    """At most two scripts run at once, in the order of core/lesson/sessions.py; all together, each is as slow as the last.

    After TIME_SLICE seconds a script lets waiting ones go first, between two of its elements. They may wait for a result
    that it computes, so it continues after 20 time slices: one such script at a time, more only after as long again.
    """

    _is_running = False
    _slots: Turns | None = None  # of which it has one

    def _run_script(self, rerun_data: RerunData) -> None:
        if not self._acquire_slot():  # a newer run of this session waits in its place
            return
        self._is_running = True
        try:
            if LANG in self._session_state:  # a run of a part of the page, or what a control calls before it
                set_language(self._session_state[LANG])
            super()._run_script(rerun_data)
        except Exception as error:  # before and after a page, Streamlit reads values and catches nothing
            failures.write(error)
            self._end_session()
        finally:
            self._is_running = False
            self._end_slice()

    def _end_session(self) -> None:
        """Forget what the session keeps, and say so on an empty page: each further run would fail as this one has."""
        with self._session_state._lock:
            empty_state(self._session_state._state)
        run, sentence = RunDescriptor.create(), ForwardMsg()
        sentence.metadata.delta_path[:] = [0, 0]
        sentence.delta.new_element.alert.body = LAB_WORDS.label("ended")
        sentence.delta.new_element.alert.format = Alert.ERROR
        pages = self._pages_manager.get_pages()
        started = ScriptRunnerEvent.SCRIPT_STARTED
        self.on_event.send(self, event=started, page_script_hash="", pages=pages, run_descriptor=run)
        self.on_event.send(self, event=ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, forward_msg=sentence)
        self.on_event.send(self, event=ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS, run_descriptor=run)

    def _maybe_handle_execution_control_request(self) -> None:
        super()._maybe_handle_execution_control_request()
        if self._is_running and self._is_in_script_thread() and time.monotonic() > self._until:
            self._end_slice()
            if not self._acquire_slot(timeout=20 * TIME_SLICE):
                super()._maybe_handle_execution_control_request()  # a newer run may have taken its place
                spare = SPARE_SLOT.acquire(timeout=20 * TIME_SLICE)
                self._begin_slice(SPARE_SLOT if spare else None, 20 * TIME_SLICE)

    def _acquire_slot(self, timeout: float | None = None) -> bool:
        has_slot = RUN_SLOTS.acquire(self._session_id, timeout)
        self._begin_slice(RUN_SLOTS if has_slot else None, TIME_SLICE)
        return has_slot

    def _begin_slice(self, slots: Turns | None, seconds: float) -> None:
        self._slots, self._since = slots, time.monotonic()
        self._until = self._since + seconds

    def _end_slice(self) -> None:
        now = time.monotonic()
        RUN_SLOTS.charge(self._session_id, now - self._since)
        slots, self._slots, self._since = self._slots, None, now
        if slots:
            slots.release()


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


def no_identity(self: BidiComponentMixin, **_) -> dict:
    """Return nothing by which to identify a view. Streamlit would serialize and hash its data; all our views have a key."""
    return {}


@dataclass(frozen=True)
class Replacement:
    """A name of Streamlit that we assign: where it stands, its signature as we know it, what we put there, and why."""

    owner: object  # a module or a class
    name: str
    signature: str  # of the function or class; of the getter where it is a property
    put: object
    reason: str
    issue: str  # of streamlit/streamlit, or "" if we found none
    original: object = field(init=False)  # Streamlit's own, None if it has no such name

    def __post_init__(self) -> None:
        object.__setattr__(self, "original", getattr(self.owner, self.name, None))

    @property
    def place(self) -> str:
        """Return the name with its owner, as in "AppSession.shutdown"."""
        return f"{getattr(self.owner, '__qualname__', self.owner.__name__)}.{self.name}"


REPLACEMENTS = (
    Replacement(
        memory_uploaded_file_manager,
        "MemoryUploadedFileManager",
        "(upload_endpoint)",
        UploadQuotaManager,
        "Streamlit limits each file, but neither the files nor the bytes of a session.",
        "#3401",
    ),
    Replacement(
        memory_session_storage,
        "MemorySessionStorage",
        "(maxsize, ttl_seconds)",
        TimedSessionStorage,
        "A session whose page is gone stays in memory until the next one disconnects.",
        "#12506",
    ),
    Replacement(
        app_session,
        "ScriptRunner",
        "(session_id, main_script_path, session_state, uploaded_file_mgr, script_cache, initial_rerun_data, user_info, "
        "fragment_storage, pages_manager, event_loop, on_script_error, local_sources_watcher)",
        FairScriptRunner,
        "All scripts run at once, so in a hall each is as slow as the last.",
        "#12090",
    ),
    Replacement(
        websocket_session_manager,
        "AppSession",
        "(script_data, uploaded_file_manager, script_cache, message_enqueued_callback, user_info, session_id_override, "
        "on_script_error)",
        BatchingAppSession,
        "Each element of a page wakes the event loop: a fifth of the cost of a lab's run.",
        "#12090",
    ),
    Replacement(
        SafeSessionState,
        "filtered_state",
        "(self)",
        property(LazySessionView),
        "Each control copies the whole session state: a tenth of the cost of a lab's run.",
        "#9415",
    ),
    Replacement(
        BidiComponentMixin,
        "_build_bidi_identity_kwargs",
        "(self, component_name, isolate_styles, width, height, proto, data, default)",
        no_identity,
        "A view's data is serialized and hashed for an identity that its key already gives.",
        "",
    ),
)
# Private methods that our classes override or call, with their parameters.
RELIED_ON = (
    (
        AppSession,
        "_on_scriptrunner_event",
        "(self, sender, event, forward_msg, exception, client_state, page_script_hash, fragment_ids_this_run, pages, "
        "run_descriptor)",
    ),
    (
        AppSession,
        "_handle_scriptrunner_event_on_event_loop",
        "(self, sender, event, forward_msg, exception, client_state, page_script_hash, fragment_ids_this_run, pages, "
        "run_descriptor)",
    ),
    (AppSession, "_call_soon_on_event_loop", "(self, callback)"),
    (AppSession, "clear_session_caches", "(self)"),
    (ScriptRunner, "_run_script", "(self, rerun_data)"),
    (ScriptRunner, "_maybe_handle_execution_control_request", "(self)"),
    (ScriptRunner, "_is_in_script_thread", "(self)"),
    (MemoryUploadedFileManager, "add_file", "(self, session_id, file)"),
)


def parameters_of(found: object) -> str:
    """Return the names of the parameters that a function, class or property takes; "" for anything else.

    >>> parameters_of(AppSession._call_soon_on_event_loop), parameters_of(SafeSessionState.is_new_state_value)
    ('(self, callback)', '(self, user_key)')
    """
    if isinstance(found, property):
        found = found.fget
    return f"({', '.join(signature(found).parameters)})" if callable(found) else ""


def check_names() -> list[str]:
    """Return a sentence for each name that Streamlit does not have as we know it."""
    known = [(each.place, each.original, each.signature) for each in REPLACEMENTS]
    known += [
        (f"{owner.__name__}.{name}", getattr(owner, name, None), expected)
        for owner, name, expected in RELIED_ON
    ]
    return [
        f"{place} should take {expected}, but {f'takes {found}' if found else 'is gone'}."
        for place, original, expected in known
        if (found := parameters_of(original)) != expected
    ]


def replace_all() -> None:
    """Put our classes in the place of Streamlit's. Raises RuntimeError if a name is not as we know it."""
    if wrong := check_names():
        raise RuntimeError(
            "This version of Streamlit is not the one that requirements.txt names, and what we replace in it has "
            f"changed: {' '.join(wrong)} Install the version that requirements.txt names."
        )
    for each in REPLACEMENTS:
        setattr(each.owner, each.name, each.put)
