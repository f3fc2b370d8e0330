"""Lines by surprisal in Chromium: a cell for each character, frames around those held together, and no text is mark-up."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import mount_view

pytestmark = pytest.mark.xdist_group("browser")
FILE = Path(__file__).resolve().parents[2] / "assets/views/surprisal_lines/example.json"
EXAMPLE = json.loads(FILE.read_text(encoding="utf-8"))


def test_each_character_is_a_cell_and_a_frame_has_its_cost_beside_it(page):
    mount_view(page, "surprisal_lines", EXAMPLE)
    view = page.locator(".surprisal-lines")
    expect(view.locator(".row")).to_have_count(2)
    expect(view.locator(".cell")).to_have_count(22)
    expect(view.locator("[data-mark='frame.GPT']")).to_have_text("MOTH:")
    assert view.locator(".cost").all_text_contents() == ["1.5 bits", "10.0 bits"]


def test_a_deeper_colour_is_a_larger_share_and_a_line_ends_where_it_should(page):
    mount_view(page, "surprisal_lines", EXAMPLE)
    cells = page.locator("[data-mark='row.n-gram'] .cell")
    colours = cells.evaluate_all("all => all.map(each => getComputedStyle(each).backgroundColor)")
    opacity = [float(colour.rstrip(")").rsplit("/", 1)[-1]) if "/" in colour else 0 for colour in colours]
    assert opacity[8] == max(opacity) > opacity[0] > opacity[1] > opacity[3]
    tops = cells.evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    assert tops[0] == tops[5] < tops[6] == tops[10]


def test_a_long_line_is_written_small_enough_to_stay_inside(page):
    cell = {"text": "m", "share": 0.5, "ends": False}
    row = {**EXAMPLE["rows"][0], "cells": [cell] * 60, "frames": []}
    mount_view(page, "surprisal_lines", {**EXAMPLE, "layout": "rows-below", "rows": [row] * 2})
    inside = page.locator(".surprisal-lines .rows").evaluate(
        "rows => rows.scrollHeight <= rows.clientHeight + 1 && rows.scrollWidth <= rows.clientWidth + 1"
    )
    assert inside


def test_no_text_is_mark_up(page):
    EXAMPLE["rows"][0]["name"] = "<b>GPT</b>"
    EXAMPLE["rows"][0]["cells"][0]["text"] = "<i>"
    mount_view(page, "surprisal_lines", EXAMPLE)
    expect(page.locator(".row .name").first).to_have_text("<b>GPT</b>")
    expect(page.locator(".cell").first).to_have_text("<i>")
