"""A room of 300 followers while 30 students play in labs: how soon all see a new beat, and whether all votes count.

`python -m tests.benchmarks.bench_room [followers] [students]`. A follower is a stream, which brings the room's
state and the beat's document. The labs' moves are timed without a room first, then with one.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import statistics
import sys
import time
from urllib.parse import urlsplit

from core.lesson.story import ASK, story_of
from pages import LESSONS
from tests.benchmarks.student import Student
from tests.browser.conftest import start_before_class

LESSON = next(lesson for lesson in LESSONS if lesson.name == "viterbi")
BEATS = story_of(LESSON.module)
ASKED = next(number for number, beat in enumerate(BEATS, 1) if beat.kind == ASK)
ROUNDS = 12  # moves of the lecture
PAUSE = 2.0  # seconds between two moves of it
TOLD = re.compile(rb'data: {"told":{"revision": (\d+)')
MOVES = 10  # of each student in a lab


def percentile(times: list[float], share: float) -> float:
    """Return the value below which a share of the times lies."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


async def send(
    port: int, method: str, path: str, body: dict | None = None, headers: str = ""
) -> tuple[int, bytes, str]:
    """Ask the server; return the status, the body and the head of its answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    content = json.dumps(body).encode() if body is not None else b""
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\nContent-Length: {len(content)}\r\n"
    writer.write(f"{head}{headers}\r\n".encode() + content)
    answer = await reader.read(-1)
    writer.close()
    top, _, found = answer.partition(b"\r\n\r\n")
    if b"transfer-encoding: chunked" in top.lower():
        found = b"".join(part for part in found.split(b"\r\n")[1::2])
    return int(top.split(b" ", 2)[1]), found, top.decode()


class Follower:
    """A member's page without a browser."""

    def __init__(self, port: int, code: str):
        self.port, self.code, self.arrived, self.cookie = port, code, {}, ""

    async def join(self) -> None:
        """Open the page, as a phone does, and keep its cookie."""
        _, _, head = await send(self.port, "GET", f"/room/{self.code}")
        cookie = next(line for line in head.split("\r\n") if line.lower().startswith("set-cookie"))
        self.cookie = f"Cookie: {cookie.partition(':')[2].strip().partition(';')[0]}\r\n"

    async def follow(self) -> None:
        """Listen, and note when a beat has come."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        head = f"GET /room/{self.code}/events HTTP/1.1\r\nHost: localhost:{self.port}\r\n{self.cookie}\r\n"
        writer.write(head.encode())
        try:
            while line := await reader.readline():
                if found := TOLD.match(line):
                    self.arrived.setdefault(int(found[1]), time.perf_counter())
        finally:
            writer.close()

    async def vote(self, choice: str) -> int:
        """Vote; return the status."""
        return (await send(self.port, "POST", f"/room/{self.code}/vote", {"choice": choice}, self.cookie))[0]


async def play(url: str, seed: int) -> list[float]:
    """Let a student move in a lab; return the milliseconds of each move."""
    student, chance = Student(url, random.Random(seed)), random.Random(seed)
    await student.open()
    await student.visit(chance.choice(LESSONS).name, "lab=true")
    times = []
    for _ in range(MOVES):
        await asyncio.sleep(chance.uniform(2, 5))
        times.append((await student.move()).ms)
    await student.close()
    return times


async def play_all(url: str, students: int) -> list[float]:
    """Let all students play at once; return the milliseconds of all moves."""
    return [
        ms for times in await asyncio.gather(*(play(url, seed) for seed in range(students))) for ms in times
    ]


async def lead(port: int, code: str, token: str, followers: list[Follower]) -> list[float]:
    """Move the lecture on and on; return, of every move and follower, the milliseconds until the beat had come."""
    waited, header = [], f"x-room-token: {token}\r\n"
    for step in range(ROUNDS):
        began = time.perf_counter()
        place = {"do": "move", "lesson": LESSON.name, "number": 1 + (step + 1) % 2}
        _, body, _ = await send(port, "POST", f"/room/{code}/host", place, header)
        revision = json.loads(body)["revision"]
        await asyncio.sleep(PAUSE)
        waited += [1000 * (each.arrived.get(revision, began + PAUSE) - began) for each in followers]
    return waited


async def main(followers: int, students: int, url: str) -> None:
    """Print the labs' times without and with a room, the followers' times, and the count of the votes."""
    port = urlsplit(url).port
    alone = await play_all(url, students)
    _, body, _ = await send(port, "POST", "/rooms", {"lesson": LESSON.name, "number": 1})
    opened = json.loads(body)
    members = [Follower(port, opened["code"]) for _ in range(followers)]
    began = time.perf_counter()
    await asyncio.gather(*(each.join() for each in members))
    print(f"{followers} joined within {time.perf_counter() - began:.1f} s")
    streams = [asyncio.create_task(each.follow()) for each in members]
    await asyncio.sleep(2)
    labs = asyncio.create_task(play_all(url, students))
    waited = await lead(port, opened["code"], opened["token"], members)
    header = f"x-room-token: {opened['token']}\r\n"
    _, body, _ = await send(
        port,
        "POST",
        f"/room/{opened['code']}/host",
        {"do": "move", "lesson": LESSON.name, "number": ASKED},
        header,
    )
    _, body, _ = await send(port, "GET", f"/beats/{LESSON.name}/{ASKED}.json")
    choices = [each["id"] for each in json.loads(body)["ask"]["choices"]]
    began = time.perf_counter()
    statuses = await asyncio.gather(*(each.vote(choices[n % len(choices)]) for n, each in enumerate(members)))
    took = time.perf_counter() - began
    _, body, _ = await send(port, "POST", f"/room/{opened['code']}/host", {"do": "close"}, header)
    counts = json.loads(body)["counts"]
    together = await labs
    for stream in streams:
        stream.cancel()
    half, most = statistics.median(waited), percentile(waited, 0.95)
    print(f"a move of the lecture until a follower has the beat: p50 {half:.0f}, p95 {most:.0f} ms")
    print(f"{statuses.count(200)} votes taken in {took:.1f} s, {sum(counts.values())} counted")
    for name, times in (("alone", alone), ("with the room", together)):
        print(
            f"{students} in labs {name}: p50 {statistics.median(times):.0f}, p95 {percentile(times, 0.95):.0f} ms"
        )


if __name__ == "__main__":
    process, address = start_before_class()
    try:
        asyncio.run(main(*(int(each) for each in (*sys.argv[1:], 300, 30)[:2]), address))
    finally:
        process.terminate()
