"""Describe, in a browser: the grid by the keyboard, what a move changed, axe, the phone, and the static site's own files."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import end_motion, settle
from tests.browser.test_shell import violations

FOCUSED = """() => {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  const { id, tabIndex: tabs, className: classes, textContent: text } = found;
  return { role: found.getAttribute("role"), text, id, tabs, classes };
}"""
PHONE = {"width": 390, "height": 844}
SETTING, BEAT = "zipf?beat=zipf.9", "zipf?beat=zipf.1"


def open_beat(page, url, path):
    page.goto(f"{url}/{path}")
    expect(page.locator(".story[data-shown]")).to_be_visible(timeout=60_000)
    settle(page)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    return page.evaluate(FOCUSED)


def test_d_opens_a_grid_that_the_arrow_keys_walk_and_the_story_stays_where_it_is(page, url):
    open_beat(page, url, BEAT)
    page.keyboard.press("d")
    grid = page.get_by_role("grid")
    expect(grid).to_be_visible()
    assert page.evaluate(FOCUSED)["classes"] == "overview"
    head = press(page, "ArrowDown")
    assert head["role"] == "columnheader"
    name = press(page, "ArrowDown")
    assert name["role"] == "rowheader" and name["tabs"] == 0
    cell = press(page, "ArrowRight")
    assert cell["role"] == "gridcell" and cell["id"] == "twin-0-1"
    assert press(page, "ArrowDown")["id"] == "twin-1-1"
    assert press(page, "End")["role"] == "gridcell"
    assert press(page, "Home")["role"] == "rowheader"
    last = press(page, "Control+End")
    assert press(page, "ArrowDown")["id"] == last["id"]
    assert press(page, "Control+Home")["classes"] == "overview"
    assert grid.locator("[tabindex='0']").count() == 1
    expect(page.locator(".story")).to_have_attribute("data-shown", "1")
    press(page, "Escape")
    expect(grid).to_have_count(0)
    assert page.evaluate(FOCUSED)["classes"] == "describe"


def test_a_cell_is_read_with_its_row_and_column_and_a_row_whole_at_its_name(page, url):
    open_beat(page, url, BEAT)
    page.get_by_role("button", name="Describe").click()
    row = page.get_by_role("rowheader").first
    told = row.get_attribute("aria-label")
    assert told.startswith(row.text_content() + ", ")
    cell = page.locator("#twin-0-1")
    assert cell.get_attribute("aria-labelledby") == "twin-0-0 twin-column-1 twin-0-1"
    assert cell.text_content() in told


def test_what_a_control_changed_is_said_once(page, url):
    open_beat(page, url, SETTING)
    page.get_by_role("button", name="Describe").click()
    expect(page.get_by_role("grid")).to_be_visible()
    control = page.locator(".words .control").first
    said = page.locator(".announced")
    name = control.locator("label").first.text_content()
    if control.locator("select").count():
        control.locator("select").select_option(index=1)
    else:
        control.locator("[role=radio]").nth(1).click()
    expect(said).to_contain_text(f"{name}:", timeout=20_000)
    expect(said).to_contain_text("before")
    expect(said).to_have_attribute("aria-live", "polite")
    assert page.locator(".words").get_attribute("aria-live") is None


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_axe_finds_nothing_against_a_description_and_it_stands_within_the_window(page, url, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_beat(page, url, BEAT)
    page.get_by_role("button", name="Describe").click()
    expect(page.get_by_role("grid")).to_be_visible()
    end_motion(page)
    box = page.locator(".description").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] + 1
    assert box["y"] + box["height"] <= size[1] + 1 and box["height"] > 150
    assert violations(page) == []


def test_a_description_has_its_own_address_and_no_answer_before_the_guess(page, url):
    api = page.request
    story = api.get(f"{url}/stories/zipf.json")
    assert story.ok
    asks = [at for at, beat in enumerate(story.json()["beats"], start=1) if beat["kind"] == "ask"]
    before = api.get(f"{url}/beats/zipf/{asks[0]}.description.json").json()
    after = api.get(f"{url}/beats/zipf/{asks[0]}.answer.description.json").json()
    assert before["sentence"] != after["sentence"] and "answer" not in before["place"]
    assert api.get(f"{url}/beats/zipf/99.description.json").status == 404
    assert api.post(f"{url}/beats/zipf/1.description.json", data="[1").status == 400


def test_a_member_of_a_room_has_the_description_on_a_phone(page, url, chromium):
    open_beat(page, url, BEAT)
    page.get_by_role("button", name="Class", exact=True).click()
    page.get_by_role("button", name="Open a room").click()
    expect(page.locator(".room-dialog .code")).to_be_visible()
    code = page.locator(".room-dialog .code").text_content()
    context = chromium.new_context(viewport=PHONE)
    phone = context.new_page()
    phone.goto(f"{url}/room/{code}")
    phone.get_by_role("button", name="Describe").click()
    expect(phone.get_by_role("grid")).to_be_visible()
    box = phone.locator(".description").bounding_box()
    assert box["width"] <= PHONE["width"] + 1 and box["height"] > 150
    phone.keyboard.press("ArrowDown")
    assert phone.evaluate(FOCUSED)["role"] == "columnheader"
    phone.get_by_role("button", name="Close", exact=True).click()
    assert phone.evaluate(FOCUSED)["classes"] == "describe"
    context.close()


ASKED, SLID = "sampling?beat=sampling.3", "sampling?beat=sampling.6"


def test_a_beat_is_said_as_one_text_with_its_formulas_on_a_line_and_the_verdict_first(page, url):
    """A screen reader that hears a section's nodes one by one says them out of order."""
    open_beat(page, url, ASKED)
    said = page.locator(".announced")
    expect(said).to_contain_text("p i = (e^(z i / T)) / (∑ j e^(z j / T))")
    expect(said).to_contain_text(page.locator(".asked").text_content())
    assert page.locator(".story .words").get_attribute("aria-live") is None
    page.locator(".choice").last.press("Enter")
    verdict = page.locator(".verdict")
    expect(verdict).to_be_visible()
    expect(said).to_contain_text("Perplexity is 2^H")
    heading = page.locator(".words h2").text_content()
    assert said.text_content().startswith(
        f"{verdict.text_content()} {heading}. "
    )  # Orca says no heading on its focus
    assert page.locator(".asked").text_content() not in said.text_content()
    assert page.evaluate(FOCUSED)["text"] == heading


