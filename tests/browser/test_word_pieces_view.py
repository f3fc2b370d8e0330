"""A word's pieces in Chromium: every n-gram is in its row, a number writes no markup, and a chip that stays is kept."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import mount_view

pytestmark = pytest.mark.xdist_group("browser")
EXAMPLE = json.loads(
    (Path(__file__).resolve().parents[2] / "assets/views/word_pieces/example.json").read_text(
        encoding="utf-8"
    )
)


def test_chips_stand_in_their_rows_and_the_nearest_words_beside_them(page):
    data = json.loads(json.dumps(EXAMPLE))
    data["rows"][0]["chips"][0]["text"] = "<b>"
    mount_view(page, "word_pieces", data)
    view = page.locator(".word-pieces")
    expect(view.locator(".row")).to_have_count(len(data["rows"]))
    expect(view.locator(".chip .text").first).to_have_text("<b>")
    expect(view.locator(".chip.new")).to_have_count(
        sum(chip["kind"] == "new" for row in data["rows"] for chip in row["chips"])
    )
    bars = [box["width"] for box in (bar.bounding_box() for bar in view.locator(".near .bar").all())]
    shares = [row["share"] for row in data["sides"][0]["rows"]]
    assert bars == sorted(bars, reverse=True) and bars[1] / bars[0] == pytest.approx(
        shares[1] / shares[0], abs=0.02
    )


def test_a_word_without_pieces_says_so(page):
    mount_view(
        page,
        "word_pieces",
        {
            **EXAMPLE,
            "rows": [],
            "key": [],
            "sides": [{**EXAMPLE["sides"][0], "rows": [], "empty": "no vector"}],
        },
    )
    view = page.locator(".word-pieces")
    expect(view.locator(".grams .empty")).to_have_text(EXAMPLE["empty"])
    expect(view.locator(".side .empty")).to_have_text("no vector")
