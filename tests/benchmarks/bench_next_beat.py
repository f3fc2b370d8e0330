"""How long a lecture's next beat takes to come, where the server prepares it beforehand and where it does not.

    python -m tests.benchmarks.bench_next_beat attention_45

A lecturer goes through a lecture once on a fresh server, resting at each beat; a learner's text plays no part.
"""

from __future__ import annotations

import asyncio
import random
import sys
from statistics import median

from core.lesson.beats import BEAT
from core.lesson.tour import lectures
from pages import LESSONS
from tests.benchmarks.student import Student, cpu_ms
from tests.browser.conftest import start_server

assert LESSONS  # lectures name lessons, which are known once they are imported
REST = 4.0  # seconds at each beat: no lecturer is faster


async def played(url: str, pid: int, lecture: str) -> list[tuple[float, float]]:
    """Return for each beat the milliseconds until its page was whole, and the server's CPU-milliseconds."""
    student, taken = Student(url, random.Random(1)), []
    await student.open()
    for number, beat in enumerate(lectures()[lecture].beats, 1):
        _, _, query = beat.link.partition("?")
        before = cpu_ms(pid)
        run = await student.visit(beat.lesson, f"{query}&{BEAT}={lecture}.{number}".lstrip("&"))
        taken.append((run.ms, cpu_ms(pid) - before))
        await asyncio.sleep(REST)
    await student.close()
    return taken


def main() -> None:
    """Play the lecture on two fresh servers and print both beat by beat."""
    lecture = sys.argv[1] if len(sys.argv) > 1 else "attention_45"
    found = {}
    for prepared in ("off", "on"):
        process, url = start_server(first_visits=prepared)
        try:
            found[prepared] = asyncio.run(played(url, process.pid, lecture))
        finally:
            process.terminate()
            process.wait(20)
    print(f"{'beat':<44} {'ms':>8} {'prepared':>9} {'CPU-ms':>8} {'prepared':>9}")
    for beat, (ms, cpu), (ms_on, cpu_on) in zip(lectures()[lecture].beats, *found.values(), strict=True):
        print(f"{beat.lesson + ', ' + beat.title:<44.44} {ms:8.0f} {ms_on:9.0f} {cpu:8.0f} {cpu_on:9.0f}")
    for name, of in found.items():
        print(f"{name}: median {median(ms for ms, _ in of):.0f} ms, longest {max(ms for ms, _ in of):.0f} ms")


if __name__ == "__main__":
    main()
