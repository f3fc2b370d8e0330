"""Stories in a browser: a beat fills the window, is the same however it is reached, can be read, goes on by keys alone.

Each story is walked on a desk in light. Back and by address, with axe, and on a phone in the dark with a click on each
picture, `make test` walks as few stories as show every view, with what moves a third of these; `make test-long` the others.

`ATTEND_SHOTS=folder` keeps a picture of every beat at both sizes.
"""

import io
import os
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from core.lesson.browser_view import VIEWS
from core.lesson.story import ASK, story_of
from pages import LESSONS
from tests.browser.conftest import ROOT, end_motion, settle
from tests.browser.contrast import WORDS, too_pale
from tests.browser.test_shell import violations

STORIES = [lesson for lesson in LESSONS if lesson.is_story]
SIZES = {
    "desk": (1280, 720, 55),
    "phone": (390, 844, 45),
}  # width, height, the least share of the picture in percent
DIFFERENT = 16  # of 255, from which a pixel counts as another one
PIXELS_AT_MOST = 0.01
MEASURE = """() => {
  const inside = (root, selector) => root.querySelector(selector);
  const find = (root) => {
    for (const each of root.querySelectorAll("*")) {
      const story = each.shadowRoot?.querySelector(".story");
      if (story) return story;
    }
  };
  const story = find(document);
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  };
  const host = inside(story, ".host");
  const frame = inside(story, ".frame");
  const view = frame.shadowRoot.querySelector(".parent").firstElementChild;
  return {
    host: box(host), frame: box(frame), view: box(view), words: inside(story, ".said").innerText.split(/\\s+/).length,
    hidden: inside(story, ".words").scrollHeight - inside(story, ".words").clientHeight,
    controls: story.querySelectorAll(".words .control").length,
    drawn: view.querySelectorAll("*").length, heading: inside(story, "h2").textContent,
  };
}"""

DRAWN = """async () => {
  await document.fonts.ready;
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
}"""

MOVED = """([least, most]) => {
  const shadows = (root) => [...root.querySelectorAll("*")].map((each) => each.shadowRoot).filter(Boolean);
  const roots = (root) => [root, ...shadows(root).flatMap(roots)];
  const plot = roots(document).map((root) => root.querySelector(".js-plotly-plot")).find(Boolean);
  const { range } = plot._fullLayout.xaxis;
  return range[0] !== least || range[1] !== most;
}"""

MOTIONS = """() => {
  const find = (root) => {
    for (const each of root.querySelectorAll("*")) {
      const story = each.shadowRoot?.querySelector(".story");
      if (story) return story;
    }
  };
  const moving = find(document).querySelector(".frame").shadowRoot.getAnimations();
  // a transition that turns back halfway ends sooner than it was declared to: what is declared counts
  const declared = ({ effect, transitionProperty }) => {
    const style = getComputedStyle(effect.target);
    const at = Math.max(0, style.transitionProperty.split(", ").indexOf(transitionProperty));
    const durations = style.transitionDuration.split(", ");
    return 1000 * Number.parseFloat(durations[at % durations.length]);
  };
  return moving.map((each) => each.transitionProperty ? declared(each) : each.effect.getComputedTiming().endTime);
}"""


@cache
def views_of(lesson):
    """Return the views that a story's page names."""
    page = (ROOT / lesson.module.replace(".", "/") / "page.py").read_text(encoding="utf-8")
    return frozenset(each.parent.name for each in VIEWS.glob("*/view.js") if f'"{each.parent.name}"' in page)


@cache
def stories_with_every_view():
    """Return a few stories whose pictures are of every view that a story has: each adds most of what is left."""
    left, chosen = set().union(*map(views_of, STORIES)), []
    while left:
        best = max(STORIES, key=lambda lesson: len(views_of(lesson) & left))
        chosen.append(best)
        left -= views_of(best)
    return tuple(chosen)


def in_stories(chosen, left_out=()):
    """Return the mark that runs a test in the chosen stories; `make test-long` runs it in those left out."""
    both = [(each, ()) for each in chosen] + [(each, (pytest.mark.long,)) for each in left_out]
    params = [
        pytest.param(each, id=each.name, marks=[pytest.mark.xdist_group(each.name), *marks])
        for each, marks in both
    ]
    return pytest.mark.parametrize("lesson", params)


def without(stories):
    """Return all stories but these, in the course's order."""
    return [each for each in STORIES if each not in stories]


def every_view(test):
    """Run a test in the stories that show every view."""
    chosen = stories_with_every_view()
    return in_stories(chosen, left_out=without(chosen))(test)


def some_views(test):
    """Run a test in every third of the stories that show every view: what moves, moves by one shared kit."""
    chosen = stories_with_every_view()[::3]
    return in_stories(chosen, left_out=without(chosen))(test)


