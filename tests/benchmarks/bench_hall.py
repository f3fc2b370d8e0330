"""A lecture hall: students on websockets, each moving a random control every two to five seconds, on one process.

For each size of hall, once on lessons of their own choice and once all on one lesson: milliseconds a move at the
median and the 95th percentile, the server's CPU a run, its memory a session, and errors; beside an empty page.
`python -m tests.benchmarks.bench_hall [sessions ...]`
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from pages import LESSONS
from tests.benchmarks.bench_page import serve_empty
from tests.benchmarks.student import Student, cpu_ms, memory_mb
from tests.browser.conftest import start_server

SIZES = (10, 30, 100, 200)
ONE_LESSON = "viterbi"
ARRIVING, MOVING = 20, 40  # seconds
THINKING = (2.0, 5.0)


@dataclass
class Hall:
    """What happened: milliseconds of moves and of first visits, errors that students saw or that ended their visit."""

    moves: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    errors: Counter = field(default_factory=Counter)


async def attend(hall: Hall, url: str, number: int, arrive: float, until: float, lessons: list[str]) -> None:
    """Let one student arrive, choose a lesson and move its controls until the end."""
    await asyncio.sleep(arrive)
    student = Student(url, random.Random(number))
    try:
        await student.open()
        if lessons:
            hall.first.append((await student.visit(student.random.choice(lessons))).ms)
        while time.monotonic() < until:
            await asyncio.sleep(student.random.uniform(*THINKING))
            run = await student.move()
            hall.moves.append(run.ms)
            hall.errors["shown"] += run.errors
        await student.close()
    except (OSError, TimeoutError, ConnectionError) as error:
        hall.errors[type(error).__name__] += 1


async def fill(url: str, pid: int, sessions: int, lessons: list[str], title: str) -> None:
    """Fill the hall once and print a line."""
    hall, cpu, memory = Hall(), cpu_ms(pid), memory_mb(pid)
    until = time.monotonic() + ARRIVING + MOVING
    students = (
        attend(hall, url, number, ARRIVING * number / sessions, until, lessons) for number in range(sessions)
    )
    await asyncio.gather(*students)
    runs = len(hall.moves) + len(hall.first) + sessions
    quantiles = statistics.quantiles(hall.moves, n=20) if len(hall.moves) > 1 else [0.0] * 19
    print(
        f"{title:28}{sessions:6}{quantiles[9]:9.0f}{quantiles[18]:9.0f}{max(hall.first, default=0):9.0f}"
        f"{(cpu_ms(pid) - cpu) / runs:9.1f}{(memory_mb(pid) - memory) / sessions:8.1f}{sum(hall.errors.values()):8}",
        flush=True,
    )


async def main(sizes: list[int]) -> None:
    """Print the table; every hall meets a server of its own."""
    print(f"{'':28}{'hall':>6}{'p50 ms':>9}{'p95 ms':>9}{'first':>9}{'CPU-ms':>9}{'MB':>8}{'errors':>8}")
    halls = [("lessons of their choice", [lesson.name for lesson in LESSONS]), ("all on one", [ONE_LESSON])]
    for sessions in sizes:
        empty, url = serve_empty()
        await fill(url, empty.pid, sessions, [], "an empty page")
        empty.terminate()
        for title, lessons in halls:
            server, url = start_server()
            await fill(url, server.pid, sessions, lessons, title)
            server.terminate()
            server.wait()


if __name__ == "__main__":
    asyncio.run(main([int(size) for size in sys.argv[1:]] or list(SIZES)))
