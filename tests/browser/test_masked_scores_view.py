"""The view "masked_scores" in Chromium: it draws each cell as it is told, keeps cells in place, and reports a press."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import end_motion, mount_view
from tests.lessons.lesson_page import picture


@pytest.fixture
def roomy(page):
    """Return a page on which the view has a room to fill, as in a story."""
    page.set_viewport_size({"width": 920, "height": 620})

    def mounted(data):
        mount_view(page, "masked_scores", data)
        page.locator(".masked-scores").evaluate("each => (each.style.height = '600px')")
        return page

    return mounted


def cells(page):
    script = "all => all.map(each => [each.dataset.mark, each.className, each.textContent])"
    return page.locator(".cell").evaluate_all(script)


@pytest.mark.parametrize("beat", ["answers", "scores", "infinity", "softmax", "late", "raise", "answer"])
def test_every_cell_has_the_text_and_the_kind_that_it_was_sent(roomy, beat):
    data = picture("causal_mask", beat)
    drawn = cells(roomy(data))
    wanted = [(t, s, cell) for t, row in enumerate(data["cells"]) for s, cell in enumerate(row)]
    for (mark, classes, text), (t, s, cell) in zip(drawn, wanted, strict=True):
        assert mark == f"{'future' if s > t else 'past'}.{t}.{s}"
        assert text == cell["text"] and cell["kind"] in classes.split()
        assert ("framed" in classes) == cell["framed"]


def test_minus_infinity_is_written_in_every_cell_of_the_future(roomy):
    page = roomy(picture("causal_mask", "infinity"))
    assert page.locator(".cell.struck").all_text_contents() == ["−∞"] * 15


def test_a_power_is_raised(roomy):
    page = roomy(picture("causal_mask", "softmax"))
    expect(page.locator(".sum")).to_have_text("e−∞ = 0")
    expect(page.locator(".sum sup")).to_have_text("−∞")


def test_from_beat_to_beat_the_same_cells_stay_at_their_places(roomy):
    page = roomy(picture("causal_mask", "scores"))
    page.locator(".cell").first.evaluate("each => (each.kept = true)")
    left = page.locator(".cell").nth(20).bounding_box()["x"]
    page.evaluate("show", picture("causal_mask", "infinity"))
    page.evaluate("show", picture("causal_mask", "softmax"))
    assert page.locator(".cell").first.evaluate("each => each.kept")
    end_motion(page)
    assert abs(page.locator(".cell").nth(20).bounding_box()["x"] - left) < 2
    page.evaluate("leave()")
    assert page.locator(".cell").count() == 0


def test_a_press_or_enter_on_a_cell_is_reported_where_cells_can_be_chosen(roomy):
    page = roomy(picture("causal_mask", "raise"))
    page.locator("[data-mark='future.2.4']").click()
    assert page.evaluate("returned.pick") == [2, 4]
    page.locator("[data-mark='past.3.1']").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("returned.pick") == [3, 1]
    assert page.locator("[data-mark='past.3.1']").get_attribute("aria-label") == "loved → old: 0.12"


def test_a_press_is_not_reported_elsewhere(roomy):
    page = roomy(picture("causal_mask", "softmax"))
    page.locator(".cell").nth(3).click()
    assert page.evaluate("returned") == {}
    assert page.locator(".cell[tabindex]").count() == 0


@pytest.mark.parametrize(
    "sentence", ["x", "Der König", "🦜🦜🦜", "مرحبا", "internationalization of everything"]
)
@pytest.mark.parametrize("width", [390, 920])
def test_no_number_is_cut_whatever_the_sentence(roomy, page, sentence, width):
    mounted = roomy(picture("causal_mask", "masks", sentence=sentence, mask="causal"))
    page.set_viewport_size({"width": width, "height": 620})
    end_motion(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.textContent)"
    assert mounted.locator(".cell").evaluate_all(cut) == []
    sizes = mounted.locator(".cell .text").evaluate_all(
        "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"
    )
    assert min(sizes) >= 14
