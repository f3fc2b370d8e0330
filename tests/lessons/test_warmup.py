"""The server visits the slow lessons by itself, and what it leaves at hand is what a learner's page asks for."""

import asyncio
import random
import time

from app import SLOW_AT_FIRST
from core.lesson import tour, warmup
from core.lesson.beats import read_playlist
from core.lesson.cache import IDLE_SECONDS
from pages import LESSONS
from tests import own_loop
from tests.benchmarks.student import Student, cpu_ms
from tests.browser.conftest import start_before_class
from tests.lessons.lesson_page import open_lesson


def test_each_of_the_lessons_is_one_of_the_course():
    assert set(SLOW_AT_FIRST) <= {lesson.name for lesson in LESSONS}


def test_a_visit_waits_while_a_learner_is_at_work(monkeypatch):
    made, held = [], []

    async def visit(_app, lesson):
        made.append(lesson)
        if lesson == "too slow":
            raise TimeoutError

    async def learner_then_quiet():
        message = warmup.LearnerActivityMiddleware(lambda _scope, receive, _send: receive())
        for scope in ({"type": "websocket", warmup.OWN_CONNECTION: True}, {"type": "http"}):
            await message(scope, _nothing, None)
        assert warmup._last_message == float("-inf")  # neither is a learner
        await message({"type": "websocket"}, _nothing, None)
        visits = asyncio.create_task(warmup.visit_each(None, ["too slow", "zipf"]))
        began = time.monotonic()
        await asyncio.sleep(0.05)
        assert not made
        await visits
        assert made == ["too slow", "zipf"]
        assert len(held) == 2  # what each left at hand stays, and nothing that was there before it
        assert began < held[0] < held[1]

    monkeypatch.setattr(warmup, "visit", visit)
    monkeypatch.setattr(warmup, "protect_entries", lambda since: held.append(since))
    monkeypatch.setattr(warmup, "QUIET_SECONDS", 1.0)
    monkeypatch.setattr(warmup, "_last_message", float("-inf"))
    monkeypatch.setattr(warmup, "_visited", [])
    own_loop.run(learner_then_quiet())


async def _nothing():
    return {"type": "websocket.receive"}


def test_the_first_learner_finds_what_the_server_has_computed():
    process, url = start_before_class()
    try:

        async def cost() -> float:
            student = Student(url, random.Random(1))
            await student.open()
            before = cpu_ms(process.pid)
            for lesson in (each.name for each in LESSONS):
                run = await student.visit(lesson)
                assert not run.errors
            await student.close()
            return cpu_ms(process.pid) - before

        first, second = own_loop.run(cost()), own_loop.run(cost())
        assert first < 2 * second + 300  # without visits the first costs eight times as much
    finally:
        process.terminate()


def test_the_beat_that_comes_next_is_computed_before_it_is_asked_for(monkeypatch):
    made = []
    text = "# Made\n\n## A\n[a](zipf?zipf_k=20)\n## B\n[b](zipf?zipf_k=50)\n## C\n[c](zipf?zipf_stops=true)"
    lecture = read_playlist("made", text, {"zipf": None})
    beats = lecture.beats
    monkeypatch.setattr(tour, "lectures", lambda: {"made": lecture})

    async def visit(_app, link):
        made.append(link)

    async def a_beat_is_played():
        visits = asyncio.create_task(warmup.run_warmup(None, []))
        await asyncio.sleep(0)
        for place in ("made.1", "made.1", f"made.{len(beats)}"):
            app = await asyncio.to_thread(open_lesson, "zipf", beat=place)
            assert not app.exception
        await asyncio.sleep(0.05)
        assert made == [beats[1].link]  # once, and after the last comes none
        warmup._queued_at[beats[1].link] -= IDLE_SECONDS + 1  # what it left at hand may be gone since
        await asyncio.to_thread(open_lesson, "zipf", beat="made.1")
        await asyncio.sleep(0.05)
        assert made == 2 * [beats[1].link]
        visits.cancel()

    monkeypatch.setattr(warmup, "visit", visit)
    monkeypatch.setattr(warmup, "_queued_at", {})
    own_loop.run(a_beat_is_played())
    warmup.prerender("zipf")  # a server that makes no visits has nobody to ask
    assert len(made) == 2
