"""The warm-up: the server visits pages itself, so that their caches are filled before a learner opens them.

At the start it visits all lessons, slow ones first, while no learner is active. Later it visits the next beat of a tour or
lecture that is being played. A visit uses Streamlit's own messages, as a browser does, but no network. So it fills the same
caches (stored models, first results), and lessons need no code for it.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.lesson.cache import IDLE_SECONDS, protect_entries
from core.lesson.static_files import base_path

SWITCH = "ATTEND_FIRST_VISITS"  # environment variable; "off" switches the warm-up off, as in tests
OWN_CONNECTION = "attend.first_visit"  # key in the ASGI scope of our own connections
QUIET_SECONDS = 2.0  # without a message from a learner, before the next visit
VISIT_TIMEOUT = 120.0  # seconds
_visited: list[str] = []
_queued_at: dict[str, float] = {}  # {link: time.monotonic()}
_queue: tuple[asyncio.AbstractEventLoop, asyncio.Queue[str]] | None = None  # None: no warm-up
_last_message = float("-inf")


def is_enabled() -> bool:
    """Return whether the warm-up is on."""
    return os.environ.get(SWITCH) != "off"


def visited() -> tuple[str, ...]:
    """Return the names of the lessons visited so far."""
    return tuple(_visited)


class LearnerActivityMiddleware:
    """ASGI middleware that stores when a learner's browser last sent a WebSocket message."""

    def __init__(self, app: Callable):
        self.app = app

    async def __call__(self, scope: dict, receive: Callable, send: Callable) -> None:
        """Pass the connection on, and store the time of each message."""

        async def receive_and_note() -> dict:
            global _last_message
            message = await receive()
            _last_message = time.monotonic()
            return message

        learner = scope["type"] == "websocket" and OWN_CONNECTION not in scope
        await self.app(scope, receive_and_note if learner else receive, send)


async def visit_each(app: Callable, lessons: Sequence[str]) -> None:
    """Visit the lessons in order, each once no learner is active; pin the cache entries that a visit read or made."""
    for lesson in lessons:
        while time.monotonic() - _last_message < QUIET_SECONDS:
            await asyncio.sleep(QUIET_SECONDS / 4)
        began = time.monotonic()
        with suppress(TimeoutError):
            await visit(app, lesson)
        protect_entries(since=began)
        _visited.append(lesson)


async def run_warmup(app: Callable, lessons: Sequence[str]) -> None:
    """Visit the lessons, and at the same time, until cancelled, the links queued by `prerender`."""
    global _queue
    links: asyncio.Queue[str] = asyncio.Queue()
    _queue = asyncio.get_running_loop(), links
    at_first = asyncio.create_task(visit_each(app, lessons))
    try:
        while True:
            with suppress(TimeoutError):
                await visit(app, await links.get())
    finally:
        at_first.cancel()
        _queue = None


def prerender(link: str) -> None:
    """Queue a page for pre-rendering, so that its caches are warm when the learner opens it."""
    if _queue and time.monotonic() - _queued_at.get(link, float("-inf")) > IDLE_SECONDS:
        _queued_at[link] = time.monotonic()
        loop, links = _queue
        loop.call_soon_threadsafe(links.put_nowait, link)


async def visit(app: Callable, link: str) -> None:
    """Run a page once in a new session, as a browser does that opens `link`, "zipf" or "zipf?zipf_k=20"."""
    sent: asyncio.Queue[dict] = asyncio.Queue()
    over = asyncio.Event()

    async def take(message: dict) -> None:
        content = message.get("bytes")
        finished = content and ForwardMsg.FromString(content).WhichOneof("type") == "script_finished"
        if finished or message["type"] == "websocket.close":
            over.set()

    path = f"{base_path()}/_stcore/stream"
    scope = {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 0),
        "server": ("localhost", 0),
        "subprotocols": ["streamlit"],
        "state": {},
        OWN_CONNECTION: True,
    }
    asked = BackMsg()
    asked.rerun_script.page_name, _, asked.rerun_script.query_string = link.partition("?")
    connection = asyncio.create_task(app(scope, sent.get, take))
    sent.put_nowait({"type": "websocket.connect"})
    sent.put_nowait({"type": "websocket.receive", "bytes": asked.SerializeToString()})
    try:
        await asyncio.wait_for(over.wait(), VISIT_TIMEOUT)
    finally:
        sent.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await connection
