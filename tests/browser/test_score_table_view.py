"""The table to fill in, in a real browser: it reports what is typed, and keeps the field while it is marked."""

import pytest
from playwright.sync_api import expect

from core.lesson.story import make_document
from tests.browser.conftest import end_motion, mount_view

MODULE = "pages.hidden_markov_models.viterbi_by_hand"


def data(number, **typed):
    found = make_document("viterbi_by_hand", MODULE, number, False, typed)["picture"]["data"]
    return {**found, "bare": True}


@pytest.fixture
def mounted(page):
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def mount(shown):
        mount_view(page, "score_table", shown)
        return page

    yield mount
    assert errors == []


def test_the_field_has_the_focus_when_the_beat_is_reached_and_reports_what_is_typed(mounted):
    page = mounted({**data(6), "arrived": True})
    fields = page.locator("input.field")
    expect(fields.nth(0)).to_be_focused()
    page.keyboard.type("0.00576")
    page.keyboard.press("Tab")
    page.keyboard.type("0.1")
    page.keyboard.press("Enter")
    page.wait_for_function("window.returned.fill?.cold === '0.1'")
    assert page.evaluate("window.returned.fill") == {"hot": "0.00576", "cold": "0.1"}


def test_what_is_typed_stays_and_is_marked_while_the_learner_goes_on(mounted):
    page = mounted({**data(5), "arrived": True})
    page.keyboard.type("0.0576")
    page.evaluate("shown => window.show(shown)", {**data(5, cold="0.05"), "arrived": False})
    expect(page.locator("input.field")).to_have_value("0.0576")  # newer than what was marked
    expect(page.locator(".cell.wrong")).to_have_count(1)
    page.evaluate("shown => window.show(shown)", {**data(5, cold="0.0576"), "arrived": False})
    expect(page.locator(".cell.right")).to_have_count(1)
    expect(page.locator(".line.kept .result")).to_have_text("0.0576")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("place", ["6", "7", "9"])
def test_no_number_is_wider_than_its_cell_or_too_small_to_read(page, url, place, width):
    """In a story, which has the course's own type."""
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{url}/viterbi_by_hand?beat=viterbi_by_hand.{place}")
    page.locator(f'.story[data-shown="{place}"]').wait_for()
    end_motion(page)
    found = page.locator(".cell .number").evaluate_all(
        """all => all.map(each => [each.getBoundingClientRect().width - each.parentElement.clientWidth,
                                   parseFloat(getComputedStyle(each).fontSize)])"""
    )
    assert len(found) >= 6 and max(over for over, _ in found) <= 0 and min(size for _, size in found) >= 14


def test_a_table_without_a_field_has_none(mounted):
    page = mounted(data(1))
    expect(page.locator("input")).to_have_count(0)
    expect(page.locator(".given tbody td")).to_have_count(12)
