"""First visits: the server itself opens what takes long at first, so that nobody waits for it.

At the start these are all lessons, the slow ones before the others, while no learner is there; later the beat of a tour
or lecture that comes next. It comes as a browser comes, in Streamlit's own messages but without a network. So what it
leaves at hand (stored models, first results) is what the page asks for, and no lesson knows of it.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.lesson.recent import UNUSED, hold

SWITCH = "ATTEND_FIRST_VISITS"  # in the environment; "off" where a busy start would disturb, as in tests
OURS = "attend.first_visit"  # in the scope of our own connections
QUIET = 2.0  # seconds without a message of a learner's
PATIENCE = 120.0  # seconds for one visit
_visited: list[str] = []
_prepared: dict[str, float] = {}  # {link: the second of the clock}
_asked: tuple[asyncio.AbstractEventLoop, asyncio.Queue[str]] | None = None  # None: the server makes no visits
_last_message = float("-inf")


def are_on() -> bool:
    """Return whether the server makes first visits."""
    return os.environ.get(SWITCH) != "off"


def visited() -> tuple[str, ...]:
    """Return the lessons that were visited so far."""
    return tuple(_visited)


class NoticesLearners:
    """ASGI middleware that notes when a learner's browser last sent something over its websocket."""

    def __init__(self, app: Callable):
        self.app = app

    async def __call__(self, scope: dict, receive: Callable, send: Callable) -> None:
        """Pass the connection on; note its messages."""

        async def receive_and_note() -> dict:
            global _last_message
            message = await receive()
            _last_message = time.monotonic()
            return message

        learner = scope["type"] == "websocket" and OURS not in scope
        await self.app(scope, receive_and_note if learner else receive, send)


async def visit_each(app: Callable, lessons: Sequence[str]) -> None:
    """Visit one lesson after another, each when no learner has done anything for a moment; what they left at hand stays."""
    for lesson in lessons:
        while time.monotonic() - _last_message < QUIET:
            await asyncio.sleep(QUIET / 4)
        began = time.monotonic()
        with suppress(TimeoutError):
            await visit(app, lesson)
        hold(since=began)
        _visited.append(lesson)


async def make_visits(app: Callable, lessons: Sequence[str]) -> None:
    """Visit the lessons; meanwhile and for ever after, one by one, the links that are to be prepared."""
    global _asked
    links: asyncio.Queue[str] = asyncio.Queue()
    _asked = asyncio.get_running_loop(), links
    at_first = asyncio.create_task(visit_each(app, lessons))
    try:
        while True:
            with suppress(TimeoutError):
                await visit(app, await links.get())
    finally:
        at_first.cancel()
        _asked = None


def prepare(link: str) -> None:
    """Have a link visited soon: its page is asked for next. What a visit leaves at hand is there for a while."""
    if _asked and time.monotonic() - _prepared.get(link, float("-inf")) > UNUSED:
        _prepared[link] = time.monotonic()
        loop, links = _asked
        loop.call_soon_threadsafe(links.put_nowait, link)


async def visit(app: Callable, link: str) -> None:
    """Run a lesson's page once as a link to it does, "zipf" or "zipf?zipf_k=20", in a session of its own."""
    sent: asyncio.Queue[dict] = asyncio.Queue()
    over = asyncio.Event()

    async def take(message: dict) -> None:
        content = message.get("bytes")
        finished = content and ForwardMsg.FromString(content).WhichOneof("type") == "script_finished"
        if finished or message["type"] == "websocket.close":
            over.set()

    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    path = f"{f'/{base}' if base else ''}/_stcore/stream"
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
        OURS: True,
    }
    asked = BackMsg()
    asked.rerun_script.page_name, _, asked.rerun_script.query_string = link.partition("?")
    connection = asyncio.create_task(app(scope, sent.get, take))
    sent.put_nowait({"type": "websocket.connect"})
    sent.put_nowait({"type": "websocket.receive", "bytes": asked.SerializeToString()})
    try:
        await asyncio.wait_for(over.wait(), PATIENCE)
    finally:
        sent.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await connection
