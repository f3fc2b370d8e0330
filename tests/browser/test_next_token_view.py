"""The picture of the next token: p is dragged along the line, by hand and by key, and the text is written again."""

import re

from playwright.sync_api import expect

OWN = "sampling?beat=sampling.9"


def test_p_is_dragged_along_the_line_and_stands_in_the_address(page, url):
    page.goto(f"{url}/{OWN}")
    grip = page.locator(".cut-mark .grip")
    grip.wait_for()
    before = page.locator(".block .text").inner_text()
    line, box = page.locator(".base").bounding_box(), grip.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(line["x"] + line["width"] * 0.3, line["y"], steps=5)
    expect(page.locator(".cut-mark text")).to_have_text(re.compile(r"p = 0\.(29|30|31)"))
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"sampling_top_p=0\.(29|3|30|31)(&|$)"))
    expect(page.locator(".segment.cut").first).to_be_visible()
    expect(page.locator(".block .text")).not_to_have_text(before)
    expect(page.locator(".story .done")).to_contain_text("of 2,048 tokens")


def test_the_arrows_up_and_down_move_p_where_the_mark_has_the_focus(page, url):
    page.goto(f"{url}/{OWN}")
    mark = page.locator(".cut-mark")
    mark.wait_for()
    mark.focus()
    page.keyboard.press("ArrowDown")
    expect(mark).to_have_attribute("aria-valuenow", "0.95")
    expect(page).to_have_url(re.compile("sampling_top_p=0.95"))
