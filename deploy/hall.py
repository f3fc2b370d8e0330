"""A lecture hall: several processes of the course behind nginx, all forked from one that has already warmed up.

    make hall PROCESSES=4 PORT=8501

One process of Python uses one core. The first process imports everything, loads the stored models and makes the documents
of all stories. The others are forked from it, so the system keeps these bytes once for all of them. nginx stands before
them by deploy/nginx.conf: a cookie keeps each browser at one process. A process that dies is forked again.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONFIGURATION = ROOT / "deploy" / "nginx.conf"
HERE = "127.0.0.1"
PATIENCE = 5  # seconds, for one process to say whether it is ready
NO_NGINX = (
    "The hall needs nginx. On Debian and Ubuntu: apt install nginx-light. Then type the same command again."
)
TAKEN = "Another program listens at port {port}. Choose another one: make hall PORT=8502."
USAGE = "The numbers of processes and of the port are whole ones: make hall PROCESSES=4 PORT=8501."
NO_FORK = "The hall forks its processes, which this system cannot do. Use deploy/compose.yaml, or make run for one process."


def configure_nginx(door: int, ports: Sequence[int], readiness: int, folder: Path) -> Path:
    """Write deploy/nginx.conf for processes at `ports` of this machine into a folder; return the file.

    nginx listens at `door`, and asks at the port `readiness` whether all processes are ready.
    """
    text = CONFIGURATION.read_text(encoding="utf-8")
    server = re.compile(r"^( *)server attend-\d+:\d+ (.*);\n", re.MULTILINE)
    indent, options = server.search(text).groups()
    servers = "".join(f"{indent}server {HERE}:{port} {options};\n" for port in ports)
    start = server.search(text).start()
    text = server.sub("", text)
    text = text[:start] + servers + text[start:]
    ready = f"        location = /ready {{ proxy_pass http://{HERE}:{readiness}; }}\n\n"
    for written, here in {
        "listen 8080;": f"listen {door};",
        "        location / {\n": f"{ready}        location / {{\n",
    }.items():
        if text.count(written) != 1:
            raise ValueError(f"deploy/nginx.conf should hold “{written.strip()}” once.")
        text = text.replace(written, here)
    file = folder / "nginx.conf"
    file.write_text(text, encoding="utf-8")
    return file


def free_ports(count: int) -> list[int]:
    """Return ports of this machine at which nobody listens."""
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind((HERE, 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def is_taken(port: int) -> bool:
    """Return whether a program listens at a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex((HERE, port)) == 0


def find_nginx() -> str | None:
    """Return where nginx is, None if it is not installed. Debian keeps it off a user's path."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def is_ready(port: int) -> bool:
    """Return whether a process answers that it is ready."""
    try:
        with urllib.request.urlopen(f"http://{HERE}:{port}/ready", timeout=PATIENCE) as answer:
            return answer.status == 200
    except OSError:
        return False


def serve_readiness(port: int, ports: Sequence[int]) -> None:
    """Answer /ready for the hall: 200 when every process is ready, else 503."""

    class Readiness(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            ready = [is_ready(each) for each in ports]
            body = json.dumps({"ready": all(ready), "processes": ready}).encode()
            self.send_response(200 if all(ready) else 503)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_) -> None:
            """Write no log."""

    ThreadingHTTPServer((HERE, port), Readiness).serve_forever()


def fork(task: Callable[[], None]) -> int:
    """Run a task in a process forked from this one; return its number."""
    number = os.fork()
    if number:
        return number
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        task()
    finally:
        os._exit(1)


def addresses() -> set[str]:
    """Return the names and addresses under which this machine is reached, which each process must answer to."""
    from streamlit import net_util

    name = socket.gethostname()
    try:
        known = {each[4][0] for each in socket.getaddrinfo(name, None)}
    except OSError:
        known = set()
    return {name, *known, *filter(None, [net_util.get_internal_ip()])}


def warm_up():
    """Return the app, with everything computed before the processes are forked that all of them would compute."""
    sys.path.insert(0, str(ROOT))
    import app as course
    from core.lesson import story_page, warmup

    course.warm_up()
    if warmup.is_enabled():
        asyncio.run(story_page.make_documents())
    gc.collect()
    gc.freeze()
    return course.app


def run_hall(processes: int, door: int) -> None:
    """Serve the course at the port `door` with so many processes, until this one is told to end."""
    os.environ["ATTEND_HOSTS"] = ",".join(
        filter(None, [os.environ.get("ATTEND_HOSTS", ""), *sorted(addresses())])
    )
    os.environ.setdefault("ATTEND_WORKERS", str(max(1, ((os.cpu_count() or 2) - 1) // processes)))
    print(
        f"Warming up, which takes a minute or two. Then {processes} processes serve port {door}.", flush=True
    )
    app = warm_up()
    readiness, *ports = free_ports(processes + 1)
    with tempfile.TemporaryDirectory() as folder:
        file = configure_nginx(door, ports, readiness, Path(folder))
        command = [find_nginx(), "-p", folder, "-c", str(file), "-g", f"daemon off; pid {folder}/pid;"]

        def serve(port: int) -> Callable[[], None]:
            settings = {"server.port": port, "server.address": HERE, "server.headless": True}
            return lambda: app.run(config=settings)

        tasks = [lambda: serve_readiness(readiness, ports), *map(serve, ports)]
        running = {fork(task): task for task in tasks}
        door_keeper = None
        try:
            while not all(map(is_ready, ports)):
                time.sleep(0.2)
            door_keeper = subprocess.Popen(command)
            print(f"The hall is open at port {door}.", flush=True)
            while True:
                number, _ = os.wait()
                if number == door_keeper.pid:
                    door_keeper = subprocess.Popen(command)
                elif number in running:
                    task = running.pop(number)
                    running[fork(task)] = task
                time.sleep(0.5)  # what dies at once is not started again at once
        finally:
            for number in [*running, *([door_keeper.pid] if door_keeper else [])]:
                os.kill(number, signal.SIGTERM)
            for number in running:
                os.waitpid(number, 0)


def what_is_missing(arguments: Sequence[str]) -> str:
    """Return why the hall cannot be opened with these arguments, "" if it can.

    >>> what_is_missing(["0", "8501"]) == what_is_missing(["two", "8501"]) == what_is_missing(["2"]) == USAGE
    True
    """
    if len(arguments) != 2 or not all(each.isdecimal() and int(each) for each in arguments):
        return USAGE
    if not hasattr(os, "fork"):
        return NO_FORK
    if not find_nginx():
        return NO_NGINX
    return TAKEN.format(port=arguments[1]) if is_taken(int(arguments[1])) else ""


def main(arguments: Sequence[str]) -> int:
    """Run `hall.py PROCESSES PORT`; return 0, or 1 with a sentence where it cannot be run."""
    if missing := what_is_missing(arguments):
        print(missing)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(KeyboardInterrupt, SystemExit):
        run_hall(*map(int, arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
