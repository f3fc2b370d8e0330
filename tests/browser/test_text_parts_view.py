"""The text's parts in Chromium: the strip is as wide as the shares, a seen line is filled, and no text is mark-up."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import mount_view

pytestmark = pytest.mark.xdist_group("browser")
EXAMPLE = json.loads(
    (Path(__file__).resolve().parents[2] / "assets/views/text_parts/example.json").read_text(encoding="utf-8")
)


def test_the_strip_has_the_shares_and_each_line_its_kind(page):
    EXAMPLE["panels"][1]["lines"][0]["text"] = "<b>Is't</b> possible?"
    mount_view(page, "text_parts", EXAMPLE)
    view = page.locator(".text-parts")
    expect(view.locator(".panel")).to_have_count(2)
    widths = [box["width"] for box in (part.bounding_box() for part in view.locator(".part").all())]
    assert widths[0] > 8 * widths[2] > 8 * widths[1]
    expect(view.locator(".line.new .text")).to_have_text("<b>Is't</b> possible?")
    expect(view.locator(".line.seen .tag")).to_have_text("in training too")
