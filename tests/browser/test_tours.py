"""A tour and a lecture played in a browser, by keys alone: each beat is a link, and what it speaks of is outlined.

`ATTEND_SHOTS=folder` keeps a picture of each beat of the lecture.
"""

import os
import re

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


def test_a_tour_goes_on_and_back_by_keys_and_sets_the_controls(page, url):
    page.goto(f"{url}/zipf")
    settle(page)
    expect(beat_of(page)).to_have_text("1 of 7")
    go_on(page, "PageDown", "2 of 7")
    assert "zipf_k=20" in page.url
    assert "beat=zipf.2" in page.url
    expect(page.locator(".attend-look")).to_have_class(re.compile("st-key-zipf_ranks"))
    for number in (3, 4, 5, 6):
        go_on(page, "PageDown", f"{number} of 7")
    expect(page.get_by_role("switch", name="Break it")).to_be_checked()
    go_on(page, "PageUp", "5 of 7")
    expect(page.get_by_role("switch", name="Break it")).not_to_be_checked()
    page.go_back()
    expect(beat_of(page)).to_have_text("6 of 7")


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
    expect(beat_of(page)).to_have_text("1 of 7")


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
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Page Down, Space")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("[data-testid=stSidebar]")).to_be_visible()


def test_a_lecture_of_45_minutes_is_played_by_keys_alone_across_its_lessons(page, url):
    lecture, shots = lectures()["attention_45"], os.environ.get("ATTEND_SHOTS")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{url}/lectures")
    settle(page)
    page.locator("[data-testid=stPageLink-NavLink]").filter(has_text="Play").first.click()
    settle(page)
    page.keyboard.press("p")
    wrong = []
    stories = {lesson.name for lesson in LESSONS if lesson.is_story}
    for number, beat in enumerate(lecture.beats, 1):
        place = f"{number} of {len(lecture.beats)}"
        if beat.lesson in stories:
            expect(page.locator(".story .jump")).to_have_text(place)
            page.locator(f'.story[data-shown="{beat.number}"]:not(.waiting)').wait_for()
            if page.locator(".story .ask").count():
                page.keyboard.press("PageDown")  # what an ask reveals is a step of its own
                page.locator(f'.story[data-shown="{beat.number}.answer"]:not(.waiting)').wait_for()
            page.keyboard.press("PageDown")
            continue
        expect(beat_of(page)).to_have_text(place)
        expect(page.locator(".tour .name")).to_have_text(beat.title)
        settle(page)
        said = words(page).text_content()
        if not said or "(no value" in said or "The tour waits" in said:
            wrong.append(f"{number}, {beat.link}, says: {said}")
        if beat.look and page.locator(".attend-look").count() != 1:
            wrong.append(f"{number}, {beat.link}, looks at nothing")
        if shots:
            page.screenshot(path=f"{shots}/{number:02}_{beat.lesson}.png")
        page.keyboard.press("PageDown")
    assert wrong == []
    assert page.url.endswith(f"beat=attention_45.{len(lecture.beats)}")


def test_space_goes_on_and_another_lesson_s_controls_are_set_by_the_next_beat(page, url):
    page.goto(f"{url}/one_space?beat=images_45.15")
    settle(page)
    go_on(page, "PageDown", "16 of 22")
    assert "/captions?" in page.url
    page.go_back()
    expect(beat_of(page)).to_have_text("15 of 22")
    assert "/one_space?" in page.url


def test_a_prompt_to_try_is_a_link_that_is_followed_within_the_page(page, url):
    page.goto(f"{url}/zipf?zipf_lower=false")
    settle(page)
    page.evaluate("window.same = true")
    page.get_by_role("link", name="A monkey types Hamlet").click()
    expect(page.get_by_role("switch", name="Break it")).to_be_checked()
    expect(page.get_by_role("switch", name="Lower case")).to_be_checked()
    settle(page)
    assert page.evaluate("window.same") is True
    assert "text_source_sample=Hamlet" in page.url
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    page.go_back()
    expect(page.get_by_role("switch", name="Break it")).not_to_be_checked()
    expect(page.get_by_role("switch", name="Lower case")).not_to_be_checked()


def test_the_speaker_s_window_moves_the_lecture_s_window_of_the_same_browser(page, url):
    page.goto(f"{url}/lectures")
    settle(page)
    desk = page.get_by_role("link", name="Open the speaker's window").get_attribute("href")
    page.locator("[data-testid=stPageLink-NavLink][href*='images_45']").first.click()
    settle(page)
    speaker = page.context.new_page()
    speaker.goto(f"{url}/{desk}")
    expect(speaker.get_by_role("heading", name="1 of")).to_be_visible()
    speaker.get_by_role("button", name="Next").click()
    expect(page.locator(".story .jump")).to_have_text(re.compile("^2 of"))
    expect(speaker.get_by_role("heading", name="2 of")).to_be_visible()
    speaker.keyboard.press("PageUp")
    for shown in (
        "1",
        "2",
        "6",
        "8",
        "7",
        "7.answer",
        "5",
        "3",
        "3.answer",
    ):  # to the first lesson with a tour
        page.locator(f'.story[data-shown="{shown}"]:not(.waiting)').wait_for()
        page.keyboard.press("PageDown")
    expect(beat_of(page)).to_have_text(re.compile("^8 of"))
    expect(speaker.get_by_role("heading", name="8 of")).to_be_visible()
    speaker.get_by_role("button", name="Next").click()
    expect(beat_of(page)).to_have_text(re.compile("^9 of"))
    expect(speaker.get_by_role("heading", name="9 of")).to_be_visible()
    expect(speaker.get_by_role("status").filter(has_text="No window")).to_have_count(0)
    speaker.keyboard.press("PageUp")
    expect(beat_of(page)).to_have_text(re.compile("^8 of"))
    speaker.get_by_role("button", name="Black screen").click()
    expect(page.locator(".attend-black")).to_be_visible()
    speaker.keyboard.press("b")
    expect(page.locator(".attend-black")).to_have_count(0)
    expect(speaker.locator(".attend-black")).to_have_count(0)
    assert desk.split("=")[1] not in page.content()


def test_presented_the_picture_is_whole_between_the_beat_s_name_and_its_words(page, url):
    page.set_viewport_size({"width": 1280, "height": 720})
    for beat in ("zipf.1",):
        page.goto(f"{url}/{beat.split('.')[0]}?beat={beat}")
        settle(page)
        page.keyboard.press("p")
        settle(page)
        look, bar, said = (
            page.locator(part).bounding_box()
            for part in (".attend-look", "[class*='_tour_box']", "[class*='_tour_says']")
        )
        assert bar["y"] + 20 < look["y"], beat
        assert look["y"] + look["height"] <= said["y"] + 1, beat
        plot = page.locator(".attend-look .js-plotly-plot .main-svg").first
        if plot.count():
            assert plot.bounding_box()["width"] <= look["width"] + 1, beat
        page.keyboard.press("Escape")
