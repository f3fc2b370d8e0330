"""A class for an hour: students who move, reload, upload and train, readers of stories, a room, and killed workers.

A third of the labs are in Spanish, and in a quarter the picture is described in words. Readers ask for each beat of a story
and its description; a room's lecture goes on, its members follow and vote, and it ends for the next one.

`make soak MINUTES=5`, or `python -m tests.soak SECONDS`. One process serves them on this machine. Each minute a line says
its memory, the median and 95th percentile of the moves of those who do not train (while somebody trains, and while nobody
does), and what went wrong. It fails when anything is lost, when memory is ever by more than GROWTH_AT_MOST above what it
was after the first third, or when its mean over the last third is by more than DRIFT_AT_MOST above that over the second:
this only where the first third was long enough for a class to have asked for most of what it asks for at all.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import statistics
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from core.lesson.lesson import Lesson
from core.lesson.story import ASK, story_of
from core.words.language import ENGLISH, SPANISH
from pages import LESSONS
from tests.benchmarks.bench_room import Follower, send
from tests.benchmarks.student import Student, memory_mb
from tests.browser.conftest import start_before_class

STUDENTS, TRAINING = 12, 2  # those who move controls, and those who train
READERS, MEMBERS = 2, 30  # those who read stories, and those who follow a room
READING = (1.0, 3.0)  # seconds for a beat
THINKING = (2.0, 5.0)
TEXT = b"The cat sat on the mat. A dog ran to the cat, and the cat ran from the dog. "
WARMING, LONG_ENOUGH = 1 / 3, 900  # of the time; seconds
GROWTH_AT_MOST, DRIFT_AT_MOST = 150, 60  # megabytes
KILLING = 100  # seconds from one killed worker to the next
TRAIN, STOP, DIED = "Train", "Stop", "ended unexpectedly"
LESSON_THAT_TRAINS, FIELD = "word_vector_training", "Choose a file"


@dataclass
class Class:
    """What has happened so far. `moves` are (whether somebody trained, milliseconds)."""

    url: str
    pid: int
    until: float
    training: int = 0  # how many train now
    moves: list[tuple[bool, float]] = field(default_factory=list)
    counts: Counter = field(default_factory=Counter)
    lost: Counter = field(default_factory=Counter)
    memory: list[tuple[float, int]] = field(default_factory=list)

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.until

    def percentiles(self, since: int = 0, training: bool | None = None) -> tuple[float, float]:
        """Return the median and the 95th percentile of the moves from one on; nan where there are fewer than two."""
        taken = [ms for while_training, ms in self.moves[since:] if training in (None, while_training)]
        cuts = statistics.quantiles(taken, n=20) if len(taken) > 1 else [float("nan")] * 19
        return cuts[9], cuts[18]


async def take_part(there: Class, number: int) -> None:
    """Let one student come, move, reload, upload and go again, until the end."""
    chance = random.Random(number)
    names = [lesson.name for lesson in LESSONS]
    await asyncio.sleep(chance.uniform(0, THINKING[1]))
    while there.goes_on:
        student = Student(there.url, random.Random(chance.random()))
        try:
            await stay(there, student, chance.choice(names), chance)
            await student.close()
        except Exception as error:
            there.lost[type(error).__name__] += 1


async def stay(there: Class, student: Student, lesson: str, chance: random.Random) -> None:
    """Open a lesson, in one of five visits with a text of one's own, and move its controls ten times."""
    await student.open()
    if chance.random() < 0.2:
        await student.visit("zipf", "lab=true")
        await student.unfold("Change the text")
        run = await student.upload(FIELD, "own.txt", TEXT * chance.randint(100, 20_000))
        there.counts["uploads"] += 1
        there.lost["uploads"] += bool(run.said or run.errors)
    query = ["lab=true", *["lang=es"] * (chance.random() < 1 / 3)]
    query += [f"{lesson}_describe=true"] * (chance.random() < 1 / 4)
    there.lost["shown"] += (await student.visit(lesson, "&".join(query))).errors
    there.counts["visits"] += 1
    for _ in range(10):
        if not there.goes_on:
            return
        await asyncio.sleep(chance.uniform(*THINKING))
        trains = there.training > 0
        run = await student.move()
        there.moves.append((trains, run.ms))
        there.lost["shown"] += run.errors


