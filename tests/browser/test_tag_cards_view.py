"""The cards of a tagged sentence in Chromium: nothing is cut at either size, and what stays moves."""

import json
from pathlib import Path

import pytest

from tests.browser.conftest import end_motion, mount_view

EXAMPLE = json.loads(
    (Path(__file__).resolve().parents[2] / "assets/views/tag_cards/example.json").read_text(encoding="utf-8")
)
INSIDE = """() => {
  const root = [...document.querySelectorAll("*")].find((each) => each.shadowRoot).shadowRoot;
  return [...root.querySelectorAll(".word, .tag, .value, .title, .entry, .sum")].filter((each) => each.textContent)
    .map((each) => [each.textContent, each.getBoundingClientRect(), getComputedStyle(each).fontSize])
    .map(([text, { left, right, top, bottom }, size]) => [text, left, right, top, bottom, parseFloat(size)]);
}"""
pytestmark = pytest.mark.xdist_group("browser")


def mounted(page, width, height, data=EXAMPLE):
    page.set_viewport_size({"width": width, "height": height})
    mount_view(page, "tag_cards", data)
    page.evaluate(
        """() => { const host = [...document.querySelectorAll("*")].find((each) => each.shadowRoot);
        host.style.cssText = "display: block; height: 100vh"; document.body.style.margin = "0";
        host.shadowRoot.querySelector(".tag-cards").parentElement.style.height = "100%"; }"""
    )
    end_motion(page)


@pytest.mark.parametrize(("width", "height"), [(930, 560), (375, 400)])
def test_every_text_is_inside_and_at_least_14_pixels_high(page, width, height):
    mounted(page, width, height)
    found = page.evaluate(INSIDE)
    assert {text for text, *_ in found} >= {"They", "back", "VERB", "ADV", "0.712"}
    for text, left, right, top, bottom, size in found:
        assert left >= -1 and right <= width + 1 and top >= -1 and bottom <= height + 1, text
        assert size >= 14, text


def test_a_struck_out_tag_is_below_the_card_s_own(page):
    mounted(page, 930, 560)
    card = page.locator('[data-mark="word.3"]')
    assert card.locator(".tag").inner_text() == "VERB" and card.locator(".struck").inner_text() == "ADV"
    tag, struck = (card.locator(each).bounding_box() for each in (".tag", ".struck"))
    assert struck["y"] > tag["y"]
    assert "line-through" in card.locator(".struck").evaluate("each => getComputedStyle(each).textDecoration")


def test_a_bar_is_as_long_as_its_share(page):
    mounted(page, 930, 560)
    for panel in EXAMPLE["panels"]:
        longest = next(row for row in panel["rows"] if row["share"] == 1)
        for row in panel["rows"]:
            one, all_of_it = (
                page.locator(f'[data-mark="{each["mark"]}"] .bar').bounding_box()["width"]
                for each in (row, longest)
            )
            assert one == pytest.approx(max(3, row["share"] * all_of_it), abs=1)


def test_words_that_look_like_mark_up_are_words(page):
    cards = [{**EXAMPLE["cards"][0], "word": "<img src=x onerror=alert(1)>"}]
    mounted(page, 930, 560, {**EXAMPLE, "cards": cards})
    assert page.locator(".tag-cards img").count() == 0
    assert page.locator(".card .word").inner_text() == "<img src=x onerror=alert(1)>"
