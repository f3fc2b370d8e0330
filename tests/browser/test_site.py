"""The static site: built whole, opened in Chromium from a web server below a path, and from the file system."""

import re
import subprocess
import sys
import time
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from core.lesson.story import ASK, story_of
from core.lesson.tour import lectures
from core.site.pages import folder_of
from core.words.language import ENGLISH, SPANISH, speaking
from pages import LESSONS
from pages.site import common_files, write_file, write_story
from tests.browser.conftest import ROOT, faultless_page
from tests.browser.test_shell import violations
from tests.browser.test_stories import stories_with_every_view

pytestmark = pytest.mark.xdist_group("site")
BELOW = "courses/nlp"  # the path below which the site stands
MEGABYTES = 40
OURS = ("127.0.0.1", "", None)  # hosts; a file has none
STORY = "document.querySelector('.mounted')?.shadowRoot?.querySelector('.story')"  # none while a page is on its way
SHOWN = f"(key) => {STORY}?.dataset.shown === key"
INSIDE = f"""() => {{
  const {{ x, y, right, bottom }} = {STORY}.querySelector(".host").getBoundingClientRect();
  const drawn = {STORY}.querySelector(".frame").shadowRoot.querySelector(".parent").firstElementChild;
  return x >= 0 && y >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1 && right - x > 200
    && bottom - y > 200 && drawn.querySelectorAll("*").length > 0;
}}"""
WALKED = stories_with_every_view()[:12]  # those that show most views; `make test-long` walks all
LEFT = [lesson for lesson in LESSONS if lesson not in WALKED]


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and writes no log."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The whole site, below a path of its own."""
    root = tmp_path_factory.mktemp("web")
    command = [
        sys.executable,
        "-m",
        "pages.site",
        str(root / BELOW),
        "--address",
        "https://attend.example/nlp",
        "--languages",
        "en",
    ]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return root / BELOW


@pytest.fixture(scope="module")
def site(folder):
    """The address of the site."""
    root = folder.parents[len(Path(BELOW).parts) - 1]
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=root))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{BELOW}/"
    server.shutdown()


@pytest.fixture
def desk(chromium):
    """A page at a lecture's size that fails the test where the page fails or asks another host for anything."""
    with faultless_page(chromium, lambda address: urlsplit(address).hostname in OURS) as page:
        yield page


