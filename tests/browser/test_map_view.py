"""The map in a real browser: labels that never collide, finding, pointing, moving, and what the page hears of it."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from core.figures.word_vectors.map_view import map_view, replay_view
from core.lesson.choices.vector_sets import shared_vectors
from core.models.word_vectors.projection import nearest, project
from core.models.word_vectors.training_progress import Progress
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.shared.word_choice import WORDS_OF, themes_of
from tests.browser.conftest import downloaded, mount_view, settle

THEMES = [word for words in WORDS_OF.values() for word in words]
COLLIDING = """() => {
  const root = [...document.querySelectorAll('*')].find(each => each.shadowRoot?.querySelector('.map')).shadowRoot;
  const frame = root.querySelector('.picture').getBoundingClientRect();
  const labels = [...root.querySelectorAll('.label')].map(each => [each.textContent, each.getBoundingClientRect()]);
  const wrong = [];
  labels.forEach(([word, a], i) => {
    if (a.left < frame.left - 1 || a.top < frame.top - 1 || a.right > frame.right + 1 || a.bottom > frame.bottom + 1)
      wrong.push(`${word} leaves the picture`);
    for (const [other, b] of labels.slice(0, i))
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        wrong.push(`${word} covers ${other}`);
  });
  return [labels.length, wrong];
}"""


def drawn(words, **fields):
    here = shared_vectors("glove").subset(words)
    near = nearest(here.vectors, 3, "cosine")
    return map_view(here.words, project(here.vectors), "Some words", near, **fields)


def labels(page):
    return page.locator(".label").all_text_contents()


def place_of(page, word):
    """Return where a word's label stands on the screen."""
    box = page.locator(".label").get_by_text(word, exact=True).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def resting(page):
    page.wait_for_timeout(900)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("words", [THEMES, shared_vectors("glove").words[150:2150]], ids=["30", "2000"])
def test_no_label_covers_another_or_leaves_the_picture_at_any_zoom(page, width, words):
    page.set_viewport_size({"width": width, "height": 720})
    mount_view(page, "map", drawn(words, theme_of=themes_of("four themes")))
    counts = []
    for presses in (0, 1, 4, 4):
        for _ in range(presses):
            page.get_by_role("button", name="Zoom in").click()
        resting(page)
        count, wrong = page.evaluate(COLLIDING)
        assert not wrong
        counts.append(count)
    assert counts[0] >= 12
    page.locator("canvas").focus()
    page.keyboard.press("0")
    resting(page)
    assert page.evaluate(COLLIDING)[0] == counts[0]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_texts_names_leave_all_marks_in_sight_so_there_are_fewer_but_what_is_looked_up_is_named(page):
    words = list(shared_vectors("glove").words[150:1150])
    looked = {"chosen": words[3], "neighbours": words[10:13]}
    counts = {}
    for noun in ("word", "document"):
        mount_view(page, "map", drawn(words, noun=noun, **looked))
        resting(page)
        counts[noun] = len(labels(page))
        assert set(words[10:13]) | {words[3]} <= set(labels(page))
    assert 4 < counts["document"] < counts["word"]


def test_a_word_that_is_found_is_said_with_its_numbers_and_centred_and_another_is_not_on_the_map(page):
    data = drawn(THEMES)
    mount_view(page, "map", data)
    page.get_by_label("Find a word on the map").fill("que")
    resting(page)
    here = shared_vectors("glove").subset(THEMES)
    x, y = project(here.vectors).coordinates[here.row("queen")]
    said = f"“queen” at ({x:.2f}, {y:.2f}). Nearest of these words by cosine, in all 50 dimensions: ".replace(
        "-", "−"
    )
    near = ", ".join(f"{each.word} {each.similarity:.2f}" for each in here.neighbours("queen", 3))
    expect(page.get_by_role("status")).to_have_text(said + near)
    box, (at_x, at_y) = page.locator("canvas").bounding_box(), place_of(page, "queen")
    assert abs(at_x - box["x"] - box["width"] / 2) < 60 and abs(at_y - box["y"] - box["height"] / 2) < 40
    page.get_by_label("Find a word on the map").fill("<b>kingg")
    expect(page.get_by_role("status")).to_have_text("“<b>kingg” is not on this map.")


def test_a_word_is_pointed_at_by_hand_and_by_key_and_reported_when_it_is_clicked(page):
    mount_view(page, "map", drawn(THEMES, clickable=True))
    resting(page)
    page.mouse.move(*place_of(page, "palace"))
    expect(page.get_by_role("status")).to_contain_text("“palace” at")
    page.mouse.click(*place_of(page, "palace"))
    assert page.evaluate("window.returned") == {"word": "palace"}
    page.mouse.move(2, 2)
    page.locator("canvas").focus()
    first = None
    for key in ("ArrowLeft", "ArrowLeft", "ArrowDown"):
        before, first = first, page.get_by_role("status").text_content()
        page.keyboard.press(key)
        expect(page.get_by_role("status")).not_to_have_text(first)
    assert before != first
    page.keyboard.press("Enter")
    word = page.get_by_role("status").text_content().split("”")[0][1:]
    assert page.evaluate("window.sent.at(-1)") == ["word", word]
    name = page.locator("canvas").get_attribute("aria-label")
    assert name.startswith("Some words. ") and "Enter looks a word up" in name


