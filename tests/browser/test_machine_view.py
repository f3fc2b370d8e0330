"""The view "machine" in Chromium: all fits, an arrow joins its two parts, and what is entered grows in its place."""

import pytest

from tests.browser.conftest import end_motion, misplaced, mount_view
from tests.lessons.lesson_page import picture

TEXTS = ".title, .note, .name, .value, .cells i"
ROOMS = pytest.mark.parametrize(("width", "height"), [(920, 560), (380, 330)])


@pytest.fixture
def roomy(page):
    """Return what mounts the view in a room to fill, as in a story."""

    def mounted(data, width=920, height=560):
        page.set_viewport_size({"width": width, "height": height + 20})
        mount_view(page, "machine", data)
        page.locator(".machine").evaluate(f"each => (each.style.height = '{height}px')")
        end_motion(page)
        return page

    return mounted


def box_of(page, mark):
    return page.locator(f"[data-mark='{mark}']").first.bounding_box()


@ROOMS
@pytest.mark.parametrize(
    ("beat", "revealed"),
    [(each, False) for each in ("whole", "embedding", "block", "tokens", "feed_forward", "output", "length")]
    + [("tokens", True), ("length", True)],
)
def test_every_text_is_inside_and_at_least_14_pixels(roomy, beat, revealed, width, height):
    page = roomy(picture("transformer_block", beat, revealed), width, height)
    screen = {"x": 0, "y": 0, "width": width + 20, "height": height + 20}
    assert misplaced(page, f"{TEXTS}, .wire text", screen) == []
    assert page.locator(TEXTS).count() > 3


@ROOMS
def test_an_arrow_begins_at_one_part_and_ends_at_the_other(roomy, width, height):
    data = picture("transformer_block", "whole")
    page = roomy(data, width, height)
    room = page.locator(".room").bounding_box()
    checked = 0
    for arrow in data["arrows"]:
        wire = page.locator(f"[data-mark='wire.{arrow['from']}.{arrow['to']}']")
        if arrow["kind"] != "plain" or not wire.count():
            continue
        tail = wire.locator(".shaft").get_attribute("d").split(" ")[1:3]
        tip = wire.locator(".head").get_attribute("d").split(" ")[1:3]
        for mark, (x, y) in ((arrow["from"], tail), (arrow["to"], tip)):
            part, at = box_of(page, mark), (float(x) + room["x"], float(y) + room["y"])
            slack = 15 if part["width"] < 30 else 2  # a plus and a dot are drawn around their point
            assert part["x"] - slack <= at[0] <= part["x"] + part["width"] + slack, mark
            assert part["y"] - slack <= at[1] <= part["y"] + part["height"] + slack, mark
        checked += 1
    assert checked >= 10


def test_a_heavier_weight_has_a_thicker_arrow(roomy):
    data = picture("transformer_block", "tokens", True)
    page = roomy(data)
    arrows = [each for each in data["arrows"] if each["from"].startswith("token.")]
    thick = {
        each["from"]: float(
            page.locator(f"[data-mark='wire.{each['from']}.{each['to']}'] .shaft")
            .evaluate("each => each.style.strokeWidth")
            .removesuffix("px")
        )
        for each in arrows
    }
    heaviest = max(arrows, key=lambda each: each["weight"])["from"]
    assert max(thick, key=thick.get) == heaviest == "token.9"


def test_the_block_that_is_entered_grows_and_the_others_go(roomy):
    page = roomy(picture("transformer_block", "whole"))
    before, other = box_of(page, "block.2"), page.locator("[data-mark='block.3']")
    assert other.count() == 1
    page.locator("[data-mark='block.2']").evaluate("each => (each.kept = true)")
    page.evaluate("show", picture("transformer_block", "block"))
    end_motion(page)
    after = box_of(page, "block.2")
    assert after["height"] > 4 * before["height"] and other.count() == 0
    assert page.locator("[data-mark='block.2']").evaluate("each => each.kept"), "it is the same element"


def test_bars_are_as_long_as_their_shares(roomy):
    data = picture("transformer_block", "whole")
    page = roomy(data)
    bars = next(each for each in data["nodes"] if each["key"] == "next")["bars"]
    widths = [page.locator(f"[data-mark='next.{i}'] .fill").bounding_box()["width"] for i in range(len(bars))]
    for bar, width in zip(bars, widths, strict=True):
        assert width / widths[0] == pytest.approx(bar["share"], abs=0.02)


@ROOMS
def test_a_cell_that_is_picked_is_framed_and_has_its_mark_and_no_other_has(roomy, width, height):
    page = roomy(picture("feed_forward", "many"), width, height)
    framed = page.locator(".grid i.picked")
    assert framed.count() == 1 and framed.get_attribute("data-mark") == "neurons.pick"
    assert page.locator(".grid i").nth(303).evaluate("each => each.classList.contains('picked')")
    assert page.locator(".grid i[data-mark]").count() == 1


@ROOMS
@pytest.mark.parametrize("beat", ["many", "key", "job", "value", "silent", "best", "whole", "mixed", "own"])
def test_what_a_neuron_does_is_drawn_inside_the_room(roomy, beat, width, height):
    page = roomy(picture("feed_forward", beat), width, height)
    room = page.locator(".room").bounding_box()
    assert misplaced(page, TEXTS, room) == []
    assert page.locator(TEXTS).count() > 3
