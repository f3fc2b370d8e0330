"""A grid of tokens in Chromium: every cell in its row and column, no text is mark-up, and cells stay when they change."""

import itertools
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import mount_view

pytestmark = pytest.mark.xdist_group("browser")
EXAMPLE = json.loads(
    (Path(__file__).resolve().parents[2] / "assets/views/token_grid/example.json").read_text(encoding="utf-8")
)


def test_every_cell_is_in_its_row_and_column_and_a_gap_parts_the_prompt(page):
    data = json.loads(json.dumps(EXAMPLE))
    data["columns"][0]["text"] = "<b>"
    mount_view(page, "token_grid", data)
    view = page.locator(".token-grid")
    expect(view.locator(".column").first).to_have_text("<b>")
    expect(view.locator(".grid .cell.new")).to_have_count(
        sum(cell["kind"] == "new" for row in data["rows"] for cell in row["cells"])
    )
    boxes = [view.locator(f'[data-mark="cell.0.{c}"]').bounding_box() for c in range(len(data["columns"]))]
    assert len({box["y"] for box in boxes}) == 1
    steps = [after["x"] - before["x"] for before, after in itertools.pairwise(boxes)]
    assert steps[data["gap"] - 1] > steps[0] + 5
    below = view.locator('[data-mark="cell.1.0"]').bounding_box()
    assert below["x"] == boxes[0]["x"] and below["y"] > boxes[0]["y"]
