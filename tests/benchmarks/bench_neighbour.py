"""What a learner waits beside six others who count the n-grams of a text of 7 MB, again and again, as a ratio.

The learner moves the controls of many labs, as a student does. First alone; then while each of the six gives the course a
text of its own and puts one control after another into another state, without a pause. In the end alone again.
`python -m tests.benchmarks.bench_neighbour [seconds]`
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from contextlib import suppress

from pages import LESSONS
from tests.benchmarks.student import Student
from tests.browser.conftest import start_before_class

BUSY, THINKING = 6, (0.5, 1.5)  # sessions; seconds
SLOW = ("ngram_perplexity", "smoothing", "ngram_counts", "co_occurrence", "zipf")
LAB = "lab=true"
MOVES = 10  # in one lab
SENTENCE = "The {} cat sat on the {} mat and the dog {} ran to the cat. "


def write_text(chance: random.Random, size: int = 7_000_000) -> bytes:
    """Return sentences of so many bytes, whose words are as rare as in a book."""
    words = [f"w{number}" for number in range(20_000)]
    likely = [1 / rank for rank in range(1, len(words) + 1)]
    sentences, length = [], 0
    while length < size:
        drawn = chance.choices(words, likely, k=3000)
        sentences += [SENTENCE.format(*drawn[i : i + 3]) for i in range(0, len(drawn), 3)]
        length += sum(map(len, sentences[-1000:]))
    return "".join(sentences).encode()[:size]


async def move_about(url: str, until: float, chance: random.Random) -> list[float]:
    """Return the milliseconds of each move of a learner who goes from lab to lab."""
    took, names = [], [lesson.name for lesson in LESSONS]
    while time.monotonic() < until:
        student = Student(url, chance)
        await student.open()
        await student.visit(chance.choice(names), LAB)
        for _ in range(MOVES):
            await asyncio.sleep(chance.uniform(*THINKING))
            took.append((await student.move()).ms)
        await student.close()
    return took


async def press_on(url: str, number: int, text: bytes, took: list[float]) -> None:
    """Let one session move the slowest controls on its own text, until it is cancelled."""
    student = Student(url, random.Random(number))
    await student.open()
    await student.visit("zipf", LAB)
    await student.unfold("Change the text")
    await student.upload("Choose a file", "own.txt", text)
    for lesson in random.Random(number).choices(SLOW, k=10_000):
        await student.visit(lesson, LAB)
        for _ in range(MOVES):
            took.append((await student.move()).ms)


def percentiles(took: list[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    cuts = statistics.quantiles(took, n=20)
    return cuts[9], cuts[18]


async def main(seconds: float) -> None:
    """Print what the learner waited alone, beside the six, and alone again."""
    server, url = start_before_class()
    try:
        text = write_text(random.Random(0))
        alone = await move_about(url, time.monotonic() + seconds, random.Random(1))
        theirs: list[float] = []
        busy = [asyncio.create_task(press_on(url, number, text, theirs)) for number in range(BUSY)]
        await asyncio.sleep(20)
        beside = await move_about(url, time.monotonic() + seconds, random.Random(1))
        for task in busy:
            task.cancel()
        for task in busy:
            with suppress(asyncio.CancelledError):
                await task
        again = await move_about(url, time.monotonic() + seconds, random.Random(1))
        for name, took in (
            ("alone", alone),
            ("beside six", beside),
            ("alone again", again),
            ("the six", theirs),
        ):
            p50, p95 = percentiles(took)
            print(f"{name:12}{len(took):6} moves, p50 {p50:6.0f} ms, p95 {p95:6.0f} ms")
        print(f"p95 beside six: {percentiles(beside)[1] / percentiles(alone)[1]:.2f} times that alone")
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 180))
