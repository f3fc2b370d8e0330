"""The view "patches" by itself in Chromium: pixels, squares and names are core's; a patch is hidden by click or key."""

import numpy as np
import pytest

from core.figures.images.patches import PatchBoard, boards, patch_board
from tests.browser.conftest import mount_view

ACROSS, SIDE = 3, 6
PICTURE = np.random.default_rng(0).integers(0, 256, (3, SIDE, SIDE)) / 255
VALUES = np.array([0.4, 0.1, 0.0, -0.2, 0.05, 0.3, 0.15, 0.003])


def mounted(page):
    board = PatchBoard(PICTURE, ACROSS, hidden=(4,))
    panels = [patch_board("picture", press=True), patch_board("weights", board.over_places(VALUES))]
    mount_view(page, "patches", boards(board, panels, 2, "Click a patch.", chosen=2))
    return page.locator("button.cell")


def test_the_picture_is_drawn_pixel_by_pixel_in_every_panel(page):
    mounted(page)
    script = """() => [...document.querySelector("div").shadowRoot.querySelectorAll("canvas")].map((canvas) =>
        [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data])"""
    for pixels in page.evaluate(script):
        drawn = np.array(pixels).reshape(SIDE, SIDE, 4)[..., :3].transpose(2, 0, 1)
        np.testing.assert_allclose(drawn / 255, PICTURE, atol=1e-6)


def test_a_square_s_area_is_its_share_of_the_largest_hollow_below_nought_and_none_where_tiny(page):
    mounted(page)
    weights = page.locator("figure").nth(1)
    cells = weights.locator(".cell")
    known = [*VALUES[:4], None, *VALUES[4:]]
    for place, value in enumerate(known):
        mark = cells.nth(place).locator(".mark")
        if not value or abs(value) < 0.004:
            assert mark.count() == 0
            continue
        cell, box = cells.nth(place).bounding_box(), mark.bounding_box()
        inner = cell["width"] - 2  # without its border
        assert (box["width"] / 0.8 / inner) ** 2 == pytest.approx(abs(value) / 0.4, abs=0.03)
        assert ("below" in mark.get_attribute("class")) == (value < 0)


def test_patches_are_buttons_with_names_and_are_hidden_by_click_and_by_key(page):
    buttons = mounted(page)
    assert buttons.count() == ACROSS**2
    pressed = [buttons.nth(i).get_attribute("aria-pressed") for i in range(ACROSS**2)]
    assert pressed == ["true" if place == 4 else "false" for place in range(ACROSS**2)]
    page.get_by_role("button", name="Patch 6, row 2, column 3").click()
    assert page.evaluate("returned") == {"hide": {"place": 5}}
    buttons.nth(0).focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    page.get_by_text("Patch 8, row 3, column 2").wait_for()
    page.keyboard.press("Enter")
    assert page.evaluate("returned") == {"hide": {"place": 7}}


def test_what_is_pointed_at_is_said_with_its_number(page):
    mounted(page)
    page.get_by_text("Click a patch.").wait_for()
    weights = page.locator("figure").nth(1).locator(".cell")
    weights.nth(3).hover()
    page.get_by_text("Patch 4, row 2, column 1: −0.2000").wait_for()
    weights.nth(4).hover()
    page.get_by_text("Patch 5, row 2, column 2: hidden").wait_for()
