"""CPU of the server for a beat of every story: its document made for the first time, asked for again, and played.

A student plays each story in Chromium, beat by beat, when another student has played it; what the server takes when
nobody does anything is left out. `python -m tests.benchmarks.bench_beats [lesson ...]`
"""

from __future__ import annotations

import statistics
import sys
import time
import urllib.request

from playwright.sync_api import sync_playwright

from core.lesson.story import ASK, story_of
from pages import LESSONS
from tests.benchmarks.student import cpu_ms
from tests.browser.conftest import FLAGS, start_server

AGAIN = 50  # times that a document is asked for again
REST = 0.4  # seconds on a beat


def places(lesson) -> list[str]:
    """Return the beats of a story as its addresses name them."""
    found = []
    for number, beat in enumerate(story_of(lesson.module), 1):
        found += [f"{number}", f"{number}.answer"] if beat.kind == ASK else [f"{number}"]
    return found


def ask(url: str, lesson: str, place: str) -> int:
    """Return the bytes of a beat's document."""
    with urllib.request.urlopen(f"{url}/beats/{lesson}/{place}.json") as answer:
        return len(answer.read())


def main(names: list[str]) -> None:
    """Print a line for each story."""
    server, url = start_server()
    try:
        print(f"{'':24}{'first':>8}{'worst':>8}{'again':>8}{'played':>8}{'kB':>8}   CPU-ms a beat")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
            for lesson in LESSONS:
                if lesson.is_story and (not names or lesson.name in names):
                    print(measure(url, server.pid, lesson, browser), flush=True)
            browser.close()
    finally:
        server.terminate()


def play(url: str, lesson, browser, pid: int) -> float:
    """Return the CPU-ms of a beat while a student plays a story from its first beat to its last."""
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.goto(f"{url}/{lesson.name}")
    page.locator('.story[data-shown="1"]').wait_for()
    time.sleep(2)
    began, second = cpu_ms(pid), time.monotonic()
    time.sleep(3)
    idle = (cpu_ms(pid) - began) / (time.monotonic() - second)
    began, second = cpu_ms(pid), time.monotonic()
    for place in places(lesson)[1:]:
        page.keyboard.press("PageDown")
        page.locator(f'.story[data-shown="{place}"]').wait_for()
        time.sleep(REST)
    took = cpu_ms(pid) - began - idle * (time.monotonic() - second)
    page.context.close()
    return took / (len(places(lesson)) - 1)


def measure(url: str, pid: int, lesson, browser) -> str:
    """Return the line of a story."""
    first, sizes = [], []
    for place in places(lesson):
        began = cpu_ms(pid)
        sizes.append(ask(url, lesson.name, place))
        first.append(cpu_ms(pid) - began)
    began = cpu_ms(pid)
    for _ in range(AGAIN):
        for place in places(lesson):
            ask(url, lesson.name, place)
    again = (cpu_ms(pid) - began) / AGAIN / len(sizes)
    play(url, lesson, browser, pid)
    played = play(url, lesson, browser, pid)
    return (
        f"{lesson.name:24}{statistics.mean(first):8.1f}{max(first):8.1f}{again:8.2f}{played:8.2f}"
        f"{statistics.mean(sizes) / 1000:8.1f}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
