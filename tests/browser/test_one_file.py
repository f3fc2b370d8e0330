"""What is taken away as one HTML file opens from the file system, asks nobody for anything, and shows the same picture."""

import pytest
from playwright.sync_api import expect

from core.lesson.story import ASK, story_of
from core.lesson.story_page import document_of, file_of
from pages import LESSONS
from tests.browser.conftest import faultless_page, settle
from tests.browser.test_site import SHOWN

BYTES_AT_MOST = 300_000
ZIPF = next(lesson for lesson in LESSONS if lesson.name == "zipf")


@pytest.fixture
def reader(chromium):
    """A page without a network that fails the test where it has a fault or asks for anything but the file."""
    with faultless_page(chromium, lambda address: not address.startswith("http")) as page:
        yield page


def number_of(lesson, wanted):
    return next(n for n, beat in enumerate(story_of(lesson.module), 1) if wanted(n, beat))


@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(each, marks=[pytest.mark.long] if at % 8 else [], id=each.name)
        for at, each in enumerate(LESSONS)
    ],
)
def test_a_beat_as_one_file_is_small(lesson):
    for number, _ in enumerate(story_of(lesson.module), 1):
        assert len(file_of(lesson.name, number, False, {})) < BYTES_AT_MOST


def test_a_question_taken_away_shows_its_answer_only_when_asked(reader, tmp_path):
    lesson = next(each for each in LESSONS if each.name == "viterbi")
    number = number_of(lesson, lambda _, beat: beat.kind == ASK)
    file = tmp_path / "viterbi.html"
    file.write_bytes(file_of("viterbi", number, False, {}))
    reader.goto(f"file://{file}")
    reader.wait_for_function(SHOWN, arg="1")
    expect(reader.locator(".choice.right")).to_have_count(0)
    reader.keyboard.press("PageDown")
    expect(reader.locator(".choice.right")).to_have_count(1)


def test_a_story_gives_its_beat_as_the_learner_set_it(page, url, reader, tmp_path):
    page.goto(f"{url}/zipf?beat=zipf.2")
    page.get_by_role("radio", name="a stem").click()
    expect(page.get_by_role("radio", name="a stem")).to_have_attribute("aria-checked", "true")
    caption = page.locator(".caption").inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this beat").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "zipf-2.html"
    reader.goto(f"file://{file}")
    reader.wait_for_function(SHOWN, arg="1")
    expect(reader.locator(".caption")).to_have_text(caption)


def test_a_figure_is_taken_away_as_the_browser_has_drawn_it(page, url, reader, tmp_path):
    number = number_of(ZIPF, lambda n, _: b'"view":"figure"' in document_of("zipf", n, False, {}))
    page.goto(f"{url}/zipf?beat=zipf.{number}")
    expect(page.locator(".main-svg").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this beat").click()
    file = tmp_path / "zipf.html"
    download.value.save_as(file)
    assert file.stat().st_size < BYTES_AT_MOST
    reader.goto(f"file://{file}")
    assert reader.locator("img").evaluate("image => image.complete && image.naturalWidth") >= 600


def test_a_lab_gives_its_view_with_its_data(page, url, reader, tmp_path):
    page.goto(f"{url}/viterbi?lab=true&viterbi_tab=Take+it+away")
    settle(page)
    page.get_by_role("tab", name="Take it away").click()
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="This picture as one HTML file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    reader.goto(f"file://{file}")
    expect(reader.locator(".mounted")).to_be_visible()
    drawn = "document.querySelector('.mounted').shadowRoot.querySelectorAll('*').length"
    assert reader.evaluate(drawn) > 20