def test_it_is_dragged_and_zoomed_and_a_double_click_shows_all_again(page):
    mount_view(page, "map", drawn(THEMES))
    resting(page)
    before = place_of(page, "palace")
    box = page.locator("canvas").bounding_box()
    page.mouse.move(box["x"] + 12, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 72, box["y"] + 42, steps=5)
    page.mouse.up()
    resting(page)
    after = place_of(page, "palace")
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((60, 30), abs=3)
    page.locator("canvas").focus()
    page.mouse.move(*after)
    page.mouse.wheel(0, -400)
    resting(page)
    assert place_of(page, "palace") == pytest.approx(after, abs=60)
    page.mouse.dblclick(box["x"] + 12, box["y"] + box["height"] - 12)
    resting(page)
    assert place_of(page, "palace") == pytest.approx(before, abs=3)


def test_words_that_stay_move_smoothly_and_new_ones_come_without_a_collision(page):
    mount_view(page, "map", drawn(THEMES[:16]))
    resting(page)
    page.evaluate(
        """data => { window.seen = []; window.show(data);
        const look = () => { const root = [...document.body.children].find(each => each.shadowRoot).shadowRoot;
          const king = [...root.querySelectorAll('.label')].find(each => each.textContent === 'king');
          if (king) { const box = king.getBoundingClientRect(); window.seen.push([box.left, box.top]); }
          requestAnimationFrame(look); }; requestAnimationFrame(look); }""",
        drawn(THEMES, turn=np.array([[0.0, 1.0], [1.0, 0.0]])),
    )
    resting(page)
    seen = np.array(page.evaluate("window.seen"))
    way = np.linalg.norm(seen[-1] - seen[0])
    assert way > 40 and len({tuple(each) for each in seen.tolist()}) > 3
    assert not page.evaluate(COLLIDING)[1]


def test_words_are_text_and_a_training_is_replayed_frame_by_frame(page):
    words = ["<b>bold</b>", "&amp;", "ملك", "plain"]
    random = np.random.default_rng(2)
    shots = [
        Progress(step, 20, 0, 1.0, 1.0, 0.0, WordVectors(words, random.normal(size=(4, 3)).astype("f4")))
        for step in (0, 10, 20)
    ]
    mount_view(page, "map", replay_view(words, shots))
    resting(page)
    assert {"<b>bold</b>", "&amp;", "ملك", "plain"} <= set(labels(page))
    expect(page.locator(".readout")).to_have_text("after 20 steps")
    before = place_of(page, "plain")
    page.get_by_role("button", name="First step").click()
    resting(page)
    expect(page.locator(".readout")).to_have_text("after 0 steps")
    assert place_of(page, "plain") != pytest.approx(before, abs=3)
    assert not page.evaluate(COLLIDING)[1]


def test_the_map_is_saved_as_it_is_seen(page, tmp_path):
    mount_view(page, "map", drawn(THEMES))
    resting(page)
    svg = downloaded(page, "Save as SVG")
    svg.save_as(tmp_path / "map.svg")
    text = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert all(f">{word}</text>" in text for word in labels(page))
    assert downloaded(page, "Save as PNG").suggested_filename == "map.png"


def test_a_word_clicked_on_the_lesson_s_map_is_looked_up(page, url):
    page.goto(f"{url}/word_map?lab=true&word_map_word=")
    settle(page)
    page.mouse.click(*place_of(page, "palace"))
    expect(page.get_by_role("textbox", name="Word", exact=True)).to_have_value("palace")
    expect(page.get_by_text("Nearest neighbours of “palace”")).to_be_visible()


def test_what_is_seen_stands_in_the_address_and_can_be_projected_afresh(page, url):
    page.goto(f"{url}/word_map?lab=true&word_map_word=")
    settle(page)
    page.get_by_label("Find a word on the map").fill("dog")
    page.wait_for_url(re.compile("word_map_map_view=2_"))
    resting(page)
    seen = labels(page)
    address = page.url
    assert "word_map_map_find=dog" in address
    page.goto(address)
    settle(page)
    expect(page.get_by_label("Find a word on the map")).to_have_value("dog")
    resting(page)
    assert labels(page) == seen
    afresh = page.get_by_role("button", name="afresh")
    count = int(afresh.inner_text().split()[2])
    afresh.click()
    field = page.get_by_role("textbox", name="Words, separated by spaces or commas")
    expect(field).to_be_visible()
    settle(page)
    words = field.input_value().split()
    assert len(words) == count < 30 and "dog" in words
    assert words[0] in page.url
