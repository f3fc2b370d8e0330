"""Shuffled words: what the page says moved did move, with positions and without, on three texts."""

import re

import pytest

from core.text.samples.shelf import shelf
from tests.lessons.lesson_page import figure, metrics, open_lesson, said

PLAY = next(sample for sample in shelf() if "Macbeth" in sample.title)
TEXTS = {
    "the default": {},
    "a play": {"text": PLAY.read().text, "source": "from your text", "sentence": 40},
    "a short text": {"text": "The dog saw the man. He ran away.", "source": "from your text"},
}


def opened(settings, **more):
    given = dict(settings)
    text = given.pop("text", None)
    return open_lesson("word_order", *([text] if text else []), **given, **more)


@pytest.mark.parametrize("settings", TEXTS.values(), ids=TEXTS)
def test_without_positions_the_masked_model_gives_the_same_outputs_in_another_order(settings):
    whole, broken = opened(settings), opened(settings, no_positions="true")
    moved = re.search(r"With positions (\d+) of (\d+) outputs are as they were", said(whole))
    still = re.search(r"Without positions (\d+) of (\d+) outputs are as they were", said(broken))
    assert int(moved[1]) < int(moved[2])
    assert still[1] == still[2]
    assert figure(broken) != figure(whole)


@pytest.mark.parametrize("settings", TEXTS.values(), ids=TEXTS)
def test_a_causal_model_s_outputs_move_without_positions_too(settings):
    app = opened(settings, model="GPT, byte pairs", no_positions="true", beat="word_order.5")
    told = "without its positions too\\. (\\d+) of (\\d+) outputs (are as they were|is as it was)\\. Its causal mask"
    still = re.search(told, said(app))
    assert (still[3] == "is as it was") == (still[1] == "1")
    assert int(still[1]) < int(still[2])
    assert f"the shuffle moves {int(still[2]) - int(still[1])} of its outputs" in said(app)


@pytest.mark.parametrize("settings", TEXTS.values(), ids=TEXTS)
def test_where_a_text_costs_no_more_without_positions_the_page_says_so(settings):
    app = opened(settings)
    shown = metrics(app)
    whole, broken = (float(shown[label]) for label in shown)
    found = re.search(r"On these (\d+) tokens the model does no worse without its positions", said(app))
    assert bool(found) == (broken <= whole)
    assert not found or f"{found[1]} tokens" in "".join(each.value for each in app.caption)


def test_a_text_of_one_token_cannot_be_shuffled_and_the_rest_of_the_page_stays():
    app = open_lesson("word_order", typed="a")
    assert not app.exception
    assert "A shuffle needs two tokens" in said(app)
    assert "Take it away" in {tab.label for tab in app.tabs}
