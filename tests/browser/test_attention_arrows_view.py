"""The views "attention_arrows" and "vector_rows" in Chromium: they draw each number as told and keep things in place."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import end_motion, mount_view
from tests.lessons.lesson_page import picture

BEATS = [
    ("before", False),
    ("where", False),
    ("letter", False),
    ("letter", True),
    ("next", False),
    ("answer", False),
]


@pytest.fixture
def roomy(page):
    """Return a page on which a view has a room to fill, as in a story."""
    page.set_viewport_size({"width": 920, "height": 620})

    def mounted(view, data):
        mount_view(page, view, data)
        page.locator(f".{view.replace('_', '-')}").evaluate("each => (each.style.height = '600px')")
        end_motion(page)
        return page

    return mounted


@pytest.mark.parametrize("beat, revealed", BEATS)
def test_every_arrow_ends_at_its_key_and_is_as_thick_as_its_weight(roomy, beat, revealed):
    data = picture("self_attention", beat, revealed)
    page = roomy("attention_arrows", data)
    boxes = {
        each: page.locator(f"[data-mark='{each}']").bounding_box()
        for s in range(16)
        for each in (f"key.{s}",)
    }
    thickness = {}
    for link in data["links"]:
        made = page.locator(f".link[data-mark='link.{link['from']}.{link['to']}']").first
        _, x, y, *_ = made.locator(".head").get_attribute("d").split()
        board, key = page.locator(".board").bounding_box(), boxes[f"key.{link['to']}"]
        assert board["x"] + float(x) == pytest.approx(key["x"] + key["width"] / 2, abs=2)
        assert board["y"] + float(y) == pytest.approx(key["y"] + key["height"], abs=5)
        thickness[link["weight"]] = float(
            made.locator(".shaft").evaluate("each => parseFloat(each.style.strokeWidth)")
        )
        assert ("open" in made.get_attribute("class").split()) == link["open"]
    if len(thickness) > 1:
        assert sorted(thickness, key=thickness.get) == sorted(thickness)


@pytest.mark.parametrize("beat", ["where", "what", "next", "answer"])
def test_bars_are_as_high_as_their_numbers_on_one_scale(roomy, beat):
    data = picture("self_attention", beat)
    page = roomy("attention_arrows", data)
    heights = [
        (bar["value"], page.locator(f"[data-mark='bar.{r}.{s}'] rect").bounding_box()["height"])
        for r, row in enumerate(data["rows"])
        for s, bar in enumerate(row["bars"])
        if abs(bar["value"]) > 0.1
    ]
    units = [height / abs(value) for value, height in heights]
    assert max(units) == pytest.approx(min(units), rel=0.05)
    for r, row in enumerate(data["rows"]):
        shown = [page.locator(f"[data-mark='bar.{r}.{s}'] text").text_content() for s in range(16)]
        assert all(text in (bar["text"], "") for text, bar in zip(shown, row["bars"], strict=True))
        tallest = max(range(16), key=lambda s: abs(row["bars"][s]["value"]) if row["bars"][s]["text"] else -1)
        assert shown[tallest] == row["bars"][tallest]["text"] != ""  # only a smaller neighbour's has no room


def test_tokens_stay_in_their_columns_from_beat_to_beat(roomy):
    page = roomy("attention_arrows", picture("self_attention", "before"))
    page.locator("[data-mark='key.6']").evaluate("each => (each.kept = true)")
    left = page.locator("[data-mark='key.6']").bounding_box()["x"]
    page.evaluate("show", picture("self_attention", "letter", True))
    end_motion(page)
    assert page.locator("[data-mark='key.6']").evaluate("each => each.kept")
    assert abs(page.locator("[data-mark='key.6']").bounding_box()["x"] - left) < 3


def test_a_press_or_enter_on_a_query_is_reported_where_it_can_be_chosen(roomy):
    page = roomy("attention_arrows", picture("self_attention", "own"))
    page.locator("[data-mark='query.3']").click()
    assert page.evaluate("returned.pick") == 3
    page.locator("[data-mark='query.5']").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("returned.pick") == 5
    page.evaluate("show", picture("self_attention", "next"))
    assert page.locator(".queries [tabindex]").count() == 0


@pytest.mark.parametrize("line", ["x", "Der König", "abcabcabcabcabcabcabcabc", "🦜", "مرحبا"])
@pytest.mark.parametrize("width", [390, 920])
def test_no_number_lies_on_another_or_outside_whatever_the_line(roomy, page, line, width):
    roomy("attention_arrows", picture("self_attention", "own", line=line, habit="same"))
    page.set_viewport_size({"width": width, "height": 620})
    end_motion(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    texts = [each.bounding_box() for each in page.locator(".bar text").all() if each.text_content()]
    assert texts
    for box in texts:
        assert box["x"] >= -1 and box["x"] + box["width"] <= width + 1
    texts.sort(key=lambda box: box["x"])
    for one, other in pairwise(texts):
        apart = abs(one["y"] - other["y"]) > one["height"] * 0.8
        assert apart or one["x"] + one["width"] <= other["x"] + 2
    sizes = page.locator(".board text").evaluate_all(
        "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"
    )
    assert min(sizes) >= 14


def test_a_vector_s_cells_are_coloured_by_sign_and_size(roomy):
    data = picture("self_attention", "average")
    page = roomy("vector_rows", data)
    drawn = page.locator(".row").evaluate_all(
        "all => all.map(row => [...row.querySelectorAll('i')].map(each => [each.dataset.value, each.style.backgroundColor]))"
    )
    for row, cells in zip(data["rows"], drawn, strict=True):
        assert [float(value) for value, _ in cells] == pytest.approx(row["cells"])
        for number, (_, colour) in zip(row["cells"], cells, strict=True):
            assert ("vermillion" in colour) == (number < 0)
    expect(page.locator(".row.total .name")).to_have_text("output")
