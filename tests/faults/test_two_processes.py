"""Two processes behind nginx, as deploy/nginx.conf sets it up: one is lost, and the page comes back from its address."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPSConnection

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus

from core.lesson.warmup import SWITCH
from deploy.hall import TAKEN, configure_nginx, find_nginx, is_taken, what_is_missing
from tests import own_loop
from tests.benchmarks.student import forked_from
from tests.browser.conftest import ROOT, free_port, when_ready
from tests.faults.test_server import children, lives

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
    file = configure_nginx(door, ports, free_port(), folder)
    said = file.read_text()
    assert said.count("access_log off;") == 1
    file.write_text(
        said.replace("access_log off;", f"log_format who '$upstream_addr'; access_log {answered} who;")
    )
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


@pytest.fixture(scope="module")
def lasting():
    """Return the port of one process that no test ends."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    settings = {**os.environ, SWITCH: "off", "ATTEND_HOSTS": "hall.example"}
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env=settings)
    when_ready(process, port, "ready")
    yield port
    process.terminate()
    process.wait(20)


def knock(door: int, cookie: str = "", path: str = f"/{LESSON}?{ADDRESS}") -> tuple[int, str]:
    """Return the status of the page's answer and the cookie that the browser then has."""
    connection = HTTPConnection("127.0.0.1", door, timeout=10)
    connection.request("GET", path, headers={"Host": "hall.example", "Cookie": cookie})
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


def test_all_that_is_asked_of_rooms_comes_to_one_process(hall):
    door, _, answered = hall
    at = set()
    for path in ("/join", "/room/ABCDE", "/room/ABCDE/speaker", "/room/ABCDE/host/events") * 2:
        before = len(answered.read_text().split())
        assert knock(door, path=path)[0] in (200, 404)
        wait_for(lambda before=before: len(answered.read_text().split()) > before)
        at.add(answered.read_text().split()[-1])
    assert len(at) == 1


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


@contextmanager
def nginx(folder, file):
    """Run nginx by a file of settings in a folder."""
    once = f"daemon off; pid {folder}/pid;"
    door_keeper = subprocess.Popen(
        [find_nginx(), "-p", folder, "-c", file, "-g", once], stderr=subprocess.DEVNULL
    )
    try:
        yield door_keeper
    finally:
        door_keeper.terminate()
        door_keeper.wait(20)


def open_sockets(url: str, count: int, **named) -> list[int]:
    """Return the statuses with which so many WebSockets of one address are answered, all of them open at once."""

    async def knock_all():
        sockets, statuses = [], []
        for _ in range(count):
            try:
                sockets.append(await websockets.connect(url, **named))
                statuses.append(101)
            except InvalidStatus as refused:
                statuses.append(refused.response.status_code)
        for each in sockets:
            await each.close()
        return statuses

    return own_loop.run(knock_all())


def test_a_flood_from_one_address_is_refused_and_a_hall_is_not(lasting, tmp_path):
    port, door = lasting, free_port()
    file = configure_nginx(door, [port], free_port(), tmp_path)
    said = file.read_text()
    limits = {
        name: int(count)
        for name, count in re.findall(r"limit_(?:conn|req) (?:zone=)?(\w+) ?(?:burst=)?(\d+)", said)
    }
    assert min(limits.values()) >= 1000  # a hall of five hundred, each with a story and a lecture's notes
    file.write_text(said.replace("limit_conn connections 1000;", "limit_conn connections 5;"))
    with nginx(tmp_path, file):
        wait_for(lambda: is_taken(door))
        own = f"http://localhost:{door}"
        assert {knock(door)[0] for _ in range(300)} == {200}
        connection = HTTPConnection("127.0.0.1", door, timeout=10)
        connection.request("GET", "/", headers={"Host": "hall.example"})
        assert connection.getresponse().getheader("Server") == "nginx"  # without its version
        asked = f"ws://localhost:{door}/_stcore/stream"
        assert open_sockets(asked, 8, origin=own) == [101] * 5 + [429] * 3
        assert knock(door)[0] == 200


def test_behind_tls_pages_and_their_sockets_are_answered_and_the_cookie_is_secure(lasting, tmp_path):
    port, door = lasting, free_port()
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    subprocess.run(
        [*made, "-keyout", tmp_path / "attend.key", "-out", tmp_path / "attend.crt"],
        check=True,
        capture_output=True,
    )
    file = configure_nginx(door, [port], free_port(), tmp_path)
    said = file.read_text()
    assert said.count(f"listen {door};") == 1
    file.write_text(said.replace(f"listen {door};", "include tls.conf;"))
    tls = (ROOT / "deploy" / "tls.conf").read_text()
    (tmp_path / "tls.conf").write_text(tls.replace("listen 443 ssl;", f"listen {door} ssl;"))
    trusted = ssl.create_default_context(cafile=tmp_path / "attend.crt")
    with nginx(tmp_path, file):
        wait_for(lambda: is_taken(door))
        page = HTTPSConnection("localhost", door, context=trusted, timeout=10)
        page.request("GET", f"/{LESSON}")
        answer = page.getresponse()
        assert answer.status == 200
        assert answer.getheader("Set-Cookie").endswith("SameSite=Lax; Secure")
        own = f"https://localhost:{door}"
        assert open_sockets(f"wss://localhost:{door}/_stcore/stream", 1, origin=own, ssl=trusted) == [101]


def readiness(door: int) -> dict:
    """Return what the hall answers at /ready; {} if nobody answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{door}/ready", timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as answer:
        return json.load(answer) if answer.headers["content-type"] == "application/json" else {}
    except OSError:
        return {}


def wait_for(condition, seconds: float = 90) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_a_hall_is_ready_when_all_its_processes_are_forks_one_that_died_and_leaves_none_behind():
    door = free_port()
    command = [sys.executable, "deploy/hall.py", "2", str(door)]
    hall = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env={**os.environ, SWITCH: "off"})
    try:
        wait_for(lambda: readiness(door) == {"ready": True, "processes": [True, True]})
        with urllib.request.urlopen(f"http://127.0.0.1:{door}/{LESSON}") as answer:
            assert answer.status == 200
        _, *forked = forked_from(hall.pid)
        servers = [number for number in forked if children(number)]  # those with training processes
        assert (len(forked), len(servers)) == (3, 2)
        os.kill(servers[0], signal.SIGKILL)
        wait_for(lambda: readiness(door).get("ready") is False)
        wait_for(lambda: readiness(door).get("ready") is True)
        left = children(hall.pid)
    finally:
        hall.terminate()
        hall.wait(30)
    wait_for(lambda: not any(map(lives, left)))


def test_a_hall_that_cannot_be_opened_says_why():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert what_is_missing(["2", port]) == TAKEN.format(port=port)
    assert what_is_missing(["2", str(free_port())]) == ""
