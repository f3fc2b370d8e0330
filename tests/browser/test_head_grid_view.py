"""The view "head_grid" by itself in Chromium: its pixels are the weights, and a head that is clicked is returned."""

import numpy as np
import pytest
import torch

from core.figures.self_attention.heads import head_grid
from core.models.self_attention.attention import attend, causal_mask
from tests.browser.conftest import mount_view

L, H = 3, 2


def layers(T=5):
    torch.manual_seed(0)
    return [attend(*torch.randn(3, H, T, 4), 0.5, causal_mask(T)) for _ in range(L)]


def mounted(page, data):
    mount_view(page, "head_grid", data)
    return page.locator("button.head")


def opacities(page, i, side):
    """Return the alpha of each pixel of a head's canvas, (side, side)."""
    script = """i => { const canvas = document.querySelector("div").shadowRoot.querySelectorAll("canvas")[i];
        const { width, height } = canvas;
        return [...canvas.getContext("2d").getImageData(0, 0, width, height).data].filter((_, k) => k % 4 === 3); }"""
    return np.array(page.evaluate(script, i)).reshape(side, side)


def test_every_head_is_drawn_from_its_own_weights_and_masked_cells_are_clear(page):
    traces = layers()
    buttons = mounted(page, head_grid(traces, (0, 0)))
    assert buttons.count() == L * H
    for i in range(L * H):
        weights = traces[i // H].weights[i % H].numpy()
        drawn = opacities(page, i, 5)
        np.testing.assert_allclose(drawn, 255 * np.sqrt(weights), atol=1)
        assert (drawn[np.triu_indices(5, 1)] == 0).all()


def test_a_long_text_is_drawn_as_means(page):
    traces = layers(130)
    data = head_grid(traces, (0, 0))
    assert (data["side"], data["cell"]) == (44, 3)
    mounted(page, data)
    expected = float(traces[1].weights[0, 60:63, 30:33].mean()) ** 0.5
    assert opacities(page, 2, 44)[20, 10] == pytest.approx(255 * expected, abs=1)
    page.get_by_text("mean of 3 × 3 weights").wait_for()


def test_a_head_is_opened_by_click_and_by_keys(page):
    buttons = mounted(page, head_grid(layers(), (0, 1)))
    assert buttons.nth(1).get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Layer 2, head 1").click()
    assert page.evaluate("returned") == {"head": {"layer": 1, "head": 0}}
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.evaluate("returned") == {"head": {"layer": 2, "head": 1}}
    pressed = [buttons.nth(i).get_attribute("aria-pressed") for i in range(L * H)]
    assert pressed == ["false"] * 5 + ["true"]


def test_another_model_s_heads_take_the_place_of_the_first_and_leaving_takes_all_away(page):
    mounted(page, head_grid(layers(), (0, 0)))
    page.evaluate("show", head_grid(layers()[:1], (0, 1)))
    assert page.locator("canvas").count() == H
    page.evaluate("leave()")
    assert page.locator("canvas").count() == 0


def test_it_fits_a_telephone(page):
    page.set_viewport_size({"width": 390, "height": 800})
    heads = [attend(*torch.randn(3, 12, 6, 4)) for _ in range(6)]
    mounted(page, head_grid(heads, (0, 0)))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_head_clicked_on_the_page_is_opened_in_the_heatmap(page, url):
    page.goto(f"{url}/self_attention?self_attention_grid=true")
    page.get_by_role("button", name="Layer 4, head 1").click()
    page.wait_for_url("**self_attention_layer=4&self_attention_head=1")
    page.locator("canvas.heatmap").click(position={"x": 120, "y": 120})
    page.wait_for_url("**self_attention_step=*")
