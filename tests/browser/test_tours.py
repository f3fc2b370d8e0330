"""A tour and a lecture played in a browser, by keys alone: each beat is a link, and what it speaks of is outlined.

`ATTEND_SHOTS=folder` keeps a picture of each beat of the lecture.
"""

import os
import re

import pytest
from playwright.sync_api import expect

from core.lesson.tour import lectures
from pages import LESSONS
from tests.browser.conftest import settle

assert LESSONS  # lectures name lessons, which are known once they are imported


def words(page):
    return page.locator("[class*='_tour_says']")


def beat_of(page):
    return page.locator(".tour .number")


def go_on(page, key, expected):
    expect(beat_of(page)).to_be_visible()
    page.keyboard.press(key)
    expect(beat_of(page)).to_have_text(expected)
    settle(page)


MINE = """# Mine

## All words

[zipf](zipf?lab=true#ranks)

Half of it takes {{half}} words.

## Twenty

[zipf](zipf?zipf_k=20#ranks)

The first twenty, s = {{s}}.

## A monkey

[zipf](zipf?zipf_monkey=true#ranks)

Nobody chose these words.

## By counting

[co_occurrence](co_occurrence?lab=true)

Another lesson.
"""


@pytest.fixture
def mine(page, url):
    """Return the page where a visitor's own lecture, of views of labs, stands at its first beat."""
    page.goto(f"{url}/lectures")
    settle(page)
    page.get_by_label("Your lecture as Markdown").fill(MINE)
    page.keyboard.press("Control+Enter")
    settle(page)
    page.locator("[data-testid=stPageLink-NavLink]").filter(has_text="1. All words").click()
    settle(page)
    expect(beat_of(page)).to_have_text("1 of 4")
    return page


def test_a_lecture_goes_on_and_back_by_keys_and_sets_the_controls(mine):
    expect(words(mine)).to_contain_text("Half of it takes 69 words.")
    go_on(mine, "PageDown", "2 of 4")
    assert "zipf_k=20" in mine.url
    assert "beat=mine.2" in mine.url
    expect(mine.locator(".attend-look")).to_have_class(re.compile("st-key-zipf_ranks"))
    go_on(mine, "PageDown", "3 of 4")
    expect(mine.get_by_role("switch", name="A monkey types")).to_be_checked()
    go_on(mine, "PageUp", "2 of 4")
    expect(mine.get_by_role("switch", name="A monkey types")).not_to_be_checked()
    mine.go_back()
    expect(beat_of(mine)).to_have_text("3 of 4")
    go_on(mine, "Space", "4 of 4")
    assert "/co_occurrence?" in mine.url
    mine.go_back()
    expect(beat_of(mine)).to_have_text("3 of 4")
    assert "/zipf?" in mine.url


def test_moving_a_control_leaves_the_lecture_and_one_press_comes_back(mine):
    go_on(mine, "PageDown", "2 of 4")
    expect(words(mine)).to_contain_text("The first twenty")
    mine.get_by_text("A monkey types the text").click()
    expect(words(mine)).to_contain_text("The tour waits at “Twenty")
    mine.get_by_role("button", name="Come back").click()
    expect(words(mine)).to_contain_text("The first twenty")
    assert "zipf_monkey" not in mine.url


def test_presenting_hides_everything_but_the_lesson_and_escape_ends_it(mine):
    mine.keyboard.press("p")
    expect(mine.locator("[data-testid=stSidebar]")).to_be_hidden()
    mine.keyboard.press("b")
    expect(mine.locator(".attend-black")).to_be_visible()
    mine.keyboard.press("Escape")
    expect(mine.locator(".attend-black")).to_have_count(0)
    mine.keyboard.press("?")
    expect(mine.get_by_role("dialog", name="Keys")).to_contain_text("Page Down, Space")
    mine.keyboard.press("Escape")
    mine.keyboard.press("Escape")
    expect(mine.locator("[data-testid=stSidebar]")).to_be_visible()


def test_a_lecture_of_45_minutes_is_played_by_keys_alone_across_its_lessons(page, url):
    lecture, shots = lectures()["attention_45"], os.environ.get("ATTEND_SHOTS")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{url}/lectures")
    settle(page)
    page.locator("[data-testid=stPageLink-NavLink]").filter(has_text="Play").first.click()
    settle(page)
    page.keyboard.press("p")
    for number, beat in enumerate(lecture.beats, 1):
        expect(page.locator(".story .jump")).to_have_text(f"{number} of {len(lecture.beats)}")
        page.locator(f'.story[data-shown="{beat.number}"]:not(.waiting)').wait_for()
        if shots:
            page.screenshot(path=f"{shots}/{number:02}_{beat.lesson}.png")
        if page.locator(".story .ask").count():
            page.keyboard.press("PageDown")  # what an ask reveals is a step of its own
            page.locator(f'.story[data-shown="{beat.number}.answer"]:not(.waiting)').wait_for()
        page.keyboard.press("PageDown")
    assert page.url.endswith(f"beat=attention_45.{len(lecture.beats)}")


def test_a_prompt_to_try_is_a_link_that_is_followed_within_the_page(page, url):
    page.goto(f"{url}/zipf?lab=true&zipf_stops=true")
    settle(page)
    page.evaluate("window.same = true")
    page.get_by_role("link", name="A monkey types Hamlet").click()
    expect(page.get_by_role("switch", name="A monkey types")).to_be_checked()
    settle(page)
    assert page.evaluate("window.same") is True
    assert "zipf_monkey=true" in page.url and "zipf_stops" not in page.url
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    page.go_back()
    expect(page.get_by_role("switch", name="A monkey types")).not_to_be_checked()
    assert "zipf_stops=true" in page.url


def test_presented_the_picture_is_whole_between_the_beat_s_name_and_its_words(mine):
    mine.set_viewport_size({"width": 1280, "height": 720})
    mine.keyboard.press("p")
    settle(mine)
    look, bar, said = (
        mine.locator(part).bounding_box()
        for part in (".attend-look", "[class*='_tour_box']", "[class*='_tour_says']")
    )
    assert bar["y"] + 20 < look["y"]
    assert look["y"] + look["height"] <= said["y"] + 1
    plot = mine.locator(".attend-look .js-plotly-plot .main-svg").first
    if plot.count():
        assert plot.bounding_box()["width"] <= look["width"] + 1
    mine.keyboard.press("Escape")
