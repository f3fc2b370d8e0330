"""The view "layer_mix" by itself in Chromium: rows as core sent them, and a mix that a slider and a key move."""

import numpy as np
import pytest

from core.models.pretraining.elmo import MIX, NOUN_VERB, TAGS, load_elmo
from pages.pretraining.elmo.figures import draw_mix
from tests.browser.conftest import mount_view

WORDS = ["They", "<b>play</b>", "in", "the", "play", "."]


def mounted(page, task=TAGS, s=None):
    elmo = load_elmo()
    mixes, h = elmo.mixes[task], elmo.layers(WORDS)
    asked = elmo.asked(task, WORDS)
    first = 1 if task == TAGS else 4
    data = draw_mix(WORDS, h, mixes, False, mixes[MIX].s if s is None else s, asked, first, "tags")
    mount_view(page, "layer_mix", data)
    return data, mixes[MIX], h


def weights(page):
    return [float(text.split()[1]) for text in page.locator(".value").all_text_contents()]


def test_words_are_shown_as_they_are_written_and_the_mix_has_core_s_tags(page):
    _, mix, h = mounted(page)
    assert page.locator("th.word").all_text_contents() == WORDS
    tags = [mix.classes[k] for k in mix.scores(h).argmax(axis=1)]
    assert page.locator("tr.mix .shown").all_text_contents() == tags
    assert page.locator("tbody tr").count() == 8


@pytest.mark.parametrize("weight", [0.0, 0.4, 1.0])
def test_a_slider_makes_room_and_the_mix_is_core_s_with_these_weights(page, weight):
    _, mix, h = mounted(page)
    page.locator("input").nth(0).evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", weight
    )
    found = np.array(weights(page))  # the rows stand from layer 2 down, the sliders by their layer's row
    assert found.sum() == pytest.approx(1, abs=0.011) and found[0] == pytest.approx(weight)
    exact = mix.s.copy()
    exact[2] = weight
    exact[:2] *= (1 - weight) / exact[:2].sum()
    with np.errstate(divide="ignore"):
        z = mix.with_weights(np.log(exact)).scores(h)
    tags = [mix.classes[k] for k in z.argmax(axis=1)]
    assert page.locator("tr.mix .shown").all_text_contents() == tags


def test_a_layer_that_took_all_the_weight_gives_it_back(page):
    mounted(page, s=np.array([0.0, 0.0, 1.0]))
    page.locator("input").nth(0).evaluate(
        "slider => { slider.value = 0.5; slider.dispatchEvent(new Event('input')); }"
    )
    assert weights(page)[0] == 0.5 and all(weights(page)[1:])


def test_the_formula_follows_the_chosen_word_by_key_and_by_click(page):
    mounted(page)
    assert page.locator(".formula").text_content().startswith("“<b>play</b>”")
    page.locator(".around").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".formula").text_content().startswith("“in”")
    page.locator("th.word").nth(4).click()
    assert page.locator(".formula").text_content().startswith("“play”")
    assert page.locator("tr.mix td.chosen").count() == 1


def test_of_a_task_that_asks_about_some_words_the_others_stay_empty_and_are_passed_over(page):
    _, mix, h = mounted(page, NOUN_VERB)
    tags = [mix.classes[k] for k in mix.scores(h).argmax(axis=1)]
    shown = page.locator("tr.mix .shown").all_text_contents()
    assert shown == ["", "", "", "", tags[4], ""]  # “<b>play</b>” is a word of its own
    assert page.locator(".formula").text_content().startswith("“play”")
    page.locator(".around").focus()
    page.keyboard.press("ArrowLeft")
    page.locator("th.word").nth(0).click()
    assert page.locator(".formula").text_content().startswith("“play”")


def test_the_weights_are_returned_when_a_slider_is_let_go(page):
    mounted(page)
    page.locator("input").nth(2).focus()
    page.keyboard.press("End")
    assert page.evaluate("returned")["mix"] == [1, 0, 0]


def test_it_fits_a_telephone(page):
    page.set_viewport_size({"width": 390, "height": 800})
    mounted(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_on_a_phone_the_sliders_stay_in_sight_while_the_words_scroll_behind_them(page):
    page.set_viewport_size({"width": 390, "height": 844})
    elmo = load_elmo()
    words = WORDS * 3
    mixes = elmo.mixes[TAGS]
    data = draw_mix(words, elmo.layers(words), mixes, False, mixes[MIX].s, [True] * len(words), 1, "tags")
    mount_view(page, "layer_mix", data)
    around = page.locator(".around")
    assert around.evaluate("(box) => box.scrollWidth > box.clientWidth")
    for slider in page.locator("input").all():
        box = slider.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