async def read_stories(there: Class, number: int) -> None:
    """Let one reader go through story after story, in either language, with the descriptions of its pictures."""
    chance, port = random.Random(2000 + number), urlsplit(there.url).port
    while there.goes_on:
        lesson = chance.choice(LESSONS)
        spoken = chance.choice((ENGLISH, SPANISH))
        for place in range(1, len(story_of(lesson.module)) + 1):
            for kind in ("json", "description.json"):
                path = f"/beats/{lesson.name}/{place}.{kind}?lang={spoken}"
                there.lost["beats"] += (await send(port, "GET", path))[0] != 200
            there.counts["beats read"] += 1
            await asyncio.sleep(chance.uniform(*READING))
            if not there.goes_on:
                return


async def hold_rooms(there: Class) -> None:
    """Hold a room for each of many lectures: its members follow every beat and vote where it asks."""
    chance, port = random.Random(3000), urlsplit(there.url).port
    while there.goes_on:
        lesson = chance.choice(LESSONS)
        _, body, _ = await send(port, "POST", "/rooms", {"lesson": lesson.name, "number": 1})
        opened = json.loads(body)
        members = [Follower(port, opened["code"]) for _ in range(MEMBERS)]
        await asyncio.gather(*(each.join() for each in members))
        streams = [asyncio.create_task(each.follow()) for each in members]
        await lecture(there, lesson, opened, members, chance)
        await steer(port, opened, {"do": "end"})
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        there.counts["rooms"] += 1


async def steer(port: int, opened: dict, asked: dict) -> dict:
    """Do something in a room as its host; return its state."""
    token = f"x-room-token: {opened['token']}\r\n"
    return json.loads((await send(port, "POST", f"/room/{opened['code']}/host", asked, token))[1])


async def lecture(
    there: Class, lesson: Lesson, opened: dict, members: list[Follower], chance: random.Random
) -> None:
    """Go through a lesson's beats in a room; what a member was not told, and a vote that was not taken, is lost."""
    port = urlsplit(there.url).port
    for number, beat in enumerate(story_of(lesson.module), start=1):
        told = await steer(port, opened, {"do": "move", "lesson": lesson.name, "number": number})
        await asyncio.sleep(chance.uniform(*READING) + 2)
        if number > 1:
            there.lost["beats not told"] += sum(told["revision"] not in each.arrived for each in members)
        there.counts["beats told"] += len(members)
        if beat.kind == ASK:
            _, body, _ = await send(port, "GET", f"/beats/{lesson.name}/{number}.json")
            choices = [each["id"] for each in json.loads(body)["ask"]["choices"]]
            voted = await asyncio.gather(*(each.vote(chance.choice(choices)) for each in members))
            there.lost["votes"] += len(members) - voted.count(200)
            there.counts["votes"] += len(members)
            await steer(port, opened, {"do": "close"})
        if not there.goes_on:
            return


async def train(there: Class, number: int) -> None:
    """Let one student train, look every half second as the page does, and rest as long as it took, until the end."""
    chance = random.Random(1000 + number)
    while there.goes_on:
        student, began = Student(there.url, random.Random(number)), time.monotonic()
        try:
            await student.open()
            await student.visit(LESSON_THAT_TRAINS, "lab=true")
            there.training += 1
            try:
                said = await watch(there, student)
            finally:
                there.training -= 1
            there.counts["trainings killed" if any(DIED in each for each in said) else "trainings"] += 1
            await student.close()
        except Exception as error:
            there.lost[f"training: {type(error).__name__}"] += 1
        await asyncio.sleep(min(time.monotonic() - began, 60) + chance.uniform(*THINKING))


