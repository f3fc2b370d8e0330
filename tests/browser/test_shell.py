"""What only a browser shows of the shell: deep links, headers, accessibility, and the width of a phone."""

import random
from dataclasses import dataclass
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Page, expect

from core.lesson.browser_view import address_of, code_of
from pages import SUBJECTS
from tests import own_loop
from tests.benchmarks.student import Student
from tests.browser.conftest import settle, start_server
from tests.browser.contrast import hard_to_read

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
COLLISIONS = (Path(__file__).parent / "collisions.js").read_text(encoding="utf-8")
# Streamlit's own sidebar menu nests its lists in a way that axe faults; everything else must pass.
RUN = """(contrast) => axe.run({exclude: [['[data-testid=stSidebarNav]']]}, {
    resultTypes: ['violations'], rules: {'color-contrast': {enabled: contrast}}})"""
# test_stories walks the stories; of their labs, one of each subject stands for all, since their kit is one.
LABS = [subject.LESSONS[0] for subject in SUBJECTS]
NAMES = [
    "",
    *(f"{each.LESSON.name}?lab=true" for each in LABS),
    "worksheets",
    "viterbi?lab=true&viterbi_practise=true&viterbi_practise_number=2",
]
LECTURE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
HALL = {"width": 1280, "height": 720}


def violations(page, contrast=True) -> list[tuple[str, str]]:
    """Return what axe finds; `contrast` takes it as long as all else, and too_pale also sees the words of pictures."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(RUN, contrast)["violations"]
    return [(rule["id"], node["html"][:160]) for rule in found for node in rule["nodes"]]


def pale_words(page, tries: int = 4) -> list[str]:
    """Return the words of the page's pictures that cannot be read well, once the views have the scheme's colours."""
    found = hard_to_read(page)
    for _ in range(tries - 1):
        if not found:
            break
        page.wait_for_timeout(700)
        found = hard_to_read(page)
    return found


def test_a_deep_link_as_a_fresh_server_s_first_request_opens_the_right_lesson(page):
    process, url = start_server()
    try:
        page.goto(f"{url}/word_axis?word_axis_left=bad&word_axis_right=good")
        expect(page.get_by_role("heading", name="Semantic axes and bias")).to_be_visible()
        expect(page.get_by_label("Left end")).to_have_value("bad")
        expect(page.get_by_label("Right end")).to_have_value("good")
        assert page.get_by_role("dialog").count() == 0
        assert page.get_by_role("link", name="Word analogies").count() == 1
    finally:
        process.terminate()
        process.wait(10)


def test_every_response_carries_a_content_security_policy(page, url):
    policy = page.goto(url).headers["content-security-policy"]
    allowed = {name: set(sources) for name, *sources in map(str.split, policy.split(";"))}
    assert allowed["default-src"] == {"'self'"}
    assert allowed["object-src"] == {"'none'"}
    no_host = {"'self'", "'none'", "'unsafe-inline'", "'unsafe-eval'", "data:", "blob:"}
    assert set().union(*allowed.values()) <= no_host  # in scripts, pictures, connections and all the rest


@dataclass
class Visit:
    """A lesson that was opened once, at lecture size in light, with all it asked for and logged."""

    page: Page
    asked: list[str]
    errors: list[str]


def test_the_code_of_a_view_has_an_address_that_a_browser_may_keep(page, url):
    answer = page.request.get(url + address_of("steps"))
    assert answer.ok
    assert answer.text() == code_of("steps")
    assert "immutable" in answer.headers["cache-control"]
    assert address_of("steps") != address_of("map")


@pytest.mark.parametrize(
    "name", ["views/steps.js", "views/steps.00000000.js", "views/..%2F..%2Fapp.py", "views/x.js"]
)
def test_nothing_else_has_an_address_beside_it(page, url, name):
    assert page.request.get(f"{url}/{name}").status in (400, 404)


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(f"visit {name}")) for name in NAMES],
)
def visit(chromium, url, request):
    context = chromium.new_context(viewport=LECTURE, color_scheme="light")
    seen = Visit(context.new_page(), [], [])
    seen.page.on("request", lambda asked: seen.asked.append(asked.url))
    seen.page.on("console", lambda said: seen.errors.append(said.text) if said.type == "error" else None)
    seen.page.goto(f"{url}/{request.param}")
    settle(seen.page)
    yield seen
    context.close()


def test_a_page_asks_no_other_host_for_anything_and_logs_no_error(visit, url):
    host = url.split("//")[1]
    assert [
        asked for asked in visit.asked if host not in asked and not asked.startswith(("data:", "blob:"))
    ] == []
    assert [error for error in visit.errors if "404" not in error] == []
    assert visit.page.locator("[data-testid=stException]").count() == 0


def test_no_words_of_a_picture_lie_on_each_other(visit):
    visit.page.set_viewport_size(LECTURE)
    settle(visit.page)
    assert visit.page.evaluate(COLLISIONS) == []


def open_from_menu(page, name: str) -> None:
    """Press a lesson's link in the menu, where it may be folded away with its subject; of a story open the lab."""
    page.locator(f"[data-testid=stSidebarNavLink][href$='/{name}']").dispatch_event("click")
    page.wait_for_url(f"**/{name}*")
    page.locator(".story .lab").click()
    page.locator(".lab-bar").wait_for()


PASTED = "The cat sat on the mat. The dog sat by the cat. A bird sang to the dog and the cat, and the cat sat still."
ON_A_PASTED_TEXT = (
    "zipf co_occurrence subwords next_character sampling generation_tree one_text tagging hidden_state "
    "growing_attention causal_mask positions self_attention"
).split()