class Links(HTMLParser):
    """Collects what a page of HTML refers to."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found += [
            value for name, value in attributes if name in ("href", "src", "data-code", "data-fonts")
        ]


def test_the_site_is_small_and_every_link_in_it_leads_to_a_file(folder):
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    assert sum(path.stat().st_size for path in files.values()) < MEGABYTES * 1e6
    asked = set()
    for name, path in files.items():
        text = path.read_text(encoding="utf-8") if path.suffix in (".html", ".js", ".css", ".xml") else ""
        if path.suffix == ".html":
            links = Links()
            links.feed(text)
            asked |= {urlsplit(each).path for each in links.found if not urlsplit(each).scheme}
        elif name.startswith("beats/"):
            asked |= set(re.findall(r'"(code/[\w.-]+)"', text))
        elif path.suffix == ".css":
            asked |= {f"code/{each}" for each in re.findall(r'url\("([^"]+)"\)', text)}
        elif name == "sitemap.xml":
            asked |= {each.rpartition("/")[2] for each in re.findall(r"<loc>([^<]+)</loc>", text)}
    assert {each for each in asked - {""} if not each.startswith("es/")} <= set(
        files
    )  # built in English only
    assert {f"{lesson.name}.html" for lesson in LESSONS} <= asked


def test_a_story_in_spanish_stands_below_and_leads_to_the_same_beat_in_english_and_back(desk, tmp_path):
    for spoken in (ENGLISH, SPANISH):
        with speaking(spoken):
            for file in common_files(""):
                write_file(tmp_path / folder_of(spoken), file)
        write_story("zipf", tmp_path, "", spoken)
    page = (tmp_path / "es" / "zipf.html").read_text(encoding="utf-8")
    assert '<html lang="es"' in page and "¿Cuántas palabras" in page
    assert 'href="es/lectures.html" hreflang="es"' in (tmp_path / "lectures.html").read_text(encoding="utf-8")
    assert 'href="../index.html" hreflang="en"' in (tmp_path / "es" / "index.html").read_text(
        encoding="utf-8"
    )
    desk.goto(f"file://{tmp_path}/es/zipf.html")
    desk.wait_for_function(SHOWN, arg="1")
    desk.keyboard.press("PageDown")
    desk.wait_for_function(SHOWN, arg="2")
    for code, ending in (("en", "/zipf.html"), ("es", "/es/zipf.html")):
        desk.locator(f".story a[hreflang={code}]").click()
        desk.wait_for_function(SHOWN, arg="2")
        assert urlsplit(desk.url).path.endswith(ending)


def walk(page, lesson):
    """Go through a story by its keys; each picture is inside the window."""
    beats = story_of(lesson.module)
    for number, beat in enumerate(beats, 1):
        for step in ("", ".answer") if beat.kind == ASK else ("",):
            page.wait_for_function(SHOWN, arg=f"{number}{step}")
            page.wait_for_function(INSIDE)
            if (number, step) != (len(beats), ""):
                page.keyboard.press("PageDown")


@pytest.mark.parametrize(
    "lesson",
    [pytest.param(each, id=each.name, marks=[pytest.mark.long] if each in LEFT else []) for each in LESSONS],
)
def test_a_story_is_walked_from_its_first_beat_to_its_last(desk, site, lesson):
    desk.goto(f"{site}{lesson.name}.html")
    walk(desk, lesson)


def test_a_story_opens_from_the_file_system_and_goes_on_and_back(desk, folder):
    desk.goto(f"file://{folder}/zipf.html")
    desk.wait_for_function(SHOWN, arg="1")
    desk.keyboard.press("PageDown")
    desk.wait_for_function(SHOWN, arg="2")
    desk.go_back()
    desk.wait_for_function(SHOWN, arg="1")


def test_a_control_shows_what_was_made_for_its_setting_and_the_address_keeps_it(desk, site):
    desk.goto(f"{site}zipf.html?beat=zipf.2")
    desk.wait_for_function(SHOWN, arg="2")
    desk.get_by_role("radio", name="a stem").click()
    expect(desk.get_by_role("radio", name="a stem")).to_have_attribute("aria-checked", "true")
    said = desk.locator(".caption").inner_text()
    assert "zipf_counted=stems" in desk.url
    desk.reload()
    expect(desk.get_by_role("radio", name="a stem")).to_have_attribute("aria-checked", "true")
    expect(desk.locator(".caption")).to_have_text(said)


def test_a_switch_shows_what_was_made_for_it_and_back_brings_it_again(desk, site):
    desk.goto(f"{site}viterbi.html?beat=viterbi.7")
    desk.wait_for_function(SHOWN, arg="7")
    desk.get_by_role("switch").click()
    expect(desk.get_by_role("switch")).to_be_checked()
    desk.keyboard.press("PageDown")
    desk.wait_for_function(SHOWN, arg="8")
    desk.go_back()
    desk.wait_for_function(SHOWN, arg="7")
    expect(desk.get_by_role("switch")).to_be_checked()


def test_every_enumerated_setting_of_a_beat_has_its_file(folder):
    for path in folder.glob("beats/*/*.js"):
        name, number = path.stem, path.stem.partition("_")[0]
        assert name == number or (folder / "beats" / path.parent.name / f"{number}.js").exists()


def test_a_picture_is_described_from_a_file_of_its_own_also_as_a_control_was_set(desk, site):
    desk.goto(f"{site}zipf.html?beat=zipf.9")
    desk.wait_for_function(SHOWN, arg="9")
    desk.get_by_role("button", name="Describe").click()
    first = desk.get_by_role("grid").locator(".overview").inner_text()
    desk.locator(".words .control").get_by_role("radio", checked=False).first.click()
    expect(desk.locator(".announced")).to_contain_text("before")
    assert desk.get_by_role("grid").locator(".overview").inner_text() != first


def test_end_and_the_list_of_beats_stay_in_a_lecture(desk, site):
    playlist = lectures()["tokens_45"]
    desk.goto(f"{site}{playlist.beats[3].lesson}.html?beat=tokens_45.4")
    desk.wait_for_function(SHOWN, arg=str(playlist.beats[3].number))
    desk.keyboard.press("j")
    expect(desk.locator(".jump-list li")).to_have_count(len(playlist.beats))
    desk.keyboard.press("Escape")
    desk.keyboard.press("End")
    desk.wait_for_url(f"**/{playlist.beats[-1].lesson}.html?*beat=tokens_45.{len(playlist.beats)}*")
    desk.wait_for_function(SHOWN, arg=str(playlist.beats[-1].number))
    expect(desk.locator(".trail .jump")).to_have_text(f"{len(playlist.beats)} of {len(playlist.beats)}")


def test_an_address_reads_no_script_from_outside_the_site(desk, site):
    asked = []
    desk.on("request", lambda request: asked.append(request.url))
    desk.goto(f"{site}viterbi.html?beat=../../evil.1")
    desk.wait_for_function(SHOWN, arg="1")
    assert not [each for each in asked if "evil.js" in each]


def test_a_learners_own_words_need_the_course_and_the_page_says_how_to_start_it(desk, site):
    own = next(n for n, beat in enumerate(story_of(by_name("viterbi").module), 1) if beat.name == "own")
    desk.goto(f"{site}viterbi.html?beat=viterbi.{own}")
    desk.get_by_role("textbox").fill("the dog barks")
    desk.get_by_role("alert").get_by_role("button", name="Open the lab").click()
    expect(desk.get_by_role("dialog")).to_contain_text("make run")


def by_name(name):
    return next(lesson for lesson in LESSONS if lesson.name == name)


def test_a_lecture_goes_on_from_one_lesson_into_the_next(desk, site):
    playlist = lectures()["tokens_45"]
    change = next(
        i for i in range(1, len(playlist.beats)) if playlist.beats[i].lesson != playlist.beats[i - 1].lesson
    )
    before, after = playlist.beats[change - 1], playlist.beats[change]
    desk.goto(f"{site}{before.lesson}.html?beat=tokens_45.{change}")
    desk.wait_for_function(SHOWN, arg=str(before.number))
    desk.keyboard.press("PageDown")
    if story_of(by_name(before.lesson).module)[before.number - 1].kind == ASK:
        desk.wait_for_function(SHOWN, arg=f"{before.number}.answer")
        desk.keyboard.press("PageDown")
    desk.wait_for_url(f"**/{after.lesson}.html?*beat=tokens_45.{change + 1}*")
    desk.wait_for_function(SHOWN, arg=str(after.number))
    expect(desk.locator(".bar .question")).to_have_text(playlist.title)


def test_the_home_finds_a_lesson_and_leads_to_its_story(desk, site):
    desk.goto(site)
    desk.get_by_role("searchbox").fill("viterbi")
    desk.get_by_role("link", name=re.compile("Viterbi")).first.click()
    desk.wait_for_url("**/viterbi*.html")
    desk.wait_for_function(SHOWN, arg="1")


@pytest.mark.parametrize("name", ["index", "lectures", "sources", "start", "zipf"])
def test_no_page_of_the_site_has_a_fault_that_axe_finds(desk, site, name):
    desk.goto(f"{site}{name}.html")
    if name == "zipf":
        desk.wait_for_function(SHOWN, arg="1")
    assert violations(desk) == []


def test_a_page_holds_the_words_of_its_story_for_a_reader_without_javascript(folder):
    page = (folder / "zipf.html").read_text(encoding="utf-8")
    without = page.partition("<noscript>")[2].partition("</noscript>")[0]
    assert "alone occurs <strong>1,124 times</strong>" in without
    assert without.count("<h2>") >= len(story_of(by_name("zipf").module))


def test_the_next_beat_is_fetched_while_one_is_read(desk, site):
    asked = []
    desk.on("request", lambda request: asked.append(request.url))
    desk.goto(f"{site}zipf.html")
    desk.wait_for_function(SHOWN, arg="1")
    began = time.monotonic()
    while not any(each.endswith("beats/zipf/2.js") for each in asked) and time.monotonic() - began < 10:
        desk.wait_for_timeout(50)
    assert any(each.endswith("beats/zipf/2.js") for each in asked)
