"""Opening the block on 64 tokens: bytes sent and CPU of the server for each level of zoom, beside an empty page.

The aim is our own: a zoom in at most 60 kB. `python -m tests.benchmarks.bench_transformer_block`
"""

from __future__ import annotations

import asyncio
import random
import statistics
from urllib.parse import urlencode

from tests.benchmarks.bench_page import serve_empty
from tests.benchmarks.student import Run, Student, cpu_ms
from tests.browser.conftest import start_server

LESSON, TOKENS, AIM = "transformer_block", 64, 60_000
PLACES = {
    "model": "model.4.feed_forward.written.1.64.{n}",
    "block": "block.2.attention.gathered.1.64.{n}",
    "part": "part.5.output.logits.1.64.{n}",
    "matrix": "matrix.2.feed_forward.widened.1.64.{n}",
    "cell": "cell.2.feed_forward.written.1.64.{n}",
}
MOVES = 10


def address(at: str) -> str:
    """Return the fields that open a place on so many tokens of the text on the shelf."""
    fields = {"source": "from your text", "most": TOKENS, "at": at}
    return urlencode({f"{LESSON}_{name}": value for name, value in fields.items()})


async def zooms(student: Student, pid: int, at: str) -> tuple[list[Run], float]:
    """Return runs of the lesson's fragment at one place, a new number each time, and CPU-ms a run."""
    fragment = next(control.fragment for control in student.controls.values() if control.fragment)
    runs, began = [], cpu_ms(pid)
    for n in range(1, MOVES + 1):
        student.query = address(at.format(n=n))
        runs.append(await student.run(fragment))
    return runs, (cpu_ms(pid) - began) / MOVES


async def main() -> None:
    """Print the table."""
    server, url = start_server()
    empty, empty_url = serve_empty()
    try:
        beside = Student(empty_url, random.Random(1))
        await beside.open()
        began = cpu_ms(empty.pid)
        runs = [await beside.move() for _ in range(5 * MOVES)]
        print(f"{'':12}{'kB a zoom':>12}{'CPU-ms a zoom':>16}")
        size = statistics.mean(run.size for run in runs)
        print(f"{'empty page':12}{size / 1000:12.1f}{(cpu_ms(empty.pid) - began) / len(runs):16.1f}")
        student = Student(url, random.Random(1))
        await student.open()
        opened = await student.visit(LESSON, address(PLACES["model"].format(n=1)))
        print(f"{'first visit':12}{opened.size / 1000:12.1f}")
        for level, at in PLACES.items():
            runs, spent = await zooms(student, server.pid, at)
            worst = max(run.size for run in runs)
            said = "" if worst <= AIM else "  over the aim"
            errors = "  errors!" if any(run.errors for run in runs) else ""
            print(f"{level:12}{worst / 1000:12.1f}{spent:16.1f}{said}{errors}", flush=True)
    finally:
        server.terminate()
        empty.terminate()


if __name__ == "__main__":
    asyncio.run(main())
