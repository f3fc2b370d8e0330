"""The loss curve with its samples, in a real browser: the marker and the lines are where core's numbers are."""

import pytest
from playwright.sync_api import expect

from core.lesson.story import make_document
from tests.browser.conftest import end_motion

MODULE = "pages.generation.character_training"
NOISE, LAST, LEVELS, ANSWER = 1, 5, 6, 9


def data(number):
    return make_document("character_training", MODULE, number)["picture"]["data"]


def show(page, url, number):
    page.goto(f"{url}/character_training?beat=character_training.{number}")
    expect(page.locator(".learning-curve .axis")).to_be_visible()
    end_motion(page)


def height_of(page, shown):
    """Return the function bits -> y, read off the grid's two outer lines."""
    lines = page.locator(".learning-curve .grid").evaluate_all(
        "(found) => found.map((each) => Number(each.getAttribute('y1')))"
    )
    ticks = [tick["at"] for tick in shown["ticks"]["bits"]]
    slope = (lines[-1] - lines[0]) / (ticks[-1] - ticks[0])
    assert slope < 0
    return lambda bits: lines[0] + slope * (bits - ticks[0])


@pytest.mark.parametrize("number", [NOISE, LAST])
def test_the_marker_is_at_its_loss_and_the_sample_is_core_s(page, url, number):
    shown = data(number)
    show(page, url, number)
    bits = next(each["bits"] for each in shown["curve"] if each["step"] == shown["at"])
    moved = page.locator(".marker").evaluate("(each) => new DOMMatrix(getComputedStyle(each).transform).f")
    assert moved == pytest.approx(height_of(page, shown)(bits), abs=0.1)
    text = "".join(piece["text"] for piece in shown["panels"][0]["pieces"])
    expect(page.locator(".panel .text")).to_have_text(text, use_inner_text=False)
    known = [piece["text"] for piece in shown["panels"][0]["pieces"] if piece["known"]]
    assert page.locator(".panel .known").all_text_contents() == known


def test_each_line_is_at_its_n_gram_s_loss_and_each_circle_on_the_curve(page, url):
    shown = data(LEVELS)
    show(page, url, LEVELS)
    y = height_of(page, shown)
    read = "(found, name) => found.map((each) => Number(each.getAttribute(name)))"
    lines = page.locator("line.level").evaluate_all(read, "y1")
    assert lines == pytest.approx([y(level["bits"]) for level in shown["levels"]], abs=0.1)
    circles = page.locator(".crossing").evaluate_all(read, "cy")
    assert circles == pytest.approx([y(each["bits"]) for each in shown["crossings"]], abs=0.1)


def test_the_end_has_its_rows_in_the_order_of_the_training(page, url):
    show(page, url, ANSWER)
    titles = [panel["title"] for panel in data(ANSWER)["panels"]]
    assert page.locator(".panel .title").all_text_contents() == titles
