"""A tour and a lecture played in a browser, by keys alone: each beat is a link, and what it speaks of is outlined."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle


def words(page):
    return page.locator("[class*='_tour_says']")


def beat_of(page):
    return page.locator(".tour .number")


def go_on(page, key, expected):
    page.keyboard.press(key)
    expect(beat_of(page)).to_have_text(expected)
    settle(page)


def test_a_tour_goes_on_and_back_by_keys_and_sets_the_controls(page, url):
    page.goto(f"{url}/zipf")
    settle(page)
    expect(beat_of(page)).to_have_text("1 of 6")
    go_on(page, "PageDown", "2 of 6")
    assert "zipf_k=20" in page.url
    assert "beat=zipf.2" in page.url
    expect(page.locator(".attend-look")).to_have_class(re.compile("st-key-zipf_ranks"))
    for number in (3, 4, 5):
        go_on(page, "PageDown", f"{number} of 6")
    expect(page.get_by_role("switch", name="Break it")).to_be_checked()
    go_on(page, "PageUp", "4 of 6")
    expect(page.get_by_role("switch", name="Break it")).not_to_be_checked()
    page.go_back()
    expect(beat_of(page)).to_have_text("5 of 6")


def test_moving_a_control_leaves_the_tour_and_one_press_comes_back(page, url):
    page.goto(f"{url}/zipf?zipf_k=20&beat=zipf.2")
    settle(page)
    expect(words(page)).to_contain_text("Zipf's law says")
    page.get_by_text("Leave out stop words").click()
    expect(words(page)).to_contain_text("The tour waits at “On logarithmic axes")
    page.get_by_role("button", name="Come back").click()
    expect(words(page)).to_contain_text("Zipf's law says")
    assert "zipf_stops" not in page.url


def test_a_tour_that_was_folded_away_stays_away_in_this_browser(page, url):
    page.goto(f"{url}/zipf")
    settle(page)
    page.get_by_role("button", name="Fold the tours away").click()
    expect(words(page)).to_have_count(0)
    page.reload()
    settle(page)
    expect(words(page)).to_have_count(0)
    page.keyboard.press("t")
    expect(beat_of(page)).to_have_text("1 of 6")


def test_presenting_hides_everything_but_the_lesson_and_escape_ends_it(page, url):
    page.goto(f"{url}/zipf")
    settle(page)
    page.keyboard.press("p")
    expect(page.locator("[data-testid=stSidebar]")).to_be_hidden()
    page.keyboard.press("b")
    expect(page.locator(".attend-black")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".attend-black")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Page Up, Page Down")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("[data-testid=stSidebar]")).to_be_visible()
