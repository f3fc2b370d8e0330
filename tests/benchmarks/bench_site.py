"""The static site: how soon a beat stands on a slow line, and how many readers one nginx answers at once.

`python -m tests.benchmarks.bench_site [folder]` writes the site first where the folder does not hold it. The line has
1.6 Mbit/s and a round trip of 150 ms; the readers each ask for a page, its code and three beats.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from string import Template

from playwright.sync_api import sync_playwright

from core.lesson.story import ASK, story_of
from pages import LESSONS
from pages.site import write_site
from tests.browser.conftest import BROWSERS, FLAGS, ROOT, free_port
from tests.browser.test_site import SHOWN

READERS, BEATS = 2000, 3
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
EVERY = 6  # each so many lessons is opened on the slow line
CONFIGURATION = ROOT / "deploy" / "site.nginx.conf"


def serve(folder: Path, state: Path) -> tuple[subprocess.Popen, int]:
    """Start nginx over a site; return it and its port."""
    port = free_port()
    values = {"SITE": folder.resolve(), "SITE_STATE": state, "PORT": port}
    file = state / "nginx.conf"
    file.write_text(Template(CONFIGURATION.read_text()).safe_substitute(values))
    nginx = subprocess.Popen(["nginx", "-e", "stderr", "-c", str(file), "-g", "daemon off;"])
    time.sleep(1)
    return nginx, port


def places_of(lesson) -> list[str]:
    """Return the places of a story in order; an answer is one of its own."""
    beats = enumerate(story_of(lesson.module), 1)
    return [f"{number}{end}" for number, beat in beats for end in ("", ".answer")[: 1 + (beat.kind == ASK)]]


def on_a_slow_line(url: str) -> None:
    """Print when the first beat of some lessons stands, and the beats after it."""
    firsts, nexts = {}, []
    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for lesson in LESSONS[::EVERY]:
            context = browser.new_context(viewport={"width": 1280, "height": 720})
            page = context.new_page()
            context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW)
            began = time.perf_counter()
            page.goto(f"{url}/{lesson.name}.html", wait_until="commit")
            page.wait_for_function(
                f"() => document.querySelector('.mounted')?.shadowRoot && ({SHOWN})('1')", polling=10
            )
            firsts[lesson.name] = 1000 * (time.perf_counter() - began)
            for place in places_of(lesson)[1:5]:
                page.wait_for_timeout(4000)  # it is read
                began = time.perf_counter()
                page.keyboard.press("PageDown")
                page.wait_for_function(SHOWN, arg=place, polling=10)
                nexts.append(1000 * (time.perf_counter() - began))
            context.close()
        browser.close()
    for name, ms in firsts.items():
        print(f"{name:28}{ms:8.0f} ms")
    print(
        f"first beat: median {statistics.median(firsts.values()):.0f} ms, worst {max(firsts.values()):.0f} ms"
    )
    print(f"a beat after that: median {statistics.median(nexts):.0f} ms, worst {max(nexts):.0f} ms")


async def fetch(port: int, path: str) -> int:
    """Ask for a file as a browser does; return how many bytes came. Raises OSError where it is not answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"GET /{path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n".encode()
    )
    answer = await reader.read(-1)
    writer.close()
    if not answer.startswith(b"HTTP/1.1 200"):
        raise OSError(f"{path}: {answer[:40]!r}")
    return len(answer)


async def read_as_class(port: int, folder: Path) -> None:
    """Let READERS open a lesson at the same time, and print what they waited."""
    waited, failed, size = [], 0, 0

    async def read(lesson: str) -> None:
        nonlocal failed, size
        page = (folder / f"{lesson}.html").read_text()
        files = [f"{lesson}.html", *re.findall(r'<script defer src="([^"]+)"', page)]
        files += [f"beats/{lesson}/{number}.js" for number in range(2, 2 + BEATS - 1)]
        began = time.perf_counter()
        try:
            came = sum([await fetch(port, file) for file in files])
            size += came
        except OSError as error:
            failed += 1
            print(error)
        waited.append(time.perf_counter() - began)

    names = [lesson.name for lesson in LESSONS]
    began = time.perf_counter()
    await asyncio.gather(*(read(names[number % len(names)]) for number in range(READERS)))
    took = time.perf_counter() - began
    waited.sort()
    print(
        f"{READERS} readers at once: {failed} failed, all done after {took:.1f} s, {size / READERS / 1000:.0f} kB each, "
        f"p50 {waited[len(waited) // 2]:.2f} s, p95 {waited[int(0.95 * len(waited))]:.2f} s"
    )


def main() -> None:
    """Write the site where it is missing, and measure."""
    with tempfile.TemporaryDirectory() as state:
        os.chmod(state, 0o755)
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(state) / "site"
        if not (folder / "index.html").exists():
            began = time.perf_counter()
            write_site(folder)
            print(f"written in {time.perf_counter() - began:.0f} s")
        nginx, port = serve(folder, Path(state))
        try:
            asyncio.run(read_as_class(port, folder))
            on_a_slow_line(f"http://127.0.0.1:{port}")
        finally:
            nginx.terminate()
            nginx.wait()


if __name__ == "__main__":
    main()