def each_other_story(test):
    """Run a test in the stories that `every_view` leaves out of `make test`."""
    return in_stories(without(stories_with_every_view()))(test)


def places(lesson):
    """Return every place of a story in order: "3", and behind an ask "3.answer"."""
    found = []
    for number, beat in enumerate(story_of(lesson.module), 1):
        found += [f"{number}", f"{number}.answer"] if beat.kind == ASK else [f"{number}"]
    return found


@pytest.fixture
def still(chromium):
    """Return what opens a page at a size, where nothing moves: a screen can be compared as soon as it stands."""
    contexts = []

    def opened(width, height, scheme="light"):
        context = chromium.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", color_scheme=scheme
        )
        contexts.append(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()


def arrive(page, place):
    """Wait until a beat stands on the screen, its picture drawn."""
    page.locator(f'.story[data-shown="{place}"]:not(.waiting)').wait_for()
    expect(page.locator(".story [data-busy]")).to_have_count(0)
    page.evaluate(DRAWN)


def screen(page):
    shot = page.screenshot(caret="hide", animations="disabled")
    return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), dtype=np.int16)


def differing(one, other):
    """Return the share of pixels in which two screens differ."""
    return float((np.abs(one - other).max(axis=2) > DIFFERENT).mean())


def misfits(page, size, place):
    """Return what breaks the rules of a screen on the beat that stands there."""
    width, height, least = SIZES[size]
    found, wrong = page.evaluate(MEASURE), []
    box = found["host"]
    share = 100 * box["width"] * box["height"] / (width * height)
    if share < least:
        wrong.append(f"{place}: the picture has {share:.1f}% of the screen")
    for name in ("host", "view"):
        inner = found[name]
        if inner["x"] < -1 or inner["y"] < -1 or inner["x"] + inner["width"] > width + 1:
            wrong.append(f"{place}: the {name} is outside: {inner}")
        if inner["y"] + inner["height"] > height + 1:
            wrong.append(f"{place}: the {name} ends below the screen: {inner}")
    if found["words"] > 80 or found["controls"] > 2 or found["hidden"] > 1 or found["drawn"] < 3:
        wrong.append(f"{place}: {found}")
    return wrong


def keep_shot(page, lesson, size, place):
    if folder := os.environ.get("ATTEND_SHOTS"):
        page.screenshot(path=str(Path(folder) / f"{lesson.name}-{size}-{place}.png"))


def is_error(said):
    # Streamlit asks for files of themes that are not there
    return said.type == "error" and "404" not in said.text


def listen(page, url):
    """Return a list that grows by what a page asks other hosts for and by the errors that it logs."""
    wrong, host = [], url.split("//")[1]

    def hear(asked):
        if host not in asked.url and not asked.url.startswith(("data:", "blob:")):
            wrong.append(f"asks {asked.url}")

    page.on("request", hear)
    page.on("console", lambda said: wrong.append(f"logs {said.text}") if is_error(said) else None)
    return wrong


def look(page, lesson, size, place):
    """Return what is wrong on the beat that stands there, and its screen."""
    arrive(page, place)
    seen, wrong = screen(page), misfits(page, size, place)
    wrong += [f"{place}: pale: {word}" for word in too_pale(page.evaluate(WORDS), seen)]
    if moving := page.evaluate(MOTIONS):
        wrong.append(f"{place}: moves for {moving} ms where less motion is wanted")
    keep_shot(page, lesson, size, place)
    return wrong, seen


def walk_on_a_desk(page, lesson, url):
    """Return what is wrong on the way from the first beat to the last, and the screen of each."""
    wrong, first = listen(page, url), {}
    page.goto(f"{url}/{lesson.name}")
    for place in places(lesson):
        faults, first[place] = look(page, lesson, "desk", place)
        wrong += faults
        page.keyboard.press("PageDown")
    return wrong, first


@each_other_story
def test_every_beat_is_one_screen(lesson, url, still):
    """The stories that show every view are walked by the next test."""
    assert walk_on_a_desk(still(1280, 720), lesson, url)[0] == []


@every_view
def test_every_beat_is_the_same_by_next_by_back_and_by_address_and_axe_finds_nothing(lesson, url, still):
    """All beats make their address in one way, so an answer's is opened, which holds most."""
    page, order = still(1280, 720), places(lesson)
    wrong, first = walk_on_a_desk(page, lesson, url)
    for place in reversed(order[:-1]):
        page.keyboard.press("PageUp")
        arrive(page, place)
        wrong += [f"{place}: {rule} {where}" for rule, where in violations(page, contrast=False)]
        if (share := differing(first[place], screen(page))) > PIXELS_AT_MOST:
            wrong.append(f"{place}: by Back {share:.1%} of the pixels are others")
    answer = next(place for place in order if place.endswith(".answer"))
    page.goto(f"{url}/{lesson.name}?beat={lesson.name}.{answer}")
    arrive(page, answer)
    if (share := differing(first[answer], screen(page))) > PIXELS_AT_MOST:
        wrong.append(f"{answer}: by its address {share:.1%} of the pixels are others")
    assert wrong == []


