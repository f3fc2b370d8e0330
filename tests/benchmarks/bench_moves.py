"""CPU of the server for a move of any control, lesson by lesson, beside an empty Streamlit page in the same run.

One student at a time opens each lesson and moves its controls at random; a first visit is counted for itself, when
another learner has been there already (a warm server) .
`python -m tests.benchmarks.bench_moves [lesson ...]`
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys

from pages import LESSONS
from tests.benchmarks.bench_page import serve_empty
from tests.benchmarks.student import Student, cpu_ms
from tests.browser.conftest import start_server

MOVES = 24


async def measure(url: str, pid: int, lesson: str | None, moves: int = MOVES) -> dict:
    """Return CPU-ms a move, kB a move and milliseconds of a first visit, of a lesson or of the only page."""
    first = 0.0
    for _ in range(2):  # the first learner warms the server
        student = Student(url, random.Random(1))
        opened = await student.open()
        if lesson:
            opened = await student.visit(lesson)
        first, began, runs = opened.ms, cpu_ms(pid), []
        for _ in range(moves):
            runs.append(await student.move())
        spent = cpu_ms(pid) - began
        await student.close()
    return {
        "cpu": spent / moves,
        "kB": statistics.mean(run.size for run in runs) / 1000,
        "first": first,
        "errors": sum(run.errors for run in runs),
    }


async def main(names: list[str]) -> None:
    """Print the table."""
    lesson_server, url = start_server()
    empty_server, empty_url = serve_empty()
    try:
        empty = await measure(empty_url, empty_server.pid, None, 100)
        print(f"{'':32}{'CPU-ms a move':>14}{'kB a move':>12}{'first visit':>14}{'errors':>8}")
        print(
            f"{'empty page':32}{empty['cpu']:14.1f}{empty['kB']:12.1f}{empty['first']:11.0f} ms{empty['errors']:8}"
        )
        found = {}
        for name in names:
            found[name] = row = await measure(url, lesson_server.pid, name)
            print(
                f"{name:32}{row['cpu']:14.1f}{row['kB']:12.1f}{row['first']:11.0f} ms{row['errors']:8}",
                flush=True,
            )
        cpu = [row["cpu"] for row in found.values()]
        print(
            f"mean {statistics.mean(cpu):.1f}, median {statistics.median(cpu):.1f}, worst {max(cpu):.1f} CPU-ms a move"
        )
    finally:
        lesson_server.terminate()
        empty_server.terminate()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or [lesson.name for lesson in LESSONS]))
