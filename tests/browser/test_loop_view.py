"""The story's ring of a loop: its boxes do not lie on each other, and arrows are as wide as their tokens are probable."""

import pytest
from playwright.sync_api import expect

from tests.lessons.lesson_page import picture

FIRST = "likely_text?beat=likely_text.4"
BOXES = """() => {
  const deep = (root) =>
    [...root.querySelectorAll("*")].flatMap((each) => [each, ...(each.shadowRoot ? deep(each.shadowRoot) : [])]);
  return deep(document).filter((each) => each.closest?.(".loop-ring") && each.matches(".pill, .exit, .middle, .enter"))
    .map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return { x, y, width, height };
    });
}"""


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
@pytest.mark.parametrize("beat", [1, 4, 5, 6, 8, 9])
def test_no_box_or_label_overlaps_another_one(page, url, size, beat):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{url}/likely_text?beat=likely_text.{beat}")
    page.locator(".loop-ring .step").first.wait_for()
    page.wait_for_timeout(300)
    boxes = page.evaluate(BOXES)
    assert len(boxes) > 5
    for i, one in enumerate(boxes):
        assert one["x"] >= 0 and one["x"] + one["width"] <= size[0] + 1
        for other in boxes[:i]:
            across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
            down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
            assert across <= 2 or down <= 8  # letters are lower than their line


def test_an_arrow_is_wider_for_a_more_probable_token(page, url):
    page.goto(f"{url}/{FIRST}")
    page.locator(".loop-ring .arrow").first.wait_for()
    wide = page.locator(".loop-ring .arrow").evaluate_all(
        "(all) => all.map((each) => parseFloat(each.style.strokeWidth))"
    )
    steps = picture("likely_text", "first")["rings"][0]["steps"]
    assert wide == pytest.approx([max(1, 10 * step["p"]) for step in steps], abs=0.05)


def test_a_word_lights_its_token(page, url):
    page.goto(f"{url}/{FIRST}")
    page.locator(".said [data-tie='step.0.3']").hover()
    expect(page.locator(".loop-ring .step.lit")).to_have_count(1)
