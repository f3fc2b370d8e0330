"""Words by contexts and a concordance in a real browser: what stays moves, and every number fits into its cell."""

import pytest
from playwright.sync_api import expect

from core.lesson.story import make_document
from tests.browser.conftest import end_motion, mount_view

MODULE = "pages.word_vectors.co_occurrence"


def data(number, revealed=False, **changes):
    found = make_document("co_occurrence", MODULE, number, revealed, changes)["picture"]["data"]
    return {**found, "bare": True}


@pytest.fixture
def mounted(page):
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def mount(view, shown):
        mount_view(page, view, shown)
        return page

    yield mount
    assert errors == []


def test_the_window_moves_and_the_cells_of_its_row_are_framed(mounted):
    page = mounted("word_matrix", data(2))
    expect(page.locator(".word.centre")).to_have_text("england")
    expect(page.locator(".cell.now")).to_have_count(5)
    page.evaluate("shown => window.show(shown)", data(2, centre="9"))
    expect(page.locator(".word.centre")).to_have_text("france")
    expect(page.locator("[data-mark='cell.france.king']")).to_have_text("1")
    expect(page.locator(".label.row.now")).to_have_text("france")


def test_the_rows_are_sorted_when_the_answer_is_shown_and_no_other_element_is_left(mounted):
    page = mounted("word_matrix", data(6))
    expect(page.locator(".side.plain").first).to_have_text("?")
    page.evaluate("shown => window.show(shown)", data(6, True))
    expect(page.locator("[data-mark='side.woman']")).to_have_text("0.56")
    rows = page.locator(".label.row")
    expect(rows).to_have_count(5)
    end_motion(page)
    tops = {rows.nth(i).text_content(): rows.nth(i).bounding_box()["y"] for i in range(5)}
    assert sorted(tops, key=tops.get)[:2] == ["man", "woman"]
    page.evaluate("shown => window.show(shown)", data(3))
    expect(page.locator(".side")).to_have_count(0)
    expect(page.locator(".cell")).to_have_count(54)


def test_a_hidden_word_is_a_gap_and_then_the_word(mounted):
    page = mounted("concordance", data(1))
    expect(page.locator("b.gap")).to_have_count(5)
    assert "france" not in page.locator(".concordance").text_content()
    page.evaluate("shown => window.show(shown)", data(1, True))
    expect(page.locator("b.gap")).to_have_count(0)
    expect(page.locator("b.word").first).to_have_text("france")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("place", ["2", "3", "7", "10"])
def test_no_number_is_wider_than_its_cell(page, url, place, width):
    page.set_viewport_size({"width": width, "height": 844 if width < 500 else 720})
    page.goto(f"{url}/co_occurrence?beat=co_occurrence.{place}")
    page.locator(f'.story[data-shown="{place}"]:not(.waiting)').wait_for()
    end_motion(page)
    cut = page.locator(".word-matrix .cell").evaluate_all(
        "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent)"
    )
    assert cut == []
