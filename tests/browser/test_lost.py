"""A page whose process is gone is loaded again from its address, and says that a text of one's own was lost with it."""

import os
import subprocess
import sys

from playwright.sync_api import expect

from core.lesson.warmup import SWITCH
from tests.browser.conftest import ROOT, free_port, settle, when_ready
from tests.browser.test_your_text import upload

GONE = "A text of someone’s own was in use here"


def start(port):
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, env={**os.environ, SWITCH: "off"}
    )
    return process, when_ready(process, port, "ready")


def test_a_page_says_that_its_process_is_gone_with_the_learner_s_text(page):
    port = free_port()
    process, url = start(port)
    try:
        page.goto(f"{url}/zipf?lab=true&zipf_k=50")
        settle(page)
        upload(page, "mine.txt", b"My own words stay with me. " * 50)
        process.kill()
        process.wait(10)
        process, _ = start(port)
        expect(page.get_by_text(GONE)).to_be_visible()
        expect(page.get_by_text("mine.txt: ")).to_have_count(0)
        assert "zipf_k=50" in page.url
    finally:
        process.kill()
        process.wait(10)
