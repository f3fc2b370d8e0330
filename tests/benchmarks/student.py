"""A student on a websocket: opens a lesson as a browser would, moves its controls, presses its buttons and uploads.

It speaks Streamlit's own protocol with the classes that Streamlit ships, draws nothing, and so measures the server
alone. All controls' values are sent with every move, the fragment that the moved control stands in, and which messages
it still has, as the browser does: those are not sent again.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState

from core.lesson.lab_words import LAB_WORDS

PATIENCE = 60  # seconds; then a student gives up
# What a page says that stopped, in every language.
STOPPED = {each.texts["mistake"] for each in (LAB_WORDS.english, *LAB_WORDS.translated.values())}
SAME_FOR_ALL = (
    "_predict",
    "predict_first",
)  # predicting first is a way of working, not a control of the lesson


@dataclass(frozen=True)
class Run:
    """One run of a page: milliseconds until it was whole, its bytes, how many errors it showed, and its words."""

    ms: float
    size: int
    errors: int
    said: tuple[str, ...] = ()  # its sentences that warn, inform or apologise
    texts: tuple[str, ...] = ()


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
    """One session; `open` first, then `visit`, then `move`, `press` or `upload`."""

    url: str
    random: random.Random
    page: str = ""
    query: str = ""  # the address's fields, as they stand in it
    pages: dict[str, str] = field(default_factory=dict)
    controls: dict[str, Control] = field(default_factory=dict)
    state: dict[str, dict] = field(default_factory=dict)
    kept: dict[str, tuple[ForwardMsg, int]] = field(default_factory=dict)  # by hash, with its age in runs
    keeps: int = 2  # runs; the server says
    session: str = ""
    buttons: dict[str, tuple[str, str]] = field(default_factory=dict)  # by label: id and fragment
    popovers: dict[str, str] = field(default_factory=dict)  # by label: id
    fields: dict[str, str] = field(default_factory=dict)  # for files, by label: id

    async def open(self) -> Run:
        """Connect and run the home page."""
        await self.connect()
        return await self.run()

    async def connect(self, session: str = "") -> None:
        """Connect, to a session that was lost or to a new one; as a browser does, name it among the subprotocols."""
        address = self.url.replace("http", "ws", 1).rstrip("/") + "/_stcore/stream"
        self.socket = await websockets.connect(
            address,
            subprotocols=["streamlit", *(("no-token", session) if session else ())],
            max_size=None,
            compression=None,
            open_timeout=PATIENCE,
            ping_interval=None,
        )

    async def visit(self, lesson: str, query: str = "") -> Run:
        """Run a lesson's page for the first time, as a link with this query opens it."""
        self.page, self.controls, self.state, self.query = self.pages[lesson], {}, {}, query
        return await self.run()

    async def read(self, lesson: str, place: str) -> Run:
        """Ask for a beat's document, as the player does."""
        began = time.perf_counter()
        status, size = await asyncio.to_thread(get, self.url, f"/beats/{lesson}/{place}.json")
        return Run(1000 * (time.perf_counter() - began), size, int(status != 200))

    async def move(self) -> Run:
        """Put one of the controls, drawn at random, into another of its states; without controls, run the page."""
        if not self.controls:
            return await self.run()
        chosen = self.random.choice(sorted(self.controls))
        control = self.controls[chosen]
        others = [value for value in control.values if value != self.state.get(chosen)]
        self.state[chosen] = self.random.choice(others)
        return await self.run(control.fragment)

    async def press(self, label: str) -> Run:
        """Press the button with this label."""
        button, fragment = self.buttons[label]
        self.state[button] = {"trigger_value": True}
        try:
            return await self.run(fragment)
        finally:
            del self.state[button]

    async def unfold(self, label: str) -> Run:
        """Open the popover with this label."""
        self.state[self.popovers[label]] = {"bool_value": True}
        return await self.run()

    async def send(self, name: str, content: bytes) -> tuple[str, int]:
        """Send a file as the browser does before its field knows of it; return its id and the status of the answer."""
        file = str(uuid4())
        return file, await asyncio.to_thread(put, self.url, f"{self.session}/{file}", name, content)

    async def upload(self, label: str, name: str, content: bytes) -> Run:
        """Give a file to the field with this label."""
        file, status = await self.send(name, content)
        assert status == 204
        info = {"name": name, "size": len(content), "file_id": file}
        address = f"/_stcore/upload_file/{self.session}/{file}"
        info["file_urls"] = {"file_id": file, "upload_url": address, "delete_url": address}
        self.state[self.fields[label]] = {"file_uploader_state_value": {"uploaded_file_info": [info]}}
        return await self.run()

    async def run(self, fragment: str = "") -> Run:
        """Ask for a run of the page, or of a fragment, and read it to its end."""
        asked = BackMsg()
        asked.rerun_script.page_script_hash = self.page
        asked.rerun_script.fragment_id = fragment
        asked.rerun_script.query_string = self.query
        for name, value in self.state.items():
            asked.rerun_script.widget_states.widgets.append(WidgetState(id=name, **value))
        asked.rerun_script.cached_message_hashes.extend(self.kept)
        part = fragment
        began, size, errors, said, texts = time.perf_counter(), 0, 0, [], []
        await self.socket.send(asked.SerializeToString())
        while True:
            raw = await asyncio.wait_for(self.socket.recv(), PATIENCE)
            size += len(raw)
            message = self.whole(ForwardMsg.FromString(raw))
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.keeps = message.new_session.config.max_cached_message_age
                self.session = message.new_session.initialize.session_id or self.session
                self.begin_anew(part)
            elif kind == "navigation":
                self.pages = {
                    page.url_pathname: page.page_script_hash for page in message.navigation.app_pages
                }
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                element = message.delta.new_element
                alert = element.alert.body if element.WhichOneof("type") == "alert" else ""
                errors += element.WhichOneof("type") == "exception" or alert in STOPPED
                said += [alert] if alert else []
                texts += [element.text.body] if element.WhichOneof("type") == "text" else []
                self.note(element, message.delta.fragment_id)
                found = choices(element)
                if found and len(found[1]) > 1 and not any(name in found[0] for name in SAME_FOR_ALL):
                    self.controls[found[0]] = Control(found[1], message.delta.fragment_id)
            elif kind == "delta" and message.delta.add_block.WhichOneof("type") == "popover":
                popover = message.delta.add_block.popover
                self.popovers[popover.label] = popover.id
            elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                part = ""  # the whole page comes now
            elif kind == "script_finished":
                if not fragment:
                    self.kept = {h: (m, age + 1) for h, (m, age) in self.kept.items() if age < self.keeps}
                return Run(1000 * (time.perf_counter() - began), size, errors, tuple(said), tuple(texts))

    def begin_anew(self, fragment: str) -> None:
        """Forget what stood in the fragment that is drawn anew, or in the whole page."""
        if fragment:
            self.buttons = {label: at for label, at in self.buttons.items() if at[1] != fragment}
        else:
            self.controls, self.buttons, self.popovers, self.fields = {}, {}, {}, {}

    def note(self, element, fragment: str) -> None:
        """Note a button or a field for a file of the page."""
        if element.WhichOneof("type") == "button" and not element.button.disabled:
            self.buttons[element.button.label] = element.button.id, fragment
        elif element.WhichOneof("type") == "file_uploader":
            self.fields[element.file_uploader.label] = element.file_uploader.id

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


