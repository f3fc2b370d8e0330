"""Two processes behind nginx, as deploy/nginx.conf sets it up: one is lost, and the page comes back from its address."""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from http.client import HTTPConnection

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus

from core.lesson.warmup import SWITCH
from tests import own_loop
from tests.browser.conftest import ROOT, free_port, when_ready

LESSON, ADDRESS = "zipf", "lab=true&text_source_sample=The+micro-world&zipf_k=50"


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    """Return nginx's port, the two processes by their address, and the file that says who answered what."""
    folder = tmp_path_factory.mktemp("hall")
    ports = [free_port(), free_port()]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port"]
    settings = {**os.environ, SWITCH: "off", "ATTEND_HOSTS": "hall.example"}
    started = [
        subprocess.Popen([*command, str(port)], cwd=ROOT, stdout=subprocess.DEVNULL, env=settings)
        for port in ports
    ]
    door, answered = free_port(), folder / "answered.txt"
    said = (ROOT / "deploy" / "nginx.conf").read_text()
    for written, here in {
        "access_log off;": f"log_format who '$upstream_addr'; access_log {answered} who;",
        "attend-1:8501": f"127.0.0.1:{ports[0]}",
        "attend-2:8501": f"127.0.0.1:{ports[1]}",
        "listen 8080": f"listen 127.0.0.1:{door}",
    }.items():
        assert said.count(written) == 1
        said = said.replace(written, here)
    (folder / "nginx.conf").write_text(said)
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    once = f"daemon off; pid {folder}/pid;"
    nginx = subprocess.Popen([program, "-p", folder, "-c", folder / "nginx.conf", "-g", once])
    for process, port in zip(started, ports, strict=True):
        when_ready(process, port, "ready")
    yield door, {f"127.0.0.1:{port}": process for port, process in zip(ports, started, strict=True)}, answered
    for process in (nginx, *started):
        process.terminate()
    for process in (nginx, *started):
        process.wait(20)


def knock(door: int, cookie: str = "") -> tuple[int, str]:
    """Return the status of the page's answer and the cookie that the browser then has."""
    connection = HTTPConnection("127.0.0.1", door, timeout=10)
    connection.request("GET", f"/{LESSON}?{ADDRESS}", headers={"Host": "hall.example", "Cookie": cookie})
    answer = connection.getresponse()
    return answer.status, answer.getheader("Set-Cookie", cookie).partition(";")[0]


async def connected(door: int, cookie: str):
    """Return a WebSocket of a page of the hall, as a browser opens it; it comes again while it is refused."""
    own = f"http://hall.example:{door}"
    until = time.monotonic() + 20
    while True:
        try:
            return await websockets.connect(
                f"{own.replace('http', 'ws')}/_stcore/stream",
                host="127.0.0.1",
                origin=own,
                additional_headers={"Cookie": cookie},
                max_size=None,
            )
        except (InvalidStatus, OSError):
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.2)


async def shown(socket) -> list[str]:
    """Ask for the lesson as its address has it; return every text that the page shows, in order."""
    asked = BackMsg()
    asked.rerun_script.page_name, asked.rerun_script.query_string = LESSON, ADDRESS
    await socket.send(asked.SerializeToString())
    texts = []
    while (message := ForwardMsg.FromString(await socket.recv())).WhichOneof("type") != "script_finished":
        element = message.delta.new_element
        texts += [element.markdown.body, element.text.body, *(str(value) for value in element.slider.default)]
    return [text for text in texts if text]


def test_a_browser_stays_with_one_process_and_many_are_spread_over_both(hall):
    door, processes, answered = hall
    status, cookie = knock(door)
    assert status == 200
    assert [knock(door, cookie) for _ in range(4)] == [(200, cookie)] * 4
    assert len(set(answered.read_text().split())) == 1
    for _ in range(20):
        knock(door)
    assert set(answered.read_text().split()) == set(processes)


def test_what_it_had_is_lost_with_a_process_but_the_page_comes_back_from_its_address(hall):
    door, processes, answered = hall

    async def lose_one():
        _, cookie = knock(door)
        socket = await connected(door, cookie)
        before = await shown(socket)
        processes[answered.read_text().split()[-1]].kill()
        with pytest.raises(ConnectionClosed):
            while True:
                await socket.recv()
        return before, await shown(await connected(door, cookie))

    before, after = own_loop.run(lose_one())
    assert any("micro-world" in text.replace("\\", "") for text in before)
    assert after == before
    assert knock(door)[0] == 200
