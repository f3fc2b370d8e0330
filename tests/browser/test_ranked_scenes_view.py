"""The view "ranked_scenes" by itself in Chromium: scenes stand in core's order, and one is taken by click or key."""

import numpy as np
import pytest

from core.figures.images.one_space import card_of, gallery_board
from core.models.images.held_out_scenes import KINDS, held_out_scenes
from core.pictures.scenes import SIDE
from tests.browser.conftest import mount_view

PICTURES = [picture for _, picture in held_out_scenes(KINDS[0], 3)]
PLACES = [(2, "1. scene 3", True), (0, "2. <b>scene 1", False), (1, "3. scene 2", False)]


@pytest.fixture
def scenes(page):
    cards = [card_of(PICTURES[i], i + 1, name, f"0.{i}", true, i == 0) for i, name, true in PLACES]
    mount_view(page, "ranked_scenes", gallery_board(cards, SIDE, "Press a scene."))
    return page.locator("button.scene")


def test_scenes_are_drawn_pixel_by_pixel_in_core_s_order_with_their_words(page, scenes):
    script = """() => [...document.querySelector("div").shadowRoot.querySelectorAll("canvas")].map((canvas) =>
        [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data])"""
    for pixels, (i, _, _) in zip(page.evaluate(script), PLACES, strict=True):
        drawn = np.array(pixels).reshape(SIDE, SIDE, 4)[..., :3].transpose(2, 0, 1)
        np.testing.assert_allclose(drawn / 255, PICTURES[i], atol=0.51 / 255)
    names = [f"{name} ✓ true" if true else name for _, name, true in PLACES]
    assert scenes.locator(".name").all_text_contents() == names
    assert scenes.locator(".line").all_text_contents() == [f"0.{i}" for i, _, _ in PLACES]
    framed = [scenes.nth(k).get_attribute("aria-pressed") for k in range(len(PLACES))]
    assert framed == ["false", "true", "false"]


def test_a_scene_is_taken_by_click_and_by_key(page, scenes):
    scenes.nth(2).click()
    assert page.evaluate("returned") == {"pick": {"number": 2}}
    scenes.nth(0).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("returned") == {"pick": {"number": 3}}
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.evaluate("returned") == {"pick": {"number": 1}}


def test_on_a_telephone_scenes_stand_within_its_width(page, scenes):
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