def put(url: str, where: str, name: str, content: bytes) -> int:
    """Send a file to where a session's are kept, as a form; return the status of the answer."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)
    connection.request("GET", "/_stcore/health")
    answer = connection.getresponse()
    answer.read()
    token = re.search(r"_streamlit_xsrf=([^;]+)", answer.getheader("Set-Cookie", ""))
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    if token:
        headers |= {"X-Xsrftoken": token[1], "Cookie": f"_streamlit_xsrf={token[1]}"}
    head = f'--x\r\nContent-Disposition: form-data; name="f"; filename="{name}"\r\n\r\n'
    body = head.encode() + content + b"\r\n--x--\r\n"
    connection.request("PUT", f"/_stcore/upload_file/{where}", body, headers)
    status = connection.getresponse().status
    connection.close()
    return status


def get(url: str, path: str) -> tuple[int, int]:
    """Ask for a path; return the status of the answer and its bytes."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, len(answer.read())
    finally:
        connection.close()


def cpu_ms(pid: int) -> float:
    """Return the processor time that a process has used, in milliseconds.

    It is read from the process's own clock (its number is made as clock_getcpuclockid(3) does); /proc counts in ticks
    of 10 ms, as long as a move takes.
    """
    return 1000 * time.clock_gettime(~pid << 3 | 2)


def memory_mb(pid: int) -> int:
    """Return the memory that a process holds, in megabytes; what it shares with others is divided among them."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("Pss:"))


def forked_from(pid: int) -> list[int]:
    """Return a process and those forked from it: the same program with the same arguments."""
    command, found = Path(f"/proc/{pid}/cmdline").read_bytes(), [pid]
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdigit() and (folder / "cmdline").read_bytes() == command:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                found += [int(folder.name)] if parent == pid else []
    return found
