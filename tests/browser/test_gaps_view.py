"""Sentences with gaps in Chromium: words are hidden by mouse and key, and each gap shows core's numbers."""

import numpy as np
import pytest
from playwright.sync_api import expect

from core.figures.frame import frame
from core.figures.pretraining.gaps import gaps_view
from core.models.pretraining.gaps import Filled, TokenisedWord
from tests.browser.conftest import mount_view

pytestmark = pytest.mark.xdist_group("browser")

NAMES = ["a", "<b>", "␣c", "d"]
WORDS = [TokenisedWord("a", 0, 1), TokenisedWord("<b>", 1, 3), TokenisedWord(" c", 3, 4)]
P = np.array([[0.1, 0.6, 0.2, 0.1], [0.4, 0.3, 0.2, 0.1]])


@pytest.fixture
def view(page):
    at, hidden = np.array([1, 2]), np.array([1, 3])
    found = (Filled(at, hidden, np.log(P)), Filled(at, hidden, np.log(P[::-1])))
    seen = ["a", "<b>", "␣c"]
    mount_view(page, "gaps", {**gaps_view(WORDS, seen, [1], found, NAMES), "address": ""})
    return page.locator(".gaps")


def test_a_gap_shows_both_models_lists_and_the_hidden_token(view):
    expect(view.locator(".readout")).to_have_text("Gap 1 of 2 hides “<b>”, piece 1 of 2")
    assert view.locator(".model").first.locator(".token").all_inner_texts() == ["<b>", "␣c", "a", "d"]
    assert view.locator(".line.own .p").all_inner_texts() == ["0.600", "0.300"]
    assert view.locator(".line.own .rank").all_inner_texts() == ["1", "2"]
    widths = view.locator(".line.own .fill").evaluate_all(
        "all => all.map((each) => parseFloat(each.style.inlineSize))"
    )
    assert widths == pytest.approx([100, 50])  # one scale for both lists
    view.locator(".lists").focus()
    view.page.keyboard.press("ArrowRight")
    assert view.locator(".line.own .p").all_inner_texts() == ["0.100", "0.100"]


def test_a_word_is_hidden_by_mouse_and_by_key(view):
    view.get_by_role("button", name="a", exact=True).click()
    assert view.page.evaluate("window.sent") == [["toggle", 0]]
    view.page.keyboard.press("ArrowRight")
    view.page.keyboard.press("Enter")
    assert view.page.evaluate("window.sent.at(-1)") == ["toggle", 1]
    assert view.locator(".word.hidden .text").inner_text() == "<mask> <mask>"
    assert view.locator(".word.hidden .guess").all_inner_texts() == ["<b>a", "a<b>"]
    assert view.locator("b").count() == 0


def test_before_a_guess_there_are_words_and_no_list(page):
    mount_view(page, "gaps", {**gaps_view(WORDS, ["a", "b", "c"], [1], (), NAMES), "address": ""})
    assert page.locator(".word").count() == 3 and page.locator(".lists").count() == 0


def test_a_step_of_training_shows_more_from_step_to_step(page):
    token = {
        "token": "x",
        "drawn": True,
        "fate": "mask",
        "shown": "<mask>",
        "guess": "y",
        "p": "0.5",
        "loss": "L 0.69",
    }
    seen = {"token": "z", "drawn": False, "fate": None, "shown": "z", "guess": None, "p": None, "loss": None}
    frames = [frame(str(i), {"kind": "masking", "reached": i}, "a step", "") for i in (1, 2, 3, 4)]
    data = {"frames": frames, "total": 4, "start": 0, "shared": {"tokens": [token, seen]}, "address": ""}
    mount_view(page, "steps", data)
    place = page.locator(".place.drawn")
    for text in ("x", "<mask>x", "<mask>xyp 0.5", "<mask>xyp 0.5L 0.69"):
        assert place.evaluate("each => each.textContent") == text
        page.get_by_role("button", name="Next step").click()
    assert page.locator(".place").nth(1).evaluate("each => each.textContent") == "z"
