"""A result is pinned in the browser; the link that holds both results computes them both where it is opened anew."""

from playwright.sync_api import expect

from tests.browser.conftest import settle


def test_a_pinned_result_stays_beside_the_present_one_and_in_the_link(chromium, page, url):
    page.goto(f"{url}/zipf?lab=true")
    settle(page)
    page.get_by_role("button", name="Pin", exact=False).click()
    expect(page.get_by_text("Now change one setting")).to_be_visible()
    page.get_by_text("A monkey types the text").click()
    expect(page.get_by_text("monkey: as at first → true")).to_be_visible()
    assert page.locator(".js-plotly-plot:visible").count() >= 2
    table = page.locator("[data-testid=stTable]").inner_text()
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    other = context.new_page()
    other.goto(page.url)
    expect(other.get_by_text("monkey: as at first → true")).to_be_visible()
    settle(other)
    assert other.locator("[data-testid=stTable]").inner_text() == table
    assert "pin_then" not in other.url
    other.get_by_role("button", name="Unpin").click()
    expect(other.get_by_text("monkey: as at first → true")).to_have_count(0)
    assert "pin=" not in other.url
    context.close()
