"""The view "word_line" in Chromium: dots are where the numbers say, names stay in the room, words are kept."""

import numpy as np
import pytest

from tests.browser.conftest import end_motion, misplaced, mount_view
from tests.lessons.lesson_page import picture

BEATS = ("line", "secretary", "spread", "furthest", "other", "opposites", "own", "answer")


@pytest.fixture
def roomy(page):
    """Return what mounts the view in a room to fill, as in a story."""

    def mounted(data, width=920, height=600):
        page.set_viewport_size({"width": width, "height": height + 20})
        mount_view(page, "word_line", data)
        page.locator(".word-line").evaluate(f"each => (each.style.height = '{height}px')")
        end_motion(page)
        return page

    return mounted


def middles(page, selector):
    """Return the middle of each mark of a kind, by the word that it belongs to."""
    found = page.locator(selector).evaluate_all(
        """marks => marks.map(mark => {
          const { x, width } = mark.getBoundingClientRect();
          return [mark.closest('[data-mark]').dataset.mark, x + width / 2];
        })"""
    )
    return dict(found)


def assert_on_scale(places, numbers):
    """See that places in pixels are a straight line of the numbers, with more to the right."""
    names = list(numbers)
    x, y = (np.array([each[name] for name in names]) for each in (numbers, places))
    slope, start = np.polyfit(x, y, 1)
    assert slope > 0
    np.testing.assert_allclose(y, slope * x + start, atol=1)


@pytest.mark.parametrize("width, height", [(920, 600), (390, 400)])
@pytest.mark.parametrize("beat", BEATS)
def test_dots_are_on_one_scale_and_every_text_is_in_the_room(roomy, beat, width, height):
    data = picture("word_axis", beat)
    page = roomy(data, width, height)
    numbers = {row["mark"]: row["at"] for row in data["rows"] if row["at"] is not None}
    assert_on_scale(middles(page, ".word .dot"), numbers)
    if any(row["before"] is not None for row in data["rows"]):
        assert_on_scale(middles(page, ".word .ring"), {row["mark"]: row["before"] for row in data["rows"]})
    assert misplaced(page, "svg text", page.locator(".word-line .room").bounding_box()) == []
    assert page.locator("svg text").count() > 3


def test_arrows_of_the_half_circle_drop_to_their_numbers(roomy):
    data = picture("word_axis", "shadow")
    page = roomy(data)
    best = {row["mark"]: row["at"] for row in data["rows"] if row["kind"] == "best"}
    tips = middles(page, ".word .dot")
    assert_on_scale(tips, {row["mark"]: row["at"] for row in data["rows"]})
    feet = middles(page, ".front .dot")
    assert feet == pytest.approx({mark: tips[mark] for mark in best}, abs=1)


def test_a_word_that_stays_is_the_same_mark_in_the_next_picture(roomy):
    page = roomy(picture("word_axis", "line"))
    page.evaluate("""() => { const root = document.querySelector('div').shadowRoot;
        root.querySelector("[data-mark='word.nurse']").known = true; }""")
    page.evaluate("show", picture("word_axis", "shadow"))
    assert page.evaluate(
        """() => document.querySelector('div').shadowRoot.querySelector("g[data-mark='word.nurse']").known"""
    )
    assert page.locator("g[data-mark='word.boss']").count() == 0
