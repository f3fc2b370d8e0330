"""The story's tree of texts: it grows to the right, on a phone downwards, and no two boxes lie on each other."""

import pytest
from playwright.sync_api import expect

from tests.lessons.lesson_page import picture

FORKED = "generation_tree?beat=generation_tree.6"
BOXES = """() => {
  const deep = (root) =>
    [...root.querySelectorAll("*")].flatMap((each) => [each, ...(each.shadowRoot ? deep(each.shadowRoot) : [])]);
  return deep(document).filter((each) => each.classList?.contains("box") && each.closest(".text-tree")).map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return { x, y, width, height };
  });
}"""


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
@pytest.mark.parametrize(
    "beat, name", [(1, "paths"), (2, "fork"), (3, "product"), (5, "same"), (6, "likelier"), (9, "answer")]
)
def test_every_node_has_a_box_and_no_two_boxes_overlap(page, url, size, beat, name):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{url}/generation_tree?beat=generation_tree.{beat}")
    page.locator(".text-tree .node").first.wait_for()
    page.wait_for_timeout(300)
    boxes = page.evaluate(BOXES)
    assert len(boxes) == len(picture("generation_tree", name)["nodes"])
    for i, one in enumerate(boxes):
        assert one["x"] >= 0 and one["x"] + one["width"] <= size[0]
        for other in boxes[:i]:
            across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
            down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
            assert across <= 1 or down <= 1


def test_a_box_shows_its_token_and_its_probability_as_core_formatted_them(page, url):
    page.goto(f"{url}/{FORKED}")
    page.locator(".text-tree .node").first.wait_for()
    nodes = picture("generation_tree", "likelier")["nodes"]
    assert page.locator(".text-tree .token").all_text_contents() == [node["token"] for node in nodes]
    assert page.locator(".text-tree .number").all_text_contents() == [node["number"] for node in nodes]


def test_a_line_is_thicker_for_a_more_probable_token(page, url):
    page.goto(f"{url}/{FORKED}")
    page.locator(".text-tree .edge").first.wait_for()
    wide = page.locator(".text-tree .edge").evaluate_all(
        "(all) => all.map((each) => parseFloat(each.style.strokeWidth))"
    )
    p = [node["p"] for node in picture("generation_tree", "likelier")["nodes"] if node["parent"]]
    assert wide == pytest.approx([1.5 + 22 * each for each in p], abs=0.06)


def test_a_word_lights_its_branch_and_a_fork_that_moves_draws_another_tree(page, url):
    page.goto(f"{url}/{FORKED}")
    page.locator(".said [data-tie='rank_3']").hover()
    expect(page.locator(".text-tree .node.lit")).to_have_count(6)
    page.goto(f"{url}/generation_tree?beat=generation_tree.8&generation_tree_place=3")
    expect(page.locator(".text-tree .node.forced")).to_have_count(3)
    expect(page.locator(".text-tree .node")).to_have_count(1 + 2 + 4 * 4)
