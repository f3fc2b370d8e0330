"""The view "two_orders" in Chromium: lines join each token to itself, bars are as long as their numbers, all fits."""

import pytest

from tests.browser.conftest import end_motion, misplaced, mount_view
from tests.lessons.lesson_page import picture


@pytest.fixture
def roomy(page):
    """Return what mounts the view in a room to fill, as in a story."""

    def mounted(data, width=920, height=600):
        page.set_viewport_size({"width": width, "height": height + 20})
        mount_view(page, "two_orders", data)
        page.locator(".two-orders").evaluate(f"each => (each.style.height = '{height}px')")
        end_motion(page)
        return page

    return mounted


def box_of(page, mark, part=""):
    return page.locator(f"[data-mark='{mark}'] {part}".strip()).first.bounding_box()


def middle(box):
    return box["x"] + box["width"] / 2


@pytest.mark.parametrize(("width", "height"), [(920, 600), (380, 330)])
@pytest.mark.parametrize("beat", ["notices", "without", "weights", "any", "own", "mask", "answer"])
def test_every_text_is_inside_and_at_least_14_pixels(roomy, beat, width, height):
    page = roomy(picture("word_order", beat), width, height)
    assert misplaced(page, "svg text", {"x": 0, "y": 0, "width": width + 20, "height": height + 20}) == []
    assert page.locator("svg text").count() > 3


def test_a_token_stands_at_its_place_in_both_orders_and_bars_are_as_long_as_their_numbers(roomy):
    data = picture("word_order", "notices")
    page = roomy(data)
    above, below = ([token["id"] for token in line["tokens"]] for line in data["lines"])
    for k, ids in enumerate((above, below)):
        places = [middle(box_of(page, f"token.{k}.{each}")) for each in ids]
        assert places == sorted(places)
    values = [bar["value"] for bar in data["lines"][0]["bars"]["values"]]
    heights = [box_of(page, f"bar.0.{each}", "rect")["height"] for each in above]
    longest = max(range(6), key=values.__getitem__)
    for value, height in zip(values, heights, strict=True):
        assert height / heights[longest] == pytest.approx(value / values[longest], abs=0.02)