async def watch(there: Class, student: Student) -> tuple[str, ...]:
    """Press Train and look until it has ended, or the class has; return what the page then says."""
    run = await student.press(TRAIN)
    while TRAIN not in student.buttons:
        if not there.goes_on:
            there.counts["trainings stopped"] += 1
            return (await student.press(STOP)).said
        await asyncio.sleep(0.5)
        run = await student.run(student.buttons[STOP][1])
    return run.said


def workers(pid: int) -> list[int]:
    """Return the processes in which a server trains: its children at low priority."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            fields = (folder / "stat").read_text().rsplit(") ", 1)[1].split()
            if int(fields[1]) == pid and int(fields[16]) >= 10:
                found.append(int(folder.name))
    return found


async def kill_workers(there: Class) -> None:
    """Kill a worker now and then, as want of memory would, while somebody trains."""
    while there.goes_on:
        await asyncio.sleep(KILLING)
        there_are = workers(there.pid)
        if there.training and there_are and there.goes_on:
            os.kill(there_are[0], signal.SIGKILL)
            there.counts["workers killed"] += 1


async def tell(there: Class, began: float) -> None:
    """Print a line a minute, and one at the end."""
    print(
        f"{'minute':>6}{'MB':>7}{'moves':>8}{'p50 ms':>8}{'p95':>8}{'p95 training':>14}{'p95 not':>9}  lost"
    )
    since = 0
    while there.goes_on:
        await asyncio.sleep(min(60, max(0.1, there.until - time.monotonic())))
        there.memory.append((time.monotonic() - began, memory_mb(there.pid)))
        (p50, p95), (_, yes), (_, no) = (there.percentiles(since, which) for which in (None, True, False))
        lost = {name: count for name, count in there.lost.items() if count}
        print(
            f"{there.memory[-1][0] / 60:6.1f}{there.memory[-1][1]:7}{len(there.moves) - since:8}{p50:8.0f}{p95:8.0f}"
            f"{yes:14.0f}{no:9.0f}  {lost or 'nothing'}",
            flush=True,
        )
        since = len(there.moves)


async def hold(url: str, pid: int, seconds: float) -> int:
    """Let a class go on for so long; return 0 when nothing was lost and memory stayed within its bound, else 1."""
    began = time.monotonic()
    there = Class(url, pid, began + seconds)
    people = [take_part(there, number) for number in range(STUDENTS)]
    people += [train(there, number) for number in range(TRAINING)]
    people += [*(read_stories(there, number) for number in range(READERS)), hold_rooms(there)]
    watching = [asyncio.create_task(kill_workers(there)), asyncio.create_task(tell(there, began))]
    await asyncio.gather(*people)
    watching[0].cancel()
    await watching[1]
    warm = [mb for at, mb in there.memory if at >= WARMING * seconds]
    growth, half = max(warm) - warm[0], len(warm) // 2
    judged = WARMING * seconds >= LONG_ENOUGH
    allowed = f"at most {DRIFT_AT_MOST}" if judged else "not judged"
    drift = statistics.fmean(warm[half:]) - statistics.fmean(warm[:half] or warm)
    (p50, p95), (_, yes), (_, no) = (there.percentiles(0, which) for which in (None, True, False))
    lost = sum(there.lost.values())
    print(
        f"\n{seconds / 60:.1f} minutes, {len(there.moves)} moves, {dict(there.counts)}\n"
        f"p50 {p50:.0f} ms, p95 {p95:.0f} ms; p95 while somebody trains {yes:.0f} ms, while nobody does {no:.0f} ms "
        f"({yes / no:.2f} times)\nafter the first third memory lay between {min(warm)} and {max(warm)} MB; it "
        f"grew by {growth} MB (at most {GROWTH_AT_MOST}), in the mean of the last third by {drift:.0f} MB ({allowed}); "
        f"lost: {lost}"
    )
    return int(lost > 0 or growth > GROWTH_AT_MOST or (judged and drift > DRIFT_AT_MOST))


def main() -> int:
    """Start a server and hold a class in it."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3600
    server, url = start_before_class()
    try:
        return asyncio.run(hold(url, server.pid, seconds))
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    sys.exit(main())
