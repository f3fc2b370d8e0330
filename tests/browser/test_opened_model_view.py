"""The view "opened_model" by itself in Chromium: keys and clicks choose and zoom, and what is drawn is what was sent."""

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from core.figures.transformers.opened_view import LabelledReading, closed_view, opened_view
from core.figures.transformers.place import placed
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.transformers.opened_gpt import open_gpt
from tests.browser.conftest import mount_view

NAMES = ["↵", "<b>a</b>", "␣cat", "␣sat"]


@pytest.fixture(scope="module")
def reading():
    torch.manual_seed(0)
    network = GPT(GPTConfig(vocabulary_size=9, context=8, layers=2, heads=2, width=8)).eval()
    return LabelledReading(
        network, open_gpt(network, torch.tensor([0, 1, 2, 3])), NAMES, np.array(list("abcdefghi"))
    )


def shown(page, reading, at=""):
    mount_view(page, "opened_model", opened_view(reading, placed(at, reading.opened)))
    return page.locator("canvas.table")


def gone(page):
    """Return the place that was reported last, once the learner has come to rest."""
    page.wait_for_function("window.returned.go")
    found = page.evaluate("window.returned.go")
    page.evaluate("window.returned = {}")
    return found


def status(page):
    return page.locator(".status").text_content()


def test_keys_choose_a_number_zoom_in_and_out(page, reading):
    table = shown(page, reading)
    table.focus()
    lengths = reading.opened.added()
    assert status(page).startswith("+ feed-forward, ␣sat: ")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    value = float(status(page).split(": ")[1].replace("−", "-"))
    assert status(page).startswith("+ attention, ␣cat: ")
    assert value == pytest.approx(lengths[1, 0, 2].item(), abs=1e-3)
    found = gone(page)
    assert (found["level"], found["stage"], found["part"], found["token"]) == (0, 2, "attention", 2)
    page.keyboard.press("Enter")
    assert gone(page)["level"] == 1
    page.evaluate("show", opened_view(reading, placed("part.2.attention.weights.2.3.1", reading.opened)))
    page.keyboard.press("ArrowDown")
    assert gone(page)["matrix"] == "context"
    page.keyboard.press("Escape")
    assert gone(page)["level"] == 1


def test_a_second_click_on_a_number_goes_in_and_the_trail_leads_to_any_level(page, reading):
    table = shown(page, reading, "matrix.1.attention.scores.1.4.1")
    box = table.bounding_box()
    spot = {"x": box["width"] - 5, "y": box["height"] - 8}
    table.click(position=spot)
    found = gone(page)
    assert (found["level"], found["token"], found["number"]) == (3, 3, 3)
    table.click(position=spot)
    assert gone(page)["level"] == 4
    page.get_by_role("button", name="Head 2").click()
    assert gone(page)["head"] == 1
    page.get_by_role("button", name="Model").click()
    assert gone(page)["level"] == 0


def test_a_matrix_is_read_to_four_digits_and_a_hidden_cell_says_so(page, reading):
    table = shown(page, reading, "matrix.1.attention.weights.1.3.1")
    table.focus()
    weight = reading.opened.stages[1]["attention"].weights[0, 2, 0].item()
    assert float(status(page).split(": ")[1]) == pytest.approx(weight, abs=1e-4)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert status(page) == "3 ␣cat, 4 ␣sat: hidden by the mask"


def test_a_cell_shows_its_products_its_line_of_code_and_words_are_never_markup(page, reading):
    shown(page, reading, "cell.1.feed_forward.widened.1.2.5")
    assert page.locator("svg.products rect").count() == 8
    assert page.locator("code.code").text_content().startswith("widened = n @ W_1.T")
    assert "<b>a</b>" in page.locator(".says").text_content()
    assert page.locator("b").count() == 0


def test_before_a_guess_nothing_opens(page, reading):
    mount_view(page, "opened_model", closed_view(reading, placed("", reading.opened)))
    page.locator("canvas.table").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.locator("canvas.table").click()
    page.wait_for_timeout(300)
    assert page.evaluate("window.sent") == []
    assert status(page) == ""


def test_it_fits_a_telephone(page, reading):
    page.set_viewport_size({"width": 390, "height": 844})
    for at in ("", "part.1.attention.weights.1.4.1", "cell.1.feed_forward.widened.1.2.5"):
        shown(page, reading, at)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_on_the_page_a_key_zooms_and_the_address_keeps_the_place(page, url):
    page.goto(f"{url}/transformer_block?lab=true")
    expect(page.locator("canvas.table")).to_be_visible(timeout=90_000)
    page.locator("canvas.table").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**transformer_block_at=block.4.feed_forward.written.1.*")
    expect(page.locator(".place").nth(1)).to_have_attribute(
        "aria-current", "step"
    )  # drawn after the address changes
    page.locator("canvas.table").focus()
    page.keyboard.press("Escape")
    page.wait_for_url("**transformer_block_at=model.4.feed_forward.written.1.*")