def test_no_words_of_a_picture_lie_on_each_other_on_a_pasted_text(page, url):
    """One page for all: the text is pasted once, and the lessons are opened from the navigation."""
    page.goto(f"{url}/{ON_A_PASTED_TEXT[0]}?lab=true")
    settle(page)
    page.get_by_role("button", name="Change the text").click()
    settle(page)
    page.get_by_role("tab", name="Paste").click()
    page.get_by_role("textbox", name="Paste a text").fill(PASTED)
    page.get_by_role("button", name="Use this text").click()
    expect(page.get_by_text("Pasted text")).to_be_visible()
    found = {}
    for name in ON_A_PASTED_TEXT:
        if not page.url.split("?")[0].endswith(f"/{name}"):
            open_from_menu(page, name)
        settle(page)
        found[name] = page.evaluate(COLLISIONS)
    assert {name: lying for name, lying in found.items() if lying} == {}


def test_what_finds_words_on_words_finds_them_in_figures_and_in_views(page):
    page.set_content(
        "<div class=js-plotly-plot><svg><text y=50>a law</text><text x=9 y=52>a word</text><text y=99>free</text>"
        "</svg></div><div data-testid=stBidiComponentIsolated></div>"
    )
    page.evaluate("""() => {
        const root = document.querySelector('[data-testid]').attachShadow({ mode: 'open' });
        root.innerHTML = '<p style="position:absolute">one</p><p style="position:absolute">two</p>';
    }""")
    assert page.evaluate(COLLISIONS) == ["figure 1: “a law” on “a word”", "view 1: “one” on “two”"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_of_ours_and_the_words_of_pictures_can_be_read(visit, scheme):
    visit.page.set_viewport_size(LECTURE)
    visit.page.emulate_media(color_scheme=scheme)
    expect(visit.page.locator("[data-testid=stApp]")).to_have_css("color-scheme", scheme)
    settle(visit.page)
    assert violations(visit.page) == []
    assert pale_words(visit.page) == []


@pytest.mark.parametrize("ink, pale", [("#757575", False), ("#808080", True)])
def test_what_finds_pale_words_finds_them_in_figures_and_in_views(page, ink, pale):
    page.set_content(
        f"<div class=js-plotly-plot><svg><text y=50 fill='{ink}'>a law</text></svg></div>"
        "<div data-testid=stBidiComponentIsolated></div>"
    )
    page.evaluate(f"""() => {{
        const root = document.querySelector('[data-testid]').attachShadow({{ mode: 'open' }});
        root.innerHTML = '<p style="color: black; background: {ink}">one</p><p style="opacity: 0.5">two</p>';
    }}""")
    found = [said.split("”")[0] for said in pale_words(page, tries=1)]
    assert found == (["figure 1: “a law", "view 1: “two"] if pale else ["view 1: “two"])


PICTURE_FIRST = """() => {
  const strip = document.querySelector('[class*="_stage_strip"]')?.parentElement;
  const top = (element) => element.getBoundingClientRect().top;
  const stage = strip?.nextElementSibling;
  return !strip || top(stage.querySelector("h2") ? stage.firstElementChild.firstElementChild : stage) < top(strip);
}"""


def test_on_a_phone_the_picture_is_before_its_controls_nothing_is_wider_and_no_words_lie_on_each_other(visit):
    visit.page.set_viewport_size(PHONE)
    visit.page.reload()  # a phone opens the page narrow, it does not narrow an open one
    settle(visit.page)
    wider = "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollWidth - m.clientWidth }"
    assert visit.page.evaluate(wider) <= 0
    assert visit.page.evaluate(PICTURE_FIRST), "the picture comes after its controls"
    assert visit.page.evaluate(COLLISIONS) == []


ABOVE_THE_FOLD = """() => {
  const strip = document.querySelector('[class*="_stage_strip"]').parentElement;
  const drawn = strip.nextElementSibling.querySelector('.js-plotly-plot, [data-testid^="stBidi"]');
  const root = [drawn, ...drawn.querySelectorAll("*")].find((each) => each.shadowRoot)?.shadowRoot;
  const large = (each) => each.getBoundingClientRect().height > 40;
  const kinds = ".picture, .table, .box, .stages, .body, svg, canvas";
  const picture = [...(root?.querySelectorAll(kinds) ?? [])].find(large);
  return (picture ?? drawn).getBoundingClientRect().bottom <= innerHeight;
}"""
WHOLE = (
    "text_as_tokens zipf tug_of_war word_map gpt_writes self_attention "
    "ngram_counts logistic_regression parallel_training causal_mask translation_what_if "
    "character_training"
).split()


def test_at_a_lecturer_s_size_with_the_tour_open_the_picture_is_whole_above_the_fold(page, url):
    """One page for all, as above: lessons with a picture of each kind."""
    page.set_viewport_size(HALL)
    page.goto(f"{url}/{WHOLE[0]}?lab=true")
    below = []
    for name in WHOLE:
        if name != WHOLE[0]:
            open_from_menu(page, name)
        settle(page)
        page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 0")
        if not page.evaluate(ABOVE_THE_FOLD):
            below.append(name)
    assert below == []


def test_a_move_of_a_control_runs_the_lesson_alone_and_not_the_navigation(url):
    async def pages_sent_with_a_move():
        student = Student(url, random.Random(1))
        await student.open()
        await student.visit("zipf", "lab=true")
        student.pages = {}
        runs = [await student.move() for _ in range(3)]
        await student.close()
        assert not any(run.errors for run in runs)
        return student.pages

    assert own_loop.run(pages_sent_with_a_move()) == {}
