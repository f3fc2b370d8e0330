"""A real server and a real Chromium, once for all browser tests."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect, sync_playwright

from core.lesson.browser_view import bundled, styles
from core.lesson.warmup import SWITCH
from pages import LESSONS

expect.set_options(timeout=30_000)  # a busy machine is slow, not wrong
ROOT = Path(__file__).resolve().parents[2]
# The first is Chromium without windows and menus, which a test has no use for: a quarter less to compute.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# Glyphs as wide as on a phone: with hinting, chromium-headless-shell makes lines longer than Chromium does.
FLAGS = (
    "--font-render-hinting=none --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update"
).split()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_server(first_visits: str = "off", port: int = 0) -> tuple[subprocess.Popen, str]:
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    settings = {**os.environ, SWITCH: first_visits}
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env=settings)
    return process, when_ready(process, port, "ready")


def start_before_class() -> tuple[subprocess.Popen, str]:
    """Start the course and wait until it has opened every lesson once, as a lecturer's has when the class comes."""
    process, url = start_server(first_visits="on")
    while True:
        with urllib.request.urlopen(f"{url}/ready") as answer:
            if len(json.load(answer)["visited"]) == len(LESSONS):
                return process, url
        time.sleep(0.5)


def when_ready(process: subprocess.Popen, port: int, path: str) -> str:
    """Wait until a server answers under a path; return its address."""
    url = f"http://localhost:{port}"
    for _ in range(240):
        try:
            if urllib.request.urlopen(f"{url}/{path}", timeout=5).status == 200:
                return url
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
    process.kill()
    raise RuntimeError("The server did not become ready within a minute.")


@pytest.fixture(scope="session")
def url():
    process, address = start_server()
    yield address
    process.terminate()
    process.wait(10)


@pytest.fixture(scope="session")
def chromium():
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path, "The browser tests need Chromium; `make test` installs it."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    """A fresh profile at lecture size; fails the test when the page logs an error of its own."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    yield opened
    context.close()


@contextmanager
def faultless_page(chromium, may_ask):
    """A page at a projector's size; at its end, none of its errors is excused, nor a request that `may_ask` refuses."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("request", lambda asked: None if may_ask(asked.url) else faults.append(asked.url))
    yield page
    context.close()
    assert not faults


MOUNT = """async ({ code, css, data }) => {
  const { default: view } = await import("data:text/javascript;base64," + btoa(unescape(encodeURIComponent(code))));
  const root = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
  root.appendChild(document.createElement("style")).textContent = css;
  const parentElement = root.appendChild(document.createElement("div"));
  window.returned = {};
  window.sent = [];
  const setTriggerValue = (event, value) => { window.returned[event] = value; window.sent.push([event, value]); };
  window.show = (data) => { window.leave = view({ data, parentElement, setTriggerValue }); };
  window.show(data);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def mount_view(page, name: str, data: dict) -> None:
    """Show a browser view by itself; what it reports is in the page's `returned`, newest last in `sent`."""
    page.set_content("<!doctype html><html lang=en><title>A view</title><body></body>")
    folder = ROOT / "assets" / "views" / name
    page.evaluate(MOUNT, {"code": bundled(folder / "view.js"), "css": styles(folder), "data": data})


END_MOTION = """async () => {
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const shadows = (root) => [...root.querySelectorAll("*")].map((each) => each.shadowRoot).filter(Boolean);
  const roots = (root) => [root, ...shadows(root).flatMap(roots)];
  const ends = (each) => each.effect.getComputedTiming().endTime < Infinity;
  for (let pass = 0; pass < 3; pass += 1) {
    await frames();
    for (const root of roots(document)) root.getAnimations().filter(ends).forEach((each) => each.finish());
  }
}"""


def end_motion(page) -> None:
    """Bring all that moves on a page to its end, in every shadow root, instead of waiting for it."""
    page.evaluate(END_MOTION)


MISPLACED = """(texts, { x, y, width, height, slack, least }) => texts
  .filter((each) => each.checkVisibility() && each.textContent)
  .filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const outside = left < x - slack || right > x + width + slack || top < y - slack || bottom > y + height + slack;
    return outside || parseFloat(getComputedStyle(each).fontSize) < least;
  }).map((each) => each.textContent)"""


def misplaced(page, texts: str, room: dict, slack: float = 2, least: float = 14) -> list[str]:
    """Return those texts that are not in a room {x, y, width, height}, or whose letters are smaller than `least` pixels."""
    return page.locator(texts).evaluate_all(MISPLACED, {**room, "slack": slack, "least": least})


def downloaded(page, name: str, attempts: int = 4):
    """Press a button and return what is downloaded; on a busy machine a click may be lost, so press it again."""
    for _ in range(attempts - 1):
        try:
            with page.expect_download(timeout=15_000) as download:
                page.get_by_role("button", name=name).click()
            return download.value
        except PlaywrightTimeoutError:
            settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return download.value


def settle(page, quiet: float = 0.7, limit: float = 60) -> None:
    """Wait until the page has stood still for `quiet` seconds with nothing running."""
    last, since, began = None, time.monotonic(), time.monotonic()
    script = """() => [document.querySelectorAll(
        '[data-testid=stStatusWidget],[data-testid=stSkeleton],[data-testid=stSpinner],[data-stale=true]').length,
        document.querySelectorAll('*').length]"""
    while time.monotonic() - began < limit:
        now = page.evaluate(script)
        if now != last:
            last, since = now, time.monotonic()
        elif now[0] == 0 and now[1] > 60 and time.monotonic() - since > quiet:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"The page did not settle within {limit} seconds.")
