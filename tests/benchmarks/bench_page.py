"""A lesson page against an empty Streamlit page in the same run: server CPU a rerun, key press to picture.

Both pages are served tuned as app.py tunes its server; the empty one holds a slider and a line of text.
`python -m tests.benchmarks.bench_page`
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS, ROOT, free_port, settle, start_server, when_ready

EMPTY = 'import streamlit as st\nst.text(st.slider("Neighbours", 1, 20, 8))\n'
PRESSES = 20
# Resolves with the milliseconds from key press to the last change of the picture before 250 ms of quiet.
PRESS = """([key, selector]) => new Promise(resolve => {
  const slider = [...document.querySelectorAll('[data-testid=stSlider]')]
    .find(one => one.textContent.includes('Neighbours')).querySelector('input[type=range]');
  const target = document.querySelector(selector);
  const began = performance.now();
  let last = null, timer = null;
  const watch = new MutationObserver(() => {
    requestAnimationFrame(() => { last = performance.now(); });
    clearTimeout(timer);
    timer = setTimeout(() => { watch.disconnect(); resolve(last - began); }, 250);
  });
  watch.observe(target, {subtree: true, childList: true, characterData: true, attributes: true});
  slider.focus();
  setTimeout(() => { watch.disconnect(); resolve(null); }, 8000);
  window.__press = key;
})"""


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def serve_empty() -> tuple[subprocess.Popen, str]:
    """Serve the empty page with this project's Streamlit settings."""
    folder = Path(tempfile.mkdtemp())
    shutil.copytree(ROOT / ".streamlit", folder / ".streamlit")
    (folder / "empty.py").write_text(EMPTY)
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "empty.py", "--server.port", str(port)]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    return process, when_ready(process, port, "_stcore/health")


def measure(browser, process: subprocess.Popen, address: str, picture: str) -> tuple[float, float]:
    """Return the median milliseconds from key press to picture, and the server's CPU milliseconds a rerun."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    for _ in range(60):
        try:
            page.goto(address)
            break
        except Exception:
            time.sleep(0.5)
    settle(page)
    times, before = [], cpu_seconds(process.pid)
    for press in range(PRESSES):
        waiting = page.evaluate_handle(f"() => ({{ done: ({PRESS})(['', '{picture}']) }})")
        page.keyboard.press("ArrowRight" if press % 8 < 4 else "ArrowLeft")
        times.append(waiting.evaluate("async held => await held.done"))
    used = cpu_seconds(process.pid) - before
    page.close()
    return statistics.median(filter(None, times)), 1000 * used / PRESSES


def main() -> None:
    """Measure both pages and print the ratios."""
    lesson, url = start_server()
    empty, empty_url = serve_empty()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            words = "word_map?lab=true&word_map_word=king&word_map_neighbours=true"
            ours = measure(
                browser, lesson, f"{url}/{words}", ".st-key-word_map_neighbour_bars .js-plotly-plot"
            )
            theirs = measure(browser, empty, empty_url, "[data-testid=stText]")
    finally:
        lesson.terminate()
        empty.terminate()
    print(f"{'':14}{'key to picture':>16}{'server CPU a rerun':>20}")
    for name, (wall, cpu) in (("word map", ours), ("empty page", theirs)):
        print(f"{name:14}{wall:13.0f} ms{cpu:17.1f} ms")
    print(f"{'ratio':14}{ours[0] / theirs[0]:15.1f}x{ours[1] / theirs[1]:19.1f}x")


if __name__ == "__main__":
    main()
