"""The server visits the slow lessons by itself, and what it leaves at hand is what a learner's page asks for."""

import asyncio
import json
import random
import time
import urllib.request

from app import SLOW_AT_FIRST
from core.lesson import first_visits
from pages import LESSONS
from tests import own_loop
from tests.benchmarks.student import Student, cpu_ms
from tests.browser.conftest import start_server


def test_each_of_the_lessons_is_one_of_the_course():
    assert set(SLOW_AT_FIRST) <= {lesson.name for lesson in LESSONS}


def test_a_visit_waits_while_a_learner_is_at_work(monkeypatch):
    made = []

    async def visit(_app, lesson):
        made.append(lesson)

    async def learner_then_quiet():
        message = first_visits.NoticesLearners(lambda _scope, receive, _send: receive())
        for scope in ({"type": "websocket", first_visits.OURS: True}, {"type": "http"}):
            await message(scope, _nothing, None)
        assert first_visits._last_message == float("-inf")  # neither is a learner
        await message({"type": "websocket"}, _nothing, None)
        visits = asyncio.create_task(first_visits.visit_each(None, ["zipf"]))
        await asyncio.sleep(0.05)
        assert not made
        await visits
        assert made == ["zipf"]

    monkeypatch.setattr(first_visits, "visit", visit)
    monkeypatch.setattr(first_visits, "QUIET", 1.0)
    monkeypatch.setattr(first_visits, "_last_message", float("-inf"))
    monkeypatch.setattr(first_visits, "_visited", [])
    own_loop.run(learner_then_quiet())


async def _nothing():
    return {"type": "websocket.receive"}


def test_the_first_learner_finds_what_the_server_has_computed():
    process, url = start_server(first_visits="on")
    try:
        for _ in range(600):
            with urllib.request.urlopen(f"{url}/ready") as answer:
                if set(json.load(answer)["visited"]) == set(SLOW_AT_FIRST):
                    break
            time.sleep(0.5)

        async def cost() -> float:
            student = Student(url, random.Random(1))
            await student.open()
            before = cpu_ms(process.pid)
            for lesson in SLOW_AT_FIRST:
                run = await student.visit(lesson)
                assert not run.errors
            await student.close()
            return cpu_ms(process.pid) - before

        first, second = own_loop.run(cost()), own_loop.run(cost())
        assert first < 2 * second + 300  # without visits the first costs ten times as much
    finally:
        process.terminate()
