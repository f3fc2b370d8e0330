"""What only a browser shows of the shell: deep links, headers, accessibility, and the width of a phone."""

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from core.lesson.syllabus import LESSONS
from tests.browser.conftest import settle, start_server

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
# Streamlit's own sidebar menu nests its lists in a way that axe faults; everything else must pass.
RUN = "() => axe.run({exclude: [['[data-testid=stSidebarNav]']]}, {resultTypes: ['violations']})"
EVERY_LESSON = pytest.mark.parametrize("name", ["", *(lesson.name for lesson in LESSONS)])


def violations(page) -> list[tuple[str, str]]:
    page.evaluate(AXE)
    found = page.evaluate(RUN)["violations"]
    return [(rule["id"], node["html"][:160]) for rule in found for node in rule["nodes"]]


def test_a_deep_link_as_a_fresh_server_s_first_request_opens_the_right_lesson(page):
    process, url = start_server()
    try:
        page.goto(f"{url}/word_axis?word_axis_left=bad&word_axis_right=good")
        expect(page.get_by_role("heading", name="An axis of meaning")).to_be_visible()
        expect(page.get_by_label("Left end")).to_have_value("bad")
        expect(page.get_by_label("Right end")).to_have_value("good")
        assert page.get_by_role("dialog").count() == 0
        assert page.get_by_role("link", name="Word arithmetic").count() == 1
    finally:
        process.terminate()
        process.wait(10)


def test_every_response_carries_a_content_security_policy(page, url):
    policy = page.goto(url).headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "object-src 'none'" in policy


@EVERY_LESSON
def test_a_page_asks_no_other_host_for_anything_and_logs_no_error(page, url, name):
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"{url}/{name}")
    settle(page)
    host = url.split("//")[1]
    assert [
        request for request in asked if host not in request and not request.startswith(("data:", "blob:"))
    ] == []
    assert [error for error in errors if "404" not in error] == []
    assert page.locator("[data-testid=stException]").count() == 0


@EVERY_LESSON
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_of_ours(chromium, url, name, scheme):
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{url}/{name}")
    settle(page)
    assert violations(page) == []
    context.close()


@EVERY_LESSON
def test_nothing_is_wider_than_a_phone(chromium, url, name):
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{url}/{name}")
    settle(page)
    wider = "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollWidth - m.clientWidth }"
    assert page.evaluate(wider) <= 0
    context.close()
