"""A student on a websocket: opens a lesson as a browser would and moves one of its controls at a time.

It speaks Streamlit's own protocol with the classes that Streamlit ships, draws nothing, and so measures the server
alone. All controls' values are sent with every move, the fragment that the moved control stands in, and which messages
it still has, as the browser does: those are not sent again.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState

PATIENCE = 60  # seconds; then a student gives up
SAME_FOR_ALL = (
    "_predict",
    "predict_first",
)  # predicting first is a way of working, not a control of the lesson


@dataclass(frozen=True)
class Run:
    """One run of a page: milliseconds until it was whole, its bytes, and how many errors it showed."""

    ms: float
    size: int
    errors: int


@dataclass
class Control:
    """A control of the page: the values it can take, as its state is sent, and the fragment it stands in."""

    values: list[dict]
    fragment: str = ""


def choices(element) -> tuple[str, list[dict]] | None:
    """Return the id of a control and the states it can be put in, None for other elements."""
    kind = element.WhichOneof("type")
    part = getattr(element, kind)
    if kind == "slider" and not part.disabled and len(part.default) <= 1:
        if part.type == Slider.SELECT_SLIDER:
            return part.id, [{"string_array_value": {"data": [option]}} for option in part.options]
        steps = int((part.max - part.min) / (part.step or 1))
        places = range(steps + 1) if steps < 50 else range(0, steps + 1, steps // 50)
        return part.id, [{"double_array_value": {"data": [part.min + part.step * i]}} for i in places]
    if kind == "radio" and not part.disabled:
        return part.id, [{"string_value": option} for option in part.options]
    if kind == "button_group" and part.click_mode == part.SINGLE_SELECT:
        return part.id, [{"string_array_value": {"data": [option.content]}} for option in part.options]
    if kind == "checkbox" and not part.disabled:
        return part.id, [{"bool_value": value} for value in (False, True)]
    return None


@dataclass
class Student:
    """One session; `open` first, then `visit`, then `move`."""

    url: str
    random: random.Random
    page: str = ""
    query: str = ""  # the address's fields, as they stand in it
    pages: dict[str, str] = field(default_factory=dict)
    controls: dict[str, Control] = field(default_factory=dict)
    state: dict[str, dict] = field(default_factory=dict)
    kept: dict[str, tuple[ForwardMsg, int]] = field(default_factory=dict)  # by hash, with its age in runs
    keeps: int = 2  # runs; the server says

    async def open(self) -> Run:
        """Connect and run the home page."""
        address = self.url.replace("http", "ws", 1).rstrip("/") + "/_stcore/stream"
        self.socket = await websockets.connect(
            address,
            subprotocols=["streamlit"],
            max_size=None,
            compression=None,
            open_timeout=PATIENCE,
            ping_interval=None,
        )
        return await self.run()

    async def visit(self, lesson: str, query: str = "") -> Run:
        """Run a lesson's page for the first time, as a link with this query opens it."""
        self.page, self.controls, self.state, self.query = self.pages[lesson], {}, {}, query
        return await self.run()

    async def move(self) -> Run:
        """Put one of the controls, drawn at random, into another of its states; without controls, run the page."""
        if not self.controls:
            return await self.run()
        chosen = self.random.choice(sorted(self.controls))
        control = self.controls[chosen]
        others = [value for value in control.values if value != self.state.get(chosen)]
        self.state[chosen] = self.random.choice(others)
        return await self.run(control.fragment)

    async def run(self, fragment: str = "") -> Run:
        """Ask for a run of the page, or of a fragment, and read it to its end."""
        asked = BackMsg()
        asked.rerun_script.page_script_hash = self.page
        asked.rerun_script.fragment_id = fragment
        asked.rerun_script.query_string = self.query
        for name, value in self.state.items():
            asked.rerun_script.widget_states.widgets.append(WidgetState(id=name, **value))
        asked.rerun_script.cached_message_hashes.extend(self.kept)
        began, size, errors = time.perf_counter(), 0, 0
        await self.socket.send(asked.SerializeToString())
        if not fragment:
            self.controls = {}
        while True:
            raw = await asyncio.wait_for(self.socket.recv(), PATIENCE)
            size += len(raw)
            message = self.whole(ForwardMsg.FromString(raw))
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.keeps = message.new_session.config.max_cached_message_age
            elif kind == "navigation":
                self.pages = {
                    page.url_pathname: page.page_script_hash for page in message.navigation.app_pages
                }
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                errors += message.delta.new_element.WhichOneof("type") == "exception"
                found = choices(message.delta.new_element)
                if found and len(found[1]) > 1 and not any(name in found[0] for name in SAME_FOR_ALL):
                    self.controls[found[0]] = Control(found[1], message.delta.fragment_id)
            elif kind == "script_finished":
                if not fragment:
                    self.kept = {h: (m, age + 1) for h, (m, age) in self.kept.items() if age < self.keeps}
                return Run(1000 * (time.perf_counter() - began), size, errors)

    def whole(self, message: ForwardMsg) -> ForwardMsg:
        """Return a message, the kept one where only its hash was sent; keep it where the browser would."""
        if message.WhichOneof("type") == "ref_hash":
            message = self.kept[message.ref_hash][0]
        if message.metadata.cacheable:
            self.kept[message.hash] = (message, 0)
        return message

    async def close(self) -> None:
        """Leave."""
        await self.socket.close()


def cpu_ms(pid: int) -> float:
    """Return the processor time that a process has used, in milliseconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> int:
    """Return the memory that a process holds, in megabytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))