@every_view
def test_every_beat_is_one_screen_of_a_phone_in_the_dark_and_goes_on_after_a_click(lesson, url, still):
    page, wrong = still(390, 844, "dark"), []
    page.goto(f"{url}/{lesson.name}")
    for place in places(lesson):
        wrong += look(page, lesson, "phone", place)[0]
        page.locator(".story .host").click(position={"x": 150, "y": 150})
        arrive(page, place)
        page.keyboard.press("PageDown")
    assert wrong == []


FOCUSABLE = (
    ".story .words :is(button:enabled, input, select, summary, .tie), .story .moves button:enabled, "
    ".story .bar :is(a, button)"
)


KIND = "each => [each.tagName, each.type, each.getAttribute('role'), each.className].join()"
KINDS_TRIED = set()  # in all stories: their kit is one


def try_keys(page, place, following):
    """Go on and back by keys with the focus on each kind of thing that can have it, once in all stories."""
    for number in range(page.locator(FOCUSABLE).count()):
        part = page.locator(FOCUSABLE).nth(number)
        if (kind := part.evaluate(KIND)) in KINDS_TRIED:
            continue
        typed = part.evaluate("each => each.matches('input[type=text]')")
        for key in ["PageDown"] if typed else ["PageDown", "Space", "ArrowRight"]:
            part.focus()
            page.keyboard.press(key)
            arrive(page, following)
            page.keyboard.press("PageUp")
            arrive(page, place)
        KINDS_TRIED.add(kind)


