"""CPU of the server for a move of any control, lesson by lesson, beside an empty Streamlit page in the same run.

One student at a time opens the lab of each lesson and moves its controls at random; a first visit is counted for
itself, when another learner has been there already (a warm server).
`python -m tests.benchmarks.bench_moves [lesson ...]`
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
from dataclasses import dataclass

from pages import LESSONS
from tests.benchmarks.bench_page import serve_empty
from tests.benchmarks.student import Student, cpu_ms
from tests.browser.conftest import start_server

MOVES = 24
LAB_OPEN = "lab=true"


@dataclass(frozen=True)
class Measured:
    """CPU-ms and kB of each move of a page, the milliseconds of a first visit, and how many errors were shown."""

    cpu: list[float]
    size: list[float]
    first: float
    errors: int

    def row(self, name: str, empty: Measured | None = None) -> str:
        """Return a line of the table, beside the empty page."""
        mean = statistics.mean(self.cpu)
        ratio = f"{mean / statistics.mean(empty.cpu):7.1f}" if empty else f"{'':7}"
        return (
            f"{name:32}{mean:8.1f}{max(self.cpu):8.1f}{ratio}{statistics.mean(self.size):10.1f}{max(self.size):8.1f}"
            f"{self.first:11.0f}{self.errors:8}"
        )


async def measure(url: str, pid: int, lesson: str | None, moves: int = MOVES) -> Measured:
    """Return what moves of a lesson, or of the only page, take."""
    first, cpu, runs = 0.0, [], []
    for _ in range(2):  # the first learner warms the server
        student = Student(url, random.Random(1))
        opened = await student.open()
        if lesson:
            opened = await student.visit(lesson, LAB_OPEN)
        first, cpu, runs = opened.ms, [], []
        for _ in range(moves):
            began = cpu_ms(pid)
            runs.append(await student.move())
            cpu.append(cpu_ms(pid) - began)
        await student.close()
    return Measured(cpu, [run.size / 1000 for run in runs], first, sum(run.errors for run in runs))


async def main(names: list[str]) -> None:
    """Print the table."""
    lesson_server, url = start_server()
    empty_server, empty_url = serve_empty()
    try:
        empty = await measure(empty_url, empty_server.pid, None, 100)
        print(f"{'':32}{'CPU-ms a move':>16}{'ratio':>7}{'kB a move':>18}{'first ms':>11}{'errors':>8}")
        print(f"{'':32}{'mean':>8}{'worst':>8}{'':7}{'mean':>10}{'worst':>8}")
        print(empty.row("empty page"))
        found = []
        for name in names:
            found.append(await measure(url, lesson_server.pid, name))
            print(found[-1].row(name, empty), flush=True)
        cpu = [statistics.mean(each.cpu) for each in found]
        print(
            f"mean {statistics.mean(cpu):.1f}, median {statistics.median(cpu):.1f}, worst {max(cpu):.1f} CPU-ms a move"
        )
    finally:
        lesson_server.terminate()
        empty_server.terminate()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or [lesson.name for lesson in LESSONS]))
