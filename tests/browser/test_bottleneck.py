"""The bottleneck's measurement goes on by itself in the browser until it is done or stopped."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle

MEASURED = re.compile(r"^(\d+) of \d+ sentences measured\.$")


def test_a_measurement_grows_by_itself_and_ends(page, url):
    page.goto(f"{url}/bottleneck?lab=true&bottleneck_lengths=5&bottleneck_count=60&bottleneck_seed=41")
    expect(page.get_by_text("60 of 60 sentences measured.")).to_be_visible(timeout=120_000)
    expect(page.locator(".st-key-bottleneck_stop button")).to_have_count(0)


def test_a_measurement_stops_and_goes_on(page, url):
    page.goto(f"{url}/bottleneck?lab=true&bottleneck_lengths=20&bottleneck_count=200&bottleneck_seed=42")
    page.locator(".st-key-bottleneck_stop button").click(timeout=120_000)
    page.get_by_role("button", name="Go on").wait_for(timeout=120_000)
    settle(page)
    stopped = page.get_by_text(MEASURED).inner_text()
    assert int(MEASURED.match(stopped)[1]) < 200
    page.wait_for_timeout(1500)
    assert page.get_by_text(MEASURED).inner_text() == stopped
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(stopped)).to_have_count(0, timeout=120_000)
