"""The view "axis" by itself in Chromium: words at their places, labels apart, and lanes that are kept."""

import re

import numpy as np
import pytest

from core.models.word_vectors.word_axis import axis
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.word_axis.figures import axis_view
from tests.browser.conftest import mount_view
from tests.browser.test_shell import COLLISIONS

PLACES = {"he": -9, "she": 9, "<b>nurse</b>": 4.0, "dancer": 4.2, "artist": 4.1, "boss": -12, "pilot": 0.1}
VECTORS = WordVectors(list(PLACES), np.float32([[x, i] for i, x in enumerate(PLACES.values())]))
LINE = axis(VECTORS, ["he"], ["she"])


def payload(words):
    spread = LINE.spread(VECTORS)
    return axis_view(
        LINE, spread, LINE.place(VECTORS, words, spread), LINE.place(VECTORS, ["he", "she"], spread)
    )


def places(page):
    """Return where each word's dot stands, in pixels of the picture."""
    found = page.evaluate("""() => [...document.querySelector('div').shadowRoot.querySelectorAll('.word')]
        .map(each => [each.querySelector('.label').textContent, each.style.transform])""")
    return {word: [float(n) for n in re.findall(r"-?[\d.]+", moved)] for word, moved in found}


@pytest.mark.parametrize("width", [390, 1280])
def test_words_stand_where_core_puts_them_and_their_labels_apart(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    words = [word for word in PLACES if word not in ("he", "she")]
    mount_view(page, "axis", data := payload(words))
    shown = places(page)
    assert len(shown) == len(PLACES)
    middle, reach = page.evaluate("document.querySelector('div').clientWidth") / 2, data["reach"]
    for each in [*data["words"], *data["ends"]]:
        assert shown[each["word"]][0] == pytest.approx(
            middle + each["standard"] / reach * (middle - 8), abs=0.1
        )
    page.evaluate("document.body.firstElementChild.setAttribute('data-testid', 'stBidiComponentIsolated')")
    assert page.evaluate(COLLISIONS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_word_that_is_added_moves_no_other_and_one_that_is_left_out_neither(page):
    mount_view(page, "axis", payload(["<b>nurse</b>", "artist", "boss"]))
    before = places(page)
    page.evaluate("show", payload(["dancer", "<b>nurse</b>", "artist", "boss"]))
    after = places(page)
    assert {word: after[word] for word in before} == before
    page.evaluate("show", payload(["dancer", "artist"]))
    assert places(page)["artist"] == after["artist"]


def test_a_word_that_is_pointed_at_says_how_far_out_it_lies(page):
    mount_view(page, "axis", payload(["boss", "pilot"]))
    page.locator(".word", has_text="boss").locator("circle").hover()
    said = page.locator("[role=status]")
    assert "“boss” lies" in said.text_content()
    assert "to the left of the average word; 14.3% of all 7 words" in said.text_content()