def test_what_tab_reached_is_operated_by_its_own_keys_until_the_next_beat(page, url):
    open_beat(page, url, SLID)
    slider, story = page.locator(".words input[type=range]"), page.locator(".story")
    page.locator(".moves .back").focus()
    press(page, "Shift+Tab")
    before = slider.input_value()
    press(page, "ArrowRight")
    expect(page.locator(".announced")).to_contain_text("With k = 11")
    assert "We go back" not in page.locator(".announced").text_content()
    expect(story).to_have_attribute("data-shown", "6")
    assert int(slider.input_value()) == int(before) + 1
    press(page, "PageDown")
    expect(story).to_have_attribute("data-shown", "7")
    page.get_by_role("radio", name="top-p").focus()  # by its own name, not the group's
    press(page, "ArrowRight")  # a clicker's, for no Tab came since
    expect(story).to_have_attribute("data-shown", "8")
    page.locator(".moves .back").focus()
    press(page, "Shift+Tab", "Space")
    expect(page.locator(".words [role=switch]")).to_be_checked()  # it was off
    expect(story).to_have_attribute("data-shown", "8")


def test_the_tab_names_the_lesson(page, url):
    open_beat(page, url, SLID)
    expect(page).to_have_title("Temperature, top-k and top-p · Attend")


def test_in_the_lab_d_opens_the_picture_in_words_and_it_follows_the_step(page, url):
    page.goto(f"{url}/captions?lab=true")
    expect(page.locator(".play-bar .next").first).to_be_visible(timeout=90_000)
    page.keyboard.press("d")
    overview = page.locator(".twin .overview").first
    expect(overview).to_contain_text("Shown: word 1 of", timeout=30_000)
    page.locator(".play-bar .next").first.click()
    expect(overview).to_contain_text("Shown: word 2 of", timeout=30_000)
    page.locator(".twin [tabindex='0']").first.focus()
    assert press(page, "ArrowDown")["role"] == "columnheader"
    expect(overview).to_contain_text("Shown: word 2 of")  # the arrow walked the grid, not the picture
    assert violations(page) == []
    page.keyboard.press("d")
    expect(page.get_by_role("grid")).to_have_count(0, timeout=30_000)
