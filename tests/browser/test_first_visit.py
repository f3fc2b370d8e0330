"""What a first visit loads over a lecture hall's Wi-Fi: the bytes on the line, counted by Chromium."""

import pytest

from tests.browser.conftest import settle

FIRST_AT_MOST, FURTHER_AT_MOST, PLOTLY, FONTS = 1.4e6, 100e3, 1.5e6, 300e3  # bytes
WITH_FIGURE = "gradient_microscope"  # its first beat has a figure of plotly's
FURTHER = ("viterbi", "zipf", "smoothing", "word_map", "causal_mask")


@pytest.fixture
def visit(chromium, url):
    """Return what opens a lesson in one browser and returns the bytes that were loaded for it: of fonts, of all else."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    line, loaded, cached, asked = context.new_cdp_session(page), {True: 0, False: 0}, set(), {}
    line.send("Network.enable")
    line.on("Network.requestServedFromCache", lambda event: cached.add(event["requestId"]))
    line.on(
        "Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event["request"]["url"]})
    )

    def note(event):
        if event["requestId"] not in cached:
            loaded[asked.get(event["requestId"], "").endswith(".woff2")] += event["encodedDataLength"]

    line.on("Network.loadingFinished", note)

    def open_lesson(name):
        loaded.update({True: 0, False: 0})
        page.goto(f"{url}/{name}")
        page.locator('.story[data-shown="1"]:not(.waiting)').wait_for()
        settle(page)
        page.wait_for_load_state("networkidle")
        return loaded[True], loaded[False]

    yield open_lesson
    context.close()


def test_a_first_lesson_is_1_4_megabytes_and_a_further_one_100_kilobytes_but_for_plotly_and_fonts_once(visit):
    first = sum(visit(WITH_FIGURE))
    assert 500e3 < first <= FIRST_AT_MOST + PLOTLY
    fonts, further = zip(*map(visit, FURTHER), strict=True)
    assert all(1e3 < loaded <= FURTHER_AT_MOST for loaded in further), further
    assert sum(fonts) <= FONTS, fonts
    assert sum(visit(FURTHER[0])) <= FURTHER_AT_MOST  # a font comes once


def test_a_first_lesson_without_a_figure_is_1_4_megabytes(visit):
    assert 500e3 < sum(visit("viterbi")) <= FIRST_AT_MOST
