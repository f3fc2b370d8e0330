"""A lecture hall: students on websockets, each moving a random control every two to five seconds, on one process.

For each size of hall, once on lessons of their own choice and once all on one lesson: how many moves were made, their
milliseconds at the median and the 95th percentile, those of the first visits (to a server that was started before the
class), the server's CPU a run, its memory a session, errors that were shown, and students who gave up; beside an empty
page.
`python -m tests.benchmarks.bench_hall [sessions ...]`
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from websockets.exceptions import WebSocketException

from pages import LESSONS
from tests.benchmarks.bench_page import serve_empty
from tests.benchmarks.student import Run, Student, cpu_ms, memory_mb
from tests.browser.conftest import start_before_class

SIZES = (10, 30, 100, 200)
ONE_LESSON = "viterbi"
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


async def attend(hall: Hall, url: str, number: int, arrive: float, until: float, lessons: list[str]) -> None:
    """Let one student arrive, choose a lesson and move its controls until the end."""
    await asyncio.sleep(arrive)
    student = Student(url, random.Random(number))
    try:
        await student.open()
        hall.runs += 1
        if lessons:
            hall.took(await student.visit(student.random.choice(lessons)), hall.first)
        while time.monotonic() < until:
            await asyncio.sleep(student.random.uniform(*THINKING))
            hall.took(await student.move(), hall.moves)
        await student.close()
    except (OSError, TimeoutError, WebSocketException) as error:
        hall.gave_up[type(error).__name__] += 1


async def fill(url: str, pid: int, sessions: int, lessons: list[str], title: str) -> None:
    """Fill the hall once and print a line."""
    hall, cpu, memory = Hall(), cpu_ms(pid), memory_mb(pid)
    until = time.monotonic() + ARRIVING + MOVING
    students = (
        attend(hall, url, number, ARRIVING * number / sessions, until, lessons) for number in range(sessions)
    )
    await asyncio.gather(*students)
    runs = max(1, hall.runs + len(hall.first) + len(hall.moves))
    print(
        f"{title:28}{sessions:6}{len(hall.moves):8}{share(hall.moves, 50):9.0f}{share(hall.moves, 95):9.0f}"
        f"{share(hall.first, 95):9.0f}{(cpu_ms(pid) - cpu) / runs:9.1f}{(memory_mb(pid) - memory) / sessions:8.1f}"
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


async def main(sizes: list[int]) -> None:
    """Print the table; every hall meets a server of its own."""
    print(
        f"{'':28}{'hall':>6}{'moves':>8}{'p50 ms':>9}{'p95 ms':>9}{'first95':>9}{'CPU-ms':>9}{'MB':>8}{'errors':>8}"
        f"{'gave up':>9}"
    )
    halls = [("lessons of their choice", [lesson.name for lesson in LESSONS]), ("all on one", [ONE_LESSON])]
    for sessions in sizes:
        await served(serve_empty, sessions, [], "an empty page")
        for title, lessons in halls:
            await served(start_before_class, sessions, lessons, title)


async def served(serve: Callable, sessions: int, lessons: list[str], title: str) -> None:
    """Fill a hall that has a server of its own."""
    server, url = serve()
    try:
        await fill(url, server.pid, sessions, lessons, title)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    asyncio.run(main([int(size) for size in sys.argv[1:]] or list(SIZES)))
