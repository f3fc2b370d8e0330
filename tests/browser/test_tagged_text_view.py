"""The tagged text in Chromium: a word chosen by mouse or key is explained, and no text is read as mark-up."""

import pytest

from tests.browser.conftest import settle

pytestmark = pytest.mark.xdist_group("browser")


def open_with(page, url, text):
    page.goto(f"{url}/tagging?lab=true")
    settle(page)
    page.get_by_role("button", name="Change the text").click()
    settle(page)
    page.get_by_role("tab", name="Paste").click()
    page.get_by_label("Paste a text").fill(text)
    page.get_by_label("Paste a text").blur()
    settle(page)
    page.get_by_role("button", name="Use this text").click()
    settle(page)
    page.keyboard.press("Escape")
    settle(page)
    return page.locator(".tagged-text")


def test_a_clicked_word_is_looked_up_in_the_training_counts(page, url):
    view = open_with(page, url, "The dogs sleep soundly.")
    view.get_by_role("button", name="sleep").click()
    page.get_by_text("sleep: VERB here. In the training text:").wait_for()
    assert view.locator("button.chosen .word").inner_text() == "sleep"


def test_the_arrows_move_and_enter_chooses(page, url):
    view = open_with(page, url, "The dogs sleep soundly.")
    view.locator("button").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_text("dogs: NOUN here.").wait_for()


def test_words_that_look_like_mark_up_are_words(page, url):
    view = open_with(page, url, "<img src=x onerror=alert(1)> sleeps.")
    assert page.locator(".tagged-text img").count() == 0
    assert "img" in view.inner_text()
