"""The course in the reader's language: as the browser accepts, and by the switches of the menu and of the story."""

import pytest
from playwright.sync_api import expect

from core.words.language import speaking
from pages import LESSONS, home

VITERBI = next(lesson for lesson in LESSONS if lesson.name == "viterbi")


@pytest.fixture
def spaniard(chromium):
    """Open a page in a browser whose reader prefers Spanish."""
    context = chromium.new_context(locale="es-MX", viewport={"width": 1280, "height": 720})
    yield context.new_page()
    context.close()


def in_spanish(words):
    """Return a lesson's title in Spanish."""
    with speaking("es"):
        return words.title


def test_a_browser_that_prefers_spanish_reads_spanish_and_can_switch(spaniard, url):
    spaniard.goto(url)
    expect(spaniard.get_by_role("heading", level=1)).to_have_text(in_spanish(home.WORDS))
    assert spaniard.evaluate("document.documentElement.lang") == "es"
    spaniard.get_by_role("link", name="English").click()
    expect(spaniard.get_by_role("heading", level=1)).to_have_text(home.WORDS.title)
    spaniard.goto(f"{url}/viterbi?lab=true")
    expect(spaniard.get_by_role("heading", level=1)).to_have_text(VITERBI.title)


def test_a_story_is_told_on_in_the_other_language(page, url):
    page.goto(f"{url}/viterbi?beat=viterbi.2")
    heading = page.get_by_role("heading", level=2)
    expect(heading).to_have_text(VITERBI.words.titles["product"])
    page.get_by_role("link", name="Español").click()
    with speaking("es"):
        spanish = VITERBI.words.titles["product"], VITERBI.words.titles["first_day"]
    expect(heading).to_have_text(spanish[0])
    page.keyboard.press("PageDown")
    expect(heading).to_have_text(spanish[1])
    assert "beat=viterbi.3" in page.url
    page.keyboard.press("d")
    expect(page.locator(".description")).to_contain_text("Escena 3 de 9")
