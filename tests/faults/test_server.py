"""The server asks nobody outside, answers to its own names alone and opens enough files; killed, it leaves no process."""

import os
import platform
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest
import websockets
from streamlit import net_util
from websockets.exceptions import InvalidStatus

from tests import own_loop
from tests.benchmarks.student import Student
from tests.browser.conftest import ROOT, free_port, when_ready

# Python runs sitecustomize in every process before anything else: it writes down each address that is asked for.
WITNESS = """
import os, socket, sys
def note(event, arguments):
    if event == "socket.getaddrinfo":
        address = arguments[0]
    elif event == "socket.connect" and arguments[0].type & socket.SOCK_STREAM and isinstance(arguments[1], tuple):
        address = arguments[1][0]
    else:
        return
    with open(os.environ["WITNESS"], "a") as file:
        print(address, file=file)
sys.addaudithook(note)
socket.getaddrinfo("localhost", None)
"""
HERE = {"localhost", "127.0.0.1", "::1", "0.0.0.0", "None", ""}


def children(pid: int) -> list[int]:
    """Return the processes that a process started, and those that they started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(") ", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        if parent == pid:
            found += [int(folder.name), *children(int(folder.name))]
    return found


def lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]
    except OSError:
        return False
    return state != "Z"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Return a server of this module's own that begins with few files to open, its address, and what it asked for."""
    folder = tmp_path_factory.mktemp("witness")
    (folder / "sitecustomize.py").write_text(WITNESS)
    asked = folder / "asked.txt"
    asked.touch()
    port = free_port()
    command = f"ulimit -Sn 256; exec {sys.executable} -m streamlit run app.py --server.port {port}"
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        env={
            **os.environ,
            "PYTHONPATH": str(folder),
            "WITNESS": str(asked),
            "ATTEND_HOSTS": "hall.example, [2001:db8::7]",
        },
    )
    yield process, when_ready(process, port, "ready"), asked
    process.kill()
    process.wait(10)


async def knock(url: str, **named) -> None:
    async with websockets.connect(f"{url.replace('http', 'ws')}/_stcore/stream", **named):
        pass


def answer(url: str, host: str, path: str = "/ready") -> int:
    """Return the status of what the server answers to whoever asks for it by a name."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=10)
    connection.request("GET", path, headers={"Host": host})
    return connection.getresponse().status


async def look_around(url: str) -> None:
    """Open a lesson of each kind: one whose views the browser draws, with pictures, with a text, with stored models."""
    student = Student(url, Random(1))
    await student.open()
    for lesson in ("word_map", "captions", "zipf", "transformer_block"):
        assert not (await student.visit(lesson)).errors
        await student.move()
    await student.close()


def test_a_foreign_page_is_refused_and_no_outside_address_is_asked_for(served):
    _, url, asked = served
    for _ in range(3):
        with pytest.raises(InvalidStatus):
            own_loop.run(knock(url, origin="http://elsewhere.example"))
    own_loop.run(look_around(url))
    own_name = {os.uname().nodename}
    seen = set(asked.read_text().split())
    assert "localhost" in seen  # the witness was there
    assert seen <= HERE | own_name


def test_a_name_that_was_turned_to_this_machine_is_refused(served):
    _, url, _ = served
    port = urlsplit(url).port
    for path in ("/ready", "/", "/_stcore/host-config", "/_stcore/upload_file/a/b"):
        assert answer(url, f"rebound.example:{port}", path) == 421
    with pytest.raises(InvalidStatus):  # to Streamlit, this page and the server are one
        own_loop.run(
            knock(f"http://rebound.example:{port}", host="127.0.0.1", origin=f"http://rebound.example:{port}")
        )


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST.:80",
        "127.0.0.1",
        "[::1]:8501",
        os.uname().nodename,
        "hall.example",
        "[2001:db8::7]",
    ],
)
def test_its_own_names_are_answered(served, host):
    _, url, _ = served
    assert answer(url, host) == 200


@pytest.mark.parametrize("host", ["localhost", "hall.example"])
def test_a_page_of_its_own_is_let_in(served, host):
    own = f"http://{host}:{urlsplit(served[1]).port}"
    own_loop.run(knock(own, host="127.0.0.1", origin=own))


@pytest.mark.parametrize(
    "host", ["", "a@localhost", "localhost/x", "localhost.evil.example", "10.0.0.1", "[::1", "null"]
)
def test_what_is_no_name_of_its_own_is_not(served, host):
    _, url, _ = served
    assert answer(url, host) == 421


def test_its_machine_is_asked_by_its_address(served):
    _, url, _ = served
    address = net_util.get_internal_ip()
    assert answer(url.replace("localhost", address), address) == 200
    assert answer(url, address) == (200 if address == "127.0.0.1" else 421)


def test_it_may_open_thousands_of_files(served):
    process, _, _ = served
    limits = Path(f"/proc/{process.pid}/limits").read_text()
    soft, hard = next(line for line in limits.splitlines() if "open files" in line).split()[3:5]
    assert int(soft) == min(int(hard), 10_240)


def test_killed_at_any_moment_it_leaves_no_process_behind(served):
    process, _, _ = served
    family = children(process.pid)
    assert len(family) >= 2, "the workers were never started"
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    until = time.monotonic() + 10
    while any(map(lives, family)) and time.monotonic() < until:
        time.sleep(0.1)
    assert [pid for pid in family if lives(pid)] == []


HEAPS = """
import ctypes, threading, app

libc, all_hold = ctypes.CDLL(None), threading.Barrier(9)
libc.malloc.restype = ctypes.c_void_p

def hold():
    libc.malloc(100)
    all_hold.wait()

for _ in range(8):
    threading.Thread(target=hold).start()
all_hold.wait()
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other systems have one heap, or their own rules"
)
def test_its_threads_share_two_heaps():
    told = subprocess.run(
        [sys.executable, "-c", HEAPS], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert told.stdout.count("<heap nr=") == 2, told.stderr
