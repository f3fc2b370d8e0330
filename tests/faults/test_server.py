"""The server asks nobody outside, opens enough files, and when it is killed no process of its own lives on."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import websockets
from websockets.exceptions import InvalidStatus

from tests import own_loop
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
        env={**os.environ, "PYTHONPATH": str(folder), "WITNESS": str(asked)},
    )
    yield process, when_ready(process, port, "ready"), asked
    process.kill()
    process.wait(10)


async def knock(url: str, origin: str) -> float:
    """Return the seconds that the answer to a foreign page took, which must be no."""
    began = time.monotonic()
    with pytest.raises(InvalidStatus):
        await websockets.connect(f"{url.replace('http', 'ws')}/_stcore/stream", origin=origin)
    return time.monotonic() - began


def test_a_foreign_page_is_refused_and_no_outside_address_is_asked_for(served):
    _, url, asked = served
    for _ in range(3):
        own_loop.run(knock(url, "http://elsewhere.example"))
    own_name = {os.uname().nodename}
    assert set(asked.read_text().split()) <= HERE | own_name


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
