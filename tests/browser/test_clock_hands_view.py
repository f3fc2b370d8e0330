"""The view "clock_hands" in Chromium: hands point where they are told, turn the short way, and fit their room."""

import math

import pytest

from tests.browser.conftest import end_motion, mount_view
from tests.lessons.lesson_page import picture

BEATS = ["added", "numbers", "turn", "distance", "enough", "rotary", "answer"]


@pytest.fixture
def roomy(page):
    """Return what mounts the view in a room to fill, as in a story."""

    def mounted(data, width=920, height=600):
        page.set_viewport_size({"width": width, "height": height + 20})
        mount_view(page, "clock_hands", data)
        page.locator(".clock-hands").evaluate(f"each => (each.style.height = '{height}px')")
        end_motion(page)
        return page

    return mounted


def tips(page, mark):
    """Return the direction of each hand of a dial as it is drawn, in radians clockwise from straight up."""
    script = """hands => hands.map(hand => {
      const { a, b, c, d } = hand.getScreenCTM();
      return Math.atan2(-c, d);
    })"""
    return page.locator(f"[data-mark='{mark}'] .hand").evaluate_all(script)


def same_turn(one, other):
    return math.cos(one - other) > 0.999


@pytest.mark.parametrize("beat", BEATS)
def test_every_hand_points_where_it_was_sent_and_every_text_is_there(roomy, beat):
    data = picture("positions", beat)
    page = roomy(data)
    for r, line in enumerate(data["dials"]):
        for c, dial in enumerate(line):
            drawn = tips(page, f"dial.{r}.{c}")
            assert len(drawn) == len(dial["hands"])
            assert all(same_turn(one, hand["turn"]) for one, hand in zip(drawn, dial["hands"], strict=True))
            texts = page.locator(f"[data-mark='dial.{r}.{c}'] .texts span").all_text_contents()
            assert texts == [each["text"] for each in dial["texts"]]
            bow = page.locator(f"[data-mark='dial.{r}.{c}'] .arc").get_attribute("d")
            assert bool(bow) == (dial["arc"] is not None)


def test_bars_are_as_long_as_their_numbers_and_begin_at_zero(roomy):
    data = picture("positions", "enough", other=20)
    page = roomy(data)
    boxes = [page.locator(f"[data-mark='bar.{c}'] .fill").bounding_box() for c in range(4)]
    values = [bar["value"] for bar in data["bars"]["values"]]
    unit = boxes[3]["height"] / values[3]
    for box, value in zip(boxes, values, strict=True):
        assert box["height"] == pytest.approx(abs(value) * unit, abs=1.5)
    assert boxes[0]["y"] == pytest.approx(boxes[3]["y"] + boxes[3]["height"], abs=1.5)  # below zero


def test_a_hand_stays_and_turns_the_short_way(roomy):
    data = picture("positions", "enough", other=10)
    page = roomy(data)
    page.locator("[data-mark='dial.0.0'] .hand").nth(1).evaluate("hand => (hand.kept = hand.turn)")
    page.evaluate("show", picture("positions", "enough", other=54))
    turned = page.locator("[data-mark='dial.0.0'] .hand").nth(1).evaluate("hand => hand.turn - hand.kept")
    assert abs(turned) == pytest.approx(
        44 - 14 * math.pi, abs=1e-3
    )  # 44 radians are seven turns and a little
    page.evaluate("leave()")
    assert page.locator(".dial").count() == 0


@pytest.mark.parametrize("beat", BEATS)
@pytest.mark.parametrize(("width", "height"), [(374, 430), (920, 600)])
def test_everything_fits_and_can_be_read(roomy, beat, width, height):
    page = roomy(picture("positions", beat, beat == "distance"), width, height)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    script = """all => all.filter(each => each.textContent.trim()).map(each => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return [parseFloat(getComputedStyle(each).fontSize), left, innerWidth - right, top, bottom, each.textContent];
    })"""
    for size, left, right, top, bottom, text in page.locator(
        "b, .head span, .name span, .texts span, .value, .sum"
    ).evaluate_all(script):
        assert size >= 14, text
        assert min(left, right) >= -1 and top >= -1 and bottom <= height + 9, text
    dials = page.locator(".face").evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")
    assert min(dials) > 24 and max(dials) - min(dials) < 1
