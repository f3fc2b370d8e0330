"""A lecture hall: students who go on to the next beat, or move a control of a lab, every two to five seconds.

For each size of hall, in stories, in labs of their own choice and all in one lab: how many steps were made, their
milliseconds at the median and the 95th percentile, those of the first visits (to a server that was started before the
class), the server's CPU a run, its memory a session, errors that were shown, and students who gave up; beside an empty
page. `python -m tests.benchmarks.bench_hall [sessions ...] [--processes 2]`
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle

from websockets.exceptions import WebSocketException

from pages import LESSONS
from tests.benchmarks.bench_beats import places
from tests.benchmarks.bench_moves import LAB_OPEN
from tests.benchmarks.bench_page import serve_empty
from tests.benchmarks.student import Run, Student, cpu_ms, forked_from, get, memory_mb
from tests.browser.conftest import ROOT, free_port, start_before_class

SIZES = (10, 30, 100, 200)
ONE_LESSON = "viterbi"
STORIES = "stories of their choice"
ARRIVING, MOVING = 20, 40  # seconds
THINKING = (2.0, 5.0)


@dataclass
class Hall:
    """What happened: milliseconds of moves and of first visits, all runs, errors shown, and why students gave up."""

    moves: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    runs: int = 0
    shown: int = 0
    gave_up: Counter = field(default_factory=Counter)

    def took(self, run: Run, into: list[float]) -> None:
        """Note a run."""
        into.append(run.ms)
        self.shown += run.errors


async def attend(
    hall: Hall, url: str, number: int, arrive: float, until: float, lessons: list, stories: bool
) -> None:
    """Let one student arrive, choose a lesson, and go through its story or move its lab's controls until the end."""
    await asyncio.sleep(arrive)
    student = Student(url, random.Random(number))
    try:
        await student.open()
        hall.runs += 1
        lesson = student.random.choice(lessons) if lessons else None
        if lesson:
            query = "" if stories else LAB_OPEN
            hall.took(await student.visit(lesson.name, query), hall.first)
        beats = cycle(places(lesson) if stories else ())
        while time.monotonic() < until:
            await asyncio.sleep(student.random.uniform(*THINKING))
            step = student.read(lesson.name, next(beats)) if stories else student.move()
            hall.took(await step, hall.moves)
        await student.close()
    except (OSError, TimeoutError, WebSocketException) as error:
        hall.gave_up[type(error).__name__] += 1


async def fill(url: str, pids: list[int], sessions: int, lessons: list, title: str) -> None:
    """Fill the hall once and print a line."""
    hall, cpu, memory = Hall(), sum(map(cpu_ms, pids)), sum(map(memory_mb, pids))
    until = time.monotonic() + ARRIVING + MOVING
    students = (
        attend(hall, url, number, ARRIVING * number / sessions, until, lessons, title == STORIES)
        for number in range(sessions)
    )
    await asyncio.gather(*students)
    cpu, memory = sum(map(cpu_ms, pids)) - cpu, sum(map(memory_mb, pids)) - memory
    runs = max(1, hall.runs + len(hall.first) + len(hall.moves))
    print(
        f"{title:28}{sessions:6}{len(hall.moves):8}{share(hall.moves, 50):9.0f}{share(hall.moves, 95):9.0f}"
        f"{share(hall.first, 95):9.0f}{cpu / runs:9.1f}{memory / sessions:8.1f}"
        f"{hall.shown:8}{hall.gave_up.total():9}",
        flush=True,
    )


def share(times: Sequence[float], percent: int) -> float:
    """Return the milliseconds that so many per cent of runs stay below, 0 without any.

    >>> share([3.0, 1.0, 2.0], 50), share([], 95)
    (2.0, 0.0)
    """
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0.0


def serve_one() -> tuple[subprocess.Popen, str]:
    """Serve the course by one process, and wait until it has opened every lesson and made the stories' documents."""
    server, url = start_before_class()
    time.sleep(60)
    return server, url


def serve_hall(processes: int) -> tuple[subprocess.Popen, str]:
    """Serve the course by several processes behind nginx, and wait until all have opened every lesson."""
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "deploy/hall.py", str(processes), str(port)], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    url = f"http://localhost:{port}"
    while get_status(url) != 200:
        time.sleep(1)
    time.sleep(30)  # the labs are opened once, by each process
    return server, url


def get_status(url: str) -> int:
    """Return the status of the answer to /ready, 0 where nobody answers."""
    try:
        return get(url, "/ready")[0]
    except OSError:
        return 0


async def main(sizes: list[int], processes: int) -> None:
    """Print the table; every hall meets a server of its own."""
    print(
        f"{'':28}{'hall':>6}{'steps':>8}{'p50 ms':>9}{'p95 ms':>9}{'first95':>9}{'CPU-ms':>9}{'MB':>8}{'errors':>8}"
        f"{'gave up':>9}"
    )
    one = [lesson for lesson in LESSONS if lesson.name == ONE_LESSON]
    halls = [(STORIES, LESSONS), ("labs of their choice", LESSONS), ("all in one lab", one)]
    serve = partial(serve_hall, processes) if processes > 1 else serve_one
    for sessions in sizes:
        if processes == 1:
            await served(serve_empty, sessions, [], "an empty page")
        for title, lessons in halls:
            await served(serve, sessions, lessons, title)


async def served(serve: Callable, sessions: int, lessons: list, title: str) -> None:
    """Fill a hall that has a server of its own."""
    server, url = serve()
    try:
        await fill(url, forked_from(server.pid), sessions, lessons, title)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    asyncio.run(main(given.sizes, given.processes))
