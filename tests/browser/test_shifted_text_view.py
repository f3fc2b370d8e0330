"""The text above its targets, in a real browser: the bars are as high as core's losses, and colours say what is read."""

import pytest
from playwright.sync_api import expect

from core.lesson.story import make_document

MODULE = "pages.generation.next_character"
MEAN, FORGETTING = 6, 7


def data(number):
    return make_document("next_character", MODULE, number)["picture"]["data"]


def show(page, url, number):
    page.goto(f"{url}/next_character?beat=next_character.{number}")
    expect(page.locator(".shifted-text .box").first).to_be_visible()


def heights(page, mark):
    read = "(found) => found.map((each) => Number(each.getAttribute('height')))"
    return page.locator(mark).evaluate_all(read)


@pytest.mark.parametrize("number", [MEAN, FORGETTING])
def test_a_bar_is_as_high_as_its_loss_and_the_line_as_the_mean(page, url, number):
    shown = data(number)
    show(page, url, number)
    losses = [column["loss"] for column in shown["columns"]]
    drawn = heights(page, "rect.bar")
    scale = max(drawn) / max(losses)
    assert scale > 0
    assert drawn == pytest.approx([loss * scale for loss in losses], abs=0.02)
    base = float(page.locator(".axis").get_attribute("y1"))
    line = float(page.locator("line.mean").get_attribute("y1"))
    assert base - line == pytest.approx(shown["mean"]["at"] * scale, abs=0.02)


def test_the_outlines_are_the_losses_with_the_whole_context(page, url):
    shown = data(FORGETTING)
    show(page, url, FORGETTING)
    scale = max(heights(page, "rect.bar")) / max(column["loss"] for column in shown["columns"])
    assert scale > 0
    expected = [column["before"] * scale for column in shown["columns"]]
    assert heights(page, "rect.before") == pytest.approx(expected, abs=0.02)


def test_only_the_context_is_blue_and_only_the_target_is_orange(page, url):
    show(page, url, 2)
    context = page.locator(".cell.context .letter").all_text_contents()
    assert "".join(context) == "What␣is␣the␣"
    assert page.locator(".cell.target .letter").all_text_contents() == ["q"]
