"""The view "staircase" in Chromium: each cell is drawn as it was sent, bars have their lengths, and all of it fits."""

import pytest

from tests.browser.conftest import end_motion, mount_view
from tests.lessons.lesson_page import picture

BEATS = ["count", "shift", "alone", "loss", "mean", "cost", "peek", "bug", "own", "answer"]


@pytest.fixture
def roomy(page):
    """Return what mounts the view in a room to fill, as in a story."""

    def mounted(data, width=920, height=600):
        page.set_viewport_size({"width": width, "height": height + 20})
        mount_view(page, "staircase", data)
        page.locator(".staircase").evaluate(f"each => (each.style.height = '{height}px')")
        end_motion(page)
        return page

    return mounted


@pytest.mark.parametrize("beat", BEATS)
def test_every_cell_has_the_text_and_the_kind_that_it_was_sent(roomy, beat):
    data = picture("parallel_training", beat)
    page = roomy(data)
    for r, row in enumerate(data["rows"]):
        assert page.locator(f"[data-mark='row.{r}']").text_content() == row["name"]
        for c, cell in enumerate(row["cells"]):
            made = page.locator(f"[data-mark='cell.{r}.{c}']")
            assert made.text_content() == cell["text"]
            assert cell["kind"] in made.get_attribute("class").split()
        for i, side in enumerate(data["sides"]):
            assert page.locator(f"[data-mark='side.{i}.{r}'] .value").text_content() == side["texts"][r]
    assert page.locator(".link").count() == len(data["links"])


def test_bars_are_as_long_as_their_shares_and_the_mean_crosses_them_all(roomy):
    data = picture("parallel_training", "mean")
    page = roomy(data)
    side = data["sides"][0]
    track = page.locator("[data-mark='side.0.0'] .track").bounding_box()
    for r, share in enumerate(side["bars"]):
        bar = page.locator(f"[data-mark='side.0.{r}'] .fill").bounding_box()
        assert bar["width"] == pytest.approx(max(2, share * track["width"]), abs=1.5)
        mark = page.locator(f"[data-mark='side.0.{r}'] .mark").bounding_box()
        assert mark["x"] - track["x"] == pytest.approx(side["mark"] * track["width"], abs=2)


def test_an_arrow_leads_from_a_token_to_the_same_token_one_place_to_the_left(roomy):
    page = roomy(picture("parallel_training", "shift"))
    script = "(link) => [link.getPointAtLength(0), link.getPointAtLength(link.getTotalLength())].map(({ x, y }) => [x, y])"
    start, end = page.locator(".link").nth(2).evaluate(script)
    grid = page.locator(".grid").bounding_box()
    for (x, y), mark in ((start, "cell.0.3"), (end, "cell.1.2")):
        box = page.locator(f"[data-mark='{mark}']").bounding_box()
        assert x + grid["x"] == pytest.approx(box["x"] + box["width"] / 2, abs=3)
        assert box["y"] - 8 <= y + grid["y"] <= box["y"] + box["height"] + 8


def test_from_beat_to_beat_the_same_cells_stay(roomy):
    page = roomy(picture("parallel_training", "alone"))
    page.locator("[data-mark='cell.3.2']").evaluate("each => (each.kept = true)")
    page.evaluate("show", picture("parallel_training", "loss"))
    assert page.locator("[data-mark='cell.3.2']").evaluate("each => each.kept")
    page.evaluate("show", picture("parallel_training", "shift"))
    assert page.locator(".cell").count() == 20
    page.evaluate("leave()")
    assert page.locator(".cell").count() == 0


@pytest.mark.parametrize("beat", BEATS)
@pytest.mark.parametrize(("width", "height"), [(374, 420), (920, 600)])
def test_everything_fits_and_can_be_read(roomy, beat, width, height):
    fits(roomy(picture("parallel_training", beat), width, height), width, height)


@pytest.mark.parametrize(
    "sentence", ["x", "Der alte König", "🦜🦜🦜", "مرحبا", "internationalization of everything"]
)
@pytest.mark.parametrize(("width", "height"), [(374, 420), (920, 600)])
def test_any_sentence_fits(roomy, sentence, width, height):
    fits(roomy(picture("parallel_training", "own", sentence=sentence), width, height), width, height)


def fits(page, width, height):
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    script = """all => all.filter(each => each.textContent.trim()).map(each => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      const cut = each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0;
      return [parseFloat(getComputedStyle(each).fontSize), left, innerWidth - right, top, bottom, cut, each.textContent];
    })"""
    above = page.locator(".board").bounding_box()["y"]
    tops = page.locator(".title").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    assert all(top >= above - 1 for top in tops), "a title is cut"
    found = page.locator(".cell .text, .value, .title, .name, .sum, .entry").evaluate_all(script)
    for size, left, right, top, bottom, cut, text in found:
        assert size >= 14 and not cut, text
        assert min(left, right) >= -1 and top >= -1 and bottom <= height + 9, text
