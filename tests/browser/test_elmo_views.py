"""The views "two_streams" and "layer_bars" by themselves in Chromium: what stands where, and that it fits."""

import re

import pytest

from core.lesson.story import story_of
from tests.browser.conftest import mount_view
from tests.lessons.lesson_page import document, picture

SIZES = pytest.mark.parametrize("size", [(920, 580), (390, 420)], ids=["desk", "phone"])
ROOM = "height => { document.querySelector('body > div').shadowRoot.lastChild.style.height = height; }"
HUNG = """() => {
  const view = document.querySelector("body > div").shadowRoot.lastChild.firstChild;
  const room = view.getBoundingClientRect();
  const parts = [...view.querySelectorAll("text, .box rect, .name, .note, .value, .bar, .title")];
  const hangs = ({ left, right, top, bottom }) =>
    left < room.left - 1 || right > room.right + 1 || top < room.top - 1 || bottom > room.bottom + 1;
  return parts.filter((part) => hangs(part.getBoundingClientRect()))
    .map((part) => `${part.textContent} ${JSON.stringify(part.getBoundingClientRect())}`);
}"""


def mounted(page, view, data, size):
    """Show a view in a room of a size, as the story's player does."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")
    mount_view(page, view, data)
    page.add_style_tag(content="body { margin: 0 }")
    page.evaluate(ROOM, f"{size[1]}px")
    page.wait_for_timeout(150)


def centre(page, mark):
    box = page.locator(f'[data-mark="{mark}"] rect').first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@SIZES
def test_forward_vectors_rise_above_the_words_and_backward_ones_go_down(page, size):
    mounted(page, "two_streams", picture("elmo", "machine"), size)
    _, word = centre(page, "column.1.word.0")
    heights = [centre(page, f"column.1.{mark}")[1] for mark in ("ahead.2", "ahead.1", "back.1", "back.2")]
    assert heights == sorted(heights) and heights[1] < word < heights[2]
    assert page.locator(".box.own").count() == 5
    read = {each.get_attribute("data-mark") for each in page.locator(".box.read").all()}
    ahead = {f"column.{t}.ahead.{layer}" for t in (0, 1) for layer in (1, 2)}
    back = {f"column.{t}.back.{layer}" for t in (1, 2, 3, 4, 5) for layer in (1, 2)}
    assert read == ahead | back | {"column.1.word.0"}
    assert page.evaluate(HUNG) == []


def test_no_arrow_leads_from_one_direction_to_the_other(page):
    mounted(page, "two_streams", picture("elmo", "machine"), (920, 580))
    _, middle = centre(page, "column.1.word.0")
    for side, above in (("ahead", True), ("back", False)):
        for arrow in page.locator(f".arrow.{side}").all():
            ends = [float(arrow.get_attribute(name)) for name in ("y1", "y2")]
            assert all((y < middle) == above for y in ends)


@SIZES
def test_both_halves_of_a_layer_are_joined_and_hold_the_tag(page, size):
    data = picture("elmo", "two_tags")
    mounted(page, "two_streams", data, size)
    for layer in (1, 2):
        left, right = (centre(page, f"column.1.{side}.{layer}") for side in ("ahead", "back"))
        tag = centre(page, f"tag.{layer}.1")
        assert left[1] == pytest.approx(right[1]) and left[0] < tag[0] < right[0]
    told = page.locator(".tag .name").all_text_contents()
    assert told == [tag["text"] for row in data["tags"] for tag in row]
    assert page.locator(".arrow").count() == 0 and page.evaluate(HUNG) == []


@SIZES
def test_ten_long_words_fit(page, size):
    data = picture("elmo", "own", typed="considerate " * 9 + "<b>")
    mounted(page, "two_streams", data, size)
    assert page.locator(".names .word").count() == 10 and page.evaluate(HUNG) == []


@SIZES
@pytest.mark.parametrize("beat", ["best", "sum", "graded", "directions", "decided", "others", "answer"])
def test_bars_are_as_long_as_their_numbers_and_fit(page, beat, size):
    data = picture("elmo", beat)
    mounted(page, "layer_bars", data, size)
    for panel, made in zip(data["panels"], page.locator(".panel").all(), strict=True):
        scale = made.locator(".scale").first.bounding_box()["width"] / (panel["most"] - panel["least"])
        for row, bar in zip(panel["rows"], made.locator(".bar").all(), strict=True):
            length = max(3, abs(row["to"] - row["from"]) * scale)
            assert bar.bounding_box()["width"] == pytest.approx(length, abs=1)
        assert made.locator(".value").all_text_contents() == [row["text"] for row in panel["rows"]]
    assert page.evaluate(HUNG) == []


@pytest.mark.parametrize("beat", [each.name for each in story_of("pages.pretraining.elmo")])
def test_every_word_that_is_tied_has_its_mark_in_the_picture(page, beat):
    for revealed in (False, True):
        shown = document("elmo", beat, revealed) if beat == "best" or not revealed else None
        if shown is None:
            continue
        mounted(page, shown["picture"]["view"], shown["picture"]["data"], (920, 580))
        marks = page.locator("[data-mark]").evaluate_all("all => all.map((each) => each.dataset.mark)")
        for tie in re.findall(r'data-tie="([^"]+)"', shown["words"]):
            assert any(mark == tie or mark.startswith(f"{tie}.") for mark in marks), tie
