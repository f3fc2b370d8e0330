"""The view "word_plane" in Chromium, with the pictures of word embeddings: places, lines, labels, and motion."""

import numpy as np
import pytest

from tests.browser.conftest import end_motion, mount_view
from tests.lessons.lesson_page import picture

BEATS = ["map", "lost", "turn", "lookup", "answer"]
SIZES = [(900, 560), (390, 420)]


@pytest.fixture
def roomy(page):
    """Return a function that draws a picture in a room of a size, and waits until it rests."""

    def mounted(data, size):
        page.set_viewport_size({"width": size[0], "height": size[1] + 40})
        mount_view(page, "word_plane", data)
        page.locator(".word-plane").evaluate("(each, high) => (each.style.height = `${high}px`)", size[1])
        end_motion(page)
        return page

    return mounted


def middle(box):
    return np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


def places_of(page, panel):
    """Return where the points are drawn, (n, 2), in the data's order."""
    found = [
        page.locator(f".point[data-mark='point.{each['key']}']").bounding_box() for each in panel["points"]
    ]
    return np.array([middle(box) for box in found])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("beat", BEATS)
def test_every_word_is_at_its_place_on_one_scale_and_has_its_label_inside(roomy, beat, size):
    data = picture("word_map", beat)
    panel = data["panels"][0]
    page = roomy(data, size)
    seen = places_of(page, panel)
    told = np.array([(each["x"], -each["y"]) for each in panel["points"]])
    scale = np.ptp(seen[:, 0]) / np.ptp(told[:, 0])
    moved = seen - told * scale
    np.testing.assert_allclose(moved, np.broadcast_to(moved.mean(axis=0), moved.shape), atol=2)
    board = page.locator(".board").bounding_box()
    labels = page.locator(".label").all()
    assert [label.text_content() for label in labels] == [each["text"] for each in panel["points"]]
    for label in labels:
        box = label.bounding_box()
        assert box["x"] >= board["x"] - 2 and box["x"] + box["width"] <= board["x"] + board["width"] + 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("beat", ["map", "lost", "answer"])
def test_no_label_hides_another(roomy, beat, size):
    page = roomy(picture("word_map", beat), size)
    boxes = [each.bounding_box() for each in page.locator(".label").all()]
    middles = np.array([[*middle(box), box["width"] / 2, box["height"] / 3] for box in boxes])
    for i, one in enumerate(middles):
        for other in middles[:i]:
            apart = np.abs(one[:2] - other[:2])
            assert (apart >= one[2:] + other[2:] - 3).any()


@pytest.mark.parametrize("beat", ["lost", "lookup", "answer"])
def test_a_line_ends_at_its_words_and_is_dashed_where_it_is_a_link(roomy, beat):
    data = picture("word_map", beat)
    page = roomy(data, SIZES[0])
    for arrow in data["panels"][0]["arrows"]:
        shaft = page.locator(f".arrow[data-mark='arrow.{arrow['key']}'] .shaft")
        ends = [float(each) for each in shaft.get_attribute("d").replace("M", "").replace("L", " ").split()]
        board = page.locator(".board").bounding_box()
        for word, end in zip(arrow["key"].split("."), (ends[:2], ends[2:]), strict=True):
            point = middle(page.locator(f".point[data-mark='point.{word}']").bounding_box())
            np.testing.assert_allclose(point - (board["x"], board["y"]), end, atol=2)
        dashed = shaft.evaluate("each => getComputedStyle(each).strokeDasharray") != "none"
        assert dashed == (arrow["kind"] == "link")


def test_a_word_moves_to_its_next_place_and_stays_the_same_element(roomy):
    page = roomy(picture("word_map", "turn"), SIZES[0])
    point = page.locator(".point[data-mark='point.apple']").element_handle()
    before = point.bounding_box()
    page.evaluate("data => window.show(data)", picture("word_map", "turn", angle=90))
    end_motion(page)
    assert point.evaluate("each => each.isConnected")
    assert abs(point.bounding_box()["x"] - before["x"]) > 50


@pytest.mark.parametrize("kind", ["star", "arrow"])
def test_a_star_marks_a_place_and_an_arrow_has_a_head(roomy, kind):
    data = picture("word_map", "lost")
    panel = data["panels"][0]
    panel["points"][0]["kind"] = "star"
    panel["arrows"] = [{**panel["arrows"][0], "kind": kind if kind == "arrow" else "line"}]
    page = roomy(data, SIZES[0])
    drawn = page.locator(".point[data-mark='point.apple']")
    assert drawn.evaluate("each => each.tagName") == "path" and drawn.bounding_box()["width"] > 10
    head = page.locator(".arrow .head").first.bounding_box()
    assert (head["width"] > 4) == (kind == "arrow")
