"""The map in a real browser: a word is clicked for its neighbours, a set is picked and projected afresh."""

from playwright.sync_api import expect

from tests.browser.conftest import settle

PLACE = """word => {
  const plot = document.querySelector('.js-plotly-plot');
  const trace = plot.data.findIndex(trace => trace.text && trace.text.includes(word));
  const point = plot.calcdata[trace][plot.data[trace].text.indexOf(word)];
  const {xaxis, yaxis} = plot._fullLayout, box = plot.getBoundingClientRect();
  return [box.left + xaxis._offset + xaxis.l2p(point.x), box.top + yaxis._offset + yaxis.l2p(point.y)];
}"""


def test_a_word_clicked_on_the_map_is_looked_up(page, url):
    page.goto(f"{url}/word_map")
    settle(page)
    place = page.evaluate(PLACE, "queen")
    page.mouse.move(*place)
    page.wait_for_timeout(300)
    page.mouse.click(*place)
    expect(page.get_by_role("textbox", name="Find a word")).to_have_value("queen")
    expect(page.get_by_role("heading", name="Nearest to “queen”")).to_be_visible()


def test_a_set_picked_with_the_box_is_projected_afresh_and_stands_in_the_address(page, url):
    page.goto(f"{url}/word_map")
    settle(page)
    page.locator(".modebar-btn[data-title='Box Select']").first.click()
    box = page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"], steps=8)
    page.mouse.up()
    afresh = page.get_by_role("button", name="afresh")
    expect(afresh).to_be_visible()
    count = int(afresh.inner_text().split()[2])
    afresh.click()
    field = page.get_by_role("textbox", name="Words, separated by spaces or commas")
    expect(field).to_be_visible()
    settle(page)
    words = field.input_value().split()
    assert len(words) == count
    assert words[0] in page.url
