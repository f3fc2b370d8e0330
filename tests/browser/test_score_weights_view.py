"""The picture of scores and weights: a bar is as long as its number, outlines show what was before, words are tied."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import end_motion


def width(page, panel, row, track):
    bar = (
        page.locator(".score-weights .panel")
        .nth(panel)
        .locator(".rows .row")
        .nth(row)
        .locator(".track")
        .nth(track)
    )
    return bar.locator(".bar").bounding_box()["width"] / bar.bounding_box()["width"]


def test_a_weight_s_bar_is_as_long_as_the_weight_and_a_negative_score_is_left_of_0(page, url):
    page.goto(f"{url}/attention_scaling?beat=attention_scaling.1")
    expect(page.locator(".score-weights .rows .row")).to_have_count(6)
    end_motion(page)
    assert width(page, 0, 2, 1) == pytest.approx(0.33, abs=0.01)
    page.goto(f"{url}/attention_scaling?beat=attention_scaling.2")
    expect(page.locator(".score-weights .rows .row").nth(4).locator(".text").nth(1)).to_have_text("?")
    end_motion(page)
    row = page.locator(".score-weights .rows .row").nth(1).locator(".track").first
    bar, zero = (row.locator(each).bounding_box() for each in (".bar", ".zero"))
    assert bar["x"] + bar["width"] == pytest.approx(zero["x"], abs=2) and bar["width"] > 20


def test_a_raised_key_has_outlines_of_what_it_was_and_its_weight_is_hidden_until_the_answer(page, url):
    page.goto(f"{url}/attention_scaling?beat=attention_scaling.5")
    raised = page.locator(".score-weights .panel").nth(1).locator(".rows .row").nth(2)
    expect(raised.locator(".text").nth(1)).to_have_text("?")
    expect(raised.locator(".track").nth(1).locator(".before")).to_be_visible()
    expect(raised.locator(".track").nth(1).locator(".bar")).to_be_hidden()
    page.goto(f"{url}/attention_scaling?beat=attention_scaling.5.answer")
    expect(raised.locator(".text").nth(1)).to_have_text("18%")
    expect(raised.locator(".track").nth(1).locator(".bar")).to_be_visible()
