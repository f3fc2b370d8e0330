"""The view of the soft dictionary computes in the browser what core.models.translation.kernel_smoothing computes."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.translation.soft_lookup.figures import WAYS, look_up, lookup_payload
from tests.browser.conftest import mount_view, settle

KEYS, VALUES = [1.0, 2.5, 4.0, 8.0], [3.0, -1.0, 2.0, 7.0]


def show(page, query, bandwidth, way, hidden=False):
    data = lookup_payload(KEYS, VALUES, query, bandwidth, way, hidden)
    mount_view(page, "soft_lookup", data)


def cells(page):
    """Return the numbers of the table, one row a key; then those of the last row, the sums."""
    script = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    rows = page.locator("tr").evaluate_all(script)[1:]
    plain = [
        [text.replace("−", "-").replace("none", "nan") for text in row if text not in ("sum", "")]
        for row in rows
    ]
    numbers = [[float(text) for text in row] for row in plain]
    return np.array(numbers[:-1]), numbers[-1]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("query", "bandwidth"), [(2.2, 0.9), (4.0, 0.001), (6.0, 1.5), (-0.1, 0.3), (3.0, 500.0)]
)
def test_every_number_is_what_core_computes(page, way, query, bandwidth):
    show(page, query, bandwidth, way)
    found = look_up([query], KEYS, VALUES, bandwidth, way)
    rows, (K, weights, result) = cells(page)
    computed = np.stack((KEYS, VALUES, query - np.array(KEYS), np.exp(found.scores[0]), found.weights[0]), 1)
    np.testing.assert_allclose(rows[:, :5], computed, rtol=6e-3, atol=1e-12)
    np.testing.assert_allclose(rows[:, 5], found.weights[0] * VALUES, rtol=6e-3, atol=1e-12)
    assert pytest.approx(np.exp(found.scores).sum(), rel=6e-3) == K
    assert weights == pytest.approx(found.weights.sum())
    assert result == pytest.approx(found.result[0], rel=1e-5, nan_ok=True)
    assert ("no answer" in page.locator(".answer").text_content()) == np.isnan(found.result[0])


def test_a_slider_moves_every_number_and_tells_nobody_until_it_is_let_go(page):
    show(page, 2.2, 0.9, "gaussian")
    page.locator("input.query").evaluate(
        "input => { input.value = 50; input.dispatchEvent(new Event('input')); }"
    )
    query = float(re.search(r"f\((.*)\)", page.locator(".answer").text_content())[1])
    assert query != 2.2
    assert page.evaluate("returned") == {}
    found = look_up([query], KEYS, VALUES, 0.9, "gaussian")
    np.testing.assert_allclose(cells(page)[0][:, 4], found.weights[0], rtol=6e-3)
    page.locator("input.query").dispatch_event("change")
    assert page.evaluate("returned.lookup.query") == query


def test_keys_are_moved_asked_for_and_removed_from_the_keyboard(page):
    show(page, 2.2, 0.9, "exact")
    expect(page.locator(".result")).to_have_text("no key equals q: no answer")
    page.locator("g.point[data-row='1']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".result")).to_have_text("−1")
    page.keyboard.press("ArrowUp")
    page.wait_for_function("returned.lookup.values[1] > -1")
    page.keyboard.press("Delete")
    assert page.evaluate("returned.lookup.keys") == [1, 4, 8]


def test_a_guess_comes_before_the_numbers(page):
    show(page, 2.2, 0.9, "gaussian", hidden=True)
    expect(page.locator(".result")).to_have_text("?")
    assert page.locator(".curve, .bar, .found").count() == 0


def test_a_dragged_point_stands_in_the_field_and_the_address(page, url):
    page.goto(f"{url}/soft_lookup?lab=true")
    page.locator("g.point").first.wait_for()
    settle(page)
    point = page.locator("g.point[data-row='0'] .dot").bounding_box()
    page.mouse.move(point["x"] + 7, point["y"] + 7)
    page.mouse.down()
    page.mouse.move(point["x"] + 40, point["y"] - 60, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Options").click()
    field = page.get_by_role("textbox", name="Keys and values")
    expect(field).not_to_have_value(re.compile("^6: 9,"))
    expect(page).to_have_url(re.compile("soft_lookup_points="))