@some_views
def test_what_stays_moves_and_keys_go_on_after_a_click(lesson, url, chromium):
    """What stays from a beat to the next moves there in 200 to 600 ms; on each beat the picture is clicked."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page, order, moved = context.new_page(), places(lesson), []
    page.goto(f"{url}/{lesson.name}")
    for place, following in zip(order, [*order[1:], None], strict=True):
        arrive(page, place)
        moved += page.evaluate(MOTIONS) if place != order[0] else []
        end_motion(page)
        if following:
            try_keys(page, place, following)
            page.locator(".story .host").click(position={"x": 300, "y": 250})
            arrive(page, place)
            end_motion(page)
            page.keyboard.press("PageDown")
    context.close()
    assert len(moved) > 10, "objects that stay move"
    assert all(200 <= each <= 600 for each in moved), sorted(set(moved))


def test_black_present_keys_list_and_escape_mean_the_same_with_the_focus_on_a_switch_and_a_choice(url, still):
    page = still(1280, 720)
    for address, part in (
        ("viterbi?beat=viterbi.7", ".story [role=switch]"),
        ("viterbi?beat=viterbi.3", ".story .choice >> nth=0"),
    ):
        page.goto(f"{url}/{address}")
        page.locator(part).focus()
        page.keyboard.press("b")
        expect(page.locator(".attend-black")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".attend-black")).to_have_count(0)
        page.locator(part).focus()
        page.keyboard.press("p")
        expect(page.locator(".story .bar")).to_be_hidden()
        page.keyboard.press("Escape")
        expect(page.locator(".story .bar")).to_be_visible()
        page.locator(part).focus()
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keys")).to_contain_text("the next beat")
        page.keyboard.press("Escape")
        page.locator(part).focus()
        page.keyboard.press("j")
        expect(page.get_by_role("dialog", name="Jump to")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name="Jump to")).to_have_count(0)
    page.keyboard.press("j")
    page.get_by_role("button", name="Follow the pointers back").click()
    arrive(page, "5")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1280, 720)])
def test_the_list_of_keys_is_inside_the_window_and_can_be_read_to_its_ends(width, height, url, still):
    page = still(width, height)
    page.goto(f"{url}/viterbi?beat=viterbi.2")
    arrive(page, "2")
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keys")
    box = listed.bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0
    assert box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    for text in ("Page Down, Space", "close what is open"):
        listed.get_by_text(text).scroll_into_view_if_needed()
        expect(listed.get_by_text(text)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("move", ["drag", "double click"])
def test_a_figure_moved_in_one_beat_stands_as_drawn_in_the_next_and_on_the_way_back(move, url, still):
    page, drawn = still(1280, 720), {}
    for place in ("3", "3.answer"):
        page.goto(f"{url}/quantization?beat=quantization.{place}")
        arrive(page, place)
        drawn[place] = screen(page)
    page.keyboard.press("PageUp")
    arrive(page, "3")
    box = page.locator(".story .host").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if move == "drag":
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 150, y + 120, steps=5)
        page.mouse.up()
    else:
        page.mouse.dblclick(x, y)
    page.mouse.move(1, 1)
    page.wait_for_function(MOVED, arg=[-0.4, 7.4])
    for key, place in (("PageDown", "3.answer"), ("PageUp", "3")):
        page.keyboard.press(key)
        arrive(page, place)
        assert differing(drawn[place], screen(page)) <= PIXELS_AT_MOST, place


def test_what_is_pressed_while_a_beat_loads_is_kept_and_done(url, still):
    page = still(1280, 720)
    page.goto(f"{url}/viterbi", wait_until="domcontentloaded")
    for _ in range(2):
        page.keyboard.press("PageDown")
    arrive(page, "3")
    for _ in range(4):
        page.keyboard.press("PageDown")
    arrive(page, "6")


def test_a_guess_is_answered_on_the_next_screen_and_the_right_choice_is_marked(url, still):
    page = still(1280, 720)
    page.goto(f"{url}/viterbi?beat=viterbi.3")
    arrive(page, "3")
    page.locator(".choice", has_text="hot").click()
    arrive(page, "3.answer")
    expect(page.locator(".choice.right")).to_have_text("cold")
    expect(page.locator(".choice.wrong")).to_have_text("hot")
    expect(page.locator(".verdict")).to_have_text("You chose hot. It is cold.")
    assert page.url.endswith("beat=viterbi.3.answer")


def test_what_is_changed_in_a_beat_stands_in_its_address_and_leaks_into_no_other(url, still):
    page = still(1280, 720)
    page.goto(f"{url}/viterbi?beat=viterbi.8")
    arrive(page, "8")
    field = page.get_by_label("Ice creams per day")
    expect(field).to_be_focused()
    field.fill("1 1 3")
    expect(page.locator(".story .done")).to_contain_text("Your best path has")
    assert "viterbi_diary_sentence=1+1+3" in page.url
    edited = screen(page)
    page.reload()
    arrive(page, "8")
    expect(field).to_have_value("1 1 3")
    assert differing(edited, screen(page)) <= PIXELS_AT_MOST
    page.keyboard.press("PageDown")
    arrive(page, "9")
    assert "sentence" not in page.url
    page.keyboard.press("PageUp")
    arrive(page, "8")
    expect(field).to_have_value("2 2 3 1 1 2")
    page.go_back()
    arrive(page, "9")


def test_a_field_takes_what_is_typed_key_by_key(url, still):
    page = still(1280, 720)
    page.goto(f"{url}/viterbi?beat=viterbi.8")
    arrive(page, "8")
    page.keyboard.press("End")
    page.keyboard.type(" 3")
    expect(page.get_by_label("Ice creams per day")).to_have_value("2 2 3 1 1 2 3")
    expect(page.locator(".story .done")).to_contain_text("Your best path has")


def test_the_lab_opens_at_what_the_beat_shows_and_one_press_leads_back(url, still):
    page = still(1280, 720)
    page.goto(f"{url}/viterbi?beat=viterbi.6")
    arrive(page, "6")
    page.keyboard.press("l")
    expect(page.locator(".lab-bar h1")).to_have_text("The Viterbi algorithm")
    settle(page)
    expect(page.get_by_label("Sentence", exact=True)).to_have_value(
        "I saw her duck behind the light green plants ."
    )
    assert "viterbi_model=tagger" in page.url
    page.get_by_label("Sentence", exact=True).fill("They can fish .")
    page.keyboard.press("Enter")
    settle(page)
    page.locator(".to-story").click()
    arrive(page, "6")
    page.locator(".story .lab").click()
    settle(page)
    expect(page.get_by_label("Sentence", exact=True)).to_have_value("They can fish .")


def test_an_old_address_with_settings_opens_the_lab(url, still):
    page = still(1280, 720)
    page.goto(f"{url}/viterbi?viterbi_model=toy&viterbi_toy_sentence=they+can+fish")
    expect(page.locator(".lab-bar h1")).to_be_visible()
    settle(page)
    expect(page.get_by_label("Sentence", exact=True)).to_have_value("they can fish")


def test_a_word_lights_its_mark_and_a_mark_its_word(url, still):
    page = still(1280, 720)
    page.goto(f"{url}/viterbi?beat=viterbi.3")
    arrive(page, "3")
    page.locator(".story .tie").first.hover()
    expect(page.locator('[data-mark="node.0.0"]')).to_have_class(re.compile("lit"))
    page.locator('[data-mark="node.0.1"]').hover()
    expect(page.locator(".story .tie").nth(1)).to_have_class(re.compile("lit"))
