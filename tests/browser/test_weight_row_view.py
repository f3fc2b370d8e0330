"""The view "weight_row" by itself in Chromium: its sliders hold core's weights, and scale a row as core does."""

import numpy as np
import pytest
import torch

from core.figures.self_attention.heads import weight_row
from core.models.self_attention.attention_edits import with_weight
from tests.browser.conftest import mount_view

ROW = np.array([0.5, 0.25, 0.15, 0.1])
NAMES = ["In", "\u2423the", "<b>be</b>", "g"]


def mounted(page, edited=ROW, last=None):
    data = weight_row(ROW, edited, NAMES, 1, 0, 3, last)
    mount_view(page, "weight_row", data)
    return page.locator("input")


def numbers(page):
    return [float(text) for text in page.locator(".value").all_text_contents()]


def test_every_weight_is_written_beside_its_token(page):
    sliders = mounted(page)
    assert numbers(page) == ROW.tolist()
    assert page.locator(".name").all_text_contents() == NAMES
    assert sliders.nth(1).get_attribute("aria-label") == "Weight of \u2423the, token 2"


@pytest.mark.parametrize("weight", [0.0, 0.4, 1.0])
def test_a_row_makes_room_as_core_makes_it(page, weight):
    sliders = mounted(page)
    sliders.nth(2).evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", weight
    )
    expected = with_weight(torch.tensor(ROW)[None], 0, 2, weight)[0]
    np.testing.assert_allclose(numbers(page), expected, atol=6e-4)


def test_a_weight_that_took_the_whole_row_gives_it_back_when_it_is_moved_again(page):
    sliders = mounted(page, edited=np.array([0.0, 0.0, 1.0, 0.0]), last=(2, ROW))
    sliders.nth(2).evaluate("slider => { slider.value = 0.4; slider.dispatchEvent(new Event('input')); }")
    expected = with_weight(torch.tensor(ROW)[None], 0, 2, 0.4)[0]
    np.testing.assert_allclose(numbers(page), expected, atol=6e-4)


def test_a_slider_moved_by_key_is_returned_when_it_is_let_go(page):
    sliders = mounted(page)
    sliders.nth(0).focus()
    page.keyboard.press("Home")
    edit = page.evaluate("returned")["edit"]
    assert {name: edit[name] for name in ("layer", "head", "query", "key", "weight")} == {
        "layer": 1,
        "head": 0,
        "query": 3,
        "key": 0,
        "weight": 0,
    }
    page.keyboard.press("End")
    assert [edit["weight"] for _, edit in page.evaluate("sent")] == [0, 1]


def test_new_data_replaces_the_old_and_leaving_takes_all_away(page):
    mounted(page)
    page.evaluate("show", weight_row(np.array([1.0]), np.array([1.0]), ["a"], 0, 0, 0))
    assert page.locator("input").count() == 1
    page.evaluate("leave()")
    assert page.locator("input").count() == 0


def test_it_fits_a_telephone(page):
    page.set_viewport_size({"width": 390, "height": 800})
    mounted(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_weight_set_on_the_page_moves_the_prediction_and_stands_in_the_address(page, url):
    page.goto(f"{url}/edit_attention?lab=true")
    page.get_by_text("Move a slider to change it").wait_for()
    page.locator(".weight-row input").first.focus()
    page.keyboard.press("End")
    page.get_by_text("of the probability moved").wait_for()
    assert "edit_attention_edits=4.4" in page.url
    assert page.url.endswith("%3D1")
