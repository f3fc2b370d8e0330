"""The lattice page: its numbers are core's, its ends are met without an exception, underflow is measured."""

import json

import numpy as np
import pytest

from core.lesson.syllabus import lesson
from core.models.hmm import decode
from core.models.hmm_tables import ice_cream_diary, noun_verb_toy
from tests.pages.test_every_lesson import open_page

PAGE = lesson("viterbi").path


def payload(app) -> dict:
    return json.loads(app.get("bidi_component")[0].proto.json)


def test_the_lattice_is_sent_the_scores_that_core_computes():
    app = open_page(PAGE, viterbi_diary_sentence="2 1 3")
    scores = decode(ice_cream_diary(), "2 1 3".split()).viterbi.scores
    assert np.allclose(payload(app)["log"]["scores"], scores, rtol=1e-5)


def test_the_table_of_every_number_holds_the_same_scores():
    app = open_page(PAGE, viterbi_model="toy", viterbi_toy_sentence="they can fish")
    lattice = decode(noun_verb_toy(), "they can fish".split()).viterbi
    assert np.allclose(app.dataframe[0].value["ln score"], lattice.scores.ravel())


@pytest.mark.parametrize(
    "sentence", ["", "   ", "🦜 مرحبا", "9", "![a](http://b.c/d.png) <b>x</b> $y$", "1 " * 5000]
)
def test_any_sentence_is_drawn(sentence):
    app = open_page(PAGE, viterbi_diary_sentence=sentence)
    assert not app.exception
    assert app.get("bidi_component")


def test_a_long_sentence_is_shown_in_windows_of_sixty_words():
    app = open_page(PAGE, viterbi_repeat="40")
    assert payload(app)["total"] == 200
    assert len(payload(app)["words"]) == 60


def test_multiplying_in_32_bits_loses_the_path_of_a_long_sentence():
    app = open_page(PAGE, viterbi_model="tagger", viterbi_repeat="20", viterbi_multiply="true")
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown["Words with the best path's state, whole"] == "100%"
    assert float(shown["Words with the best path's state, broken"].rstrip("%")) < 60


def test_an_unseen_word_is_explained_by_its_ending():
    app = open_page(PAGE, viterbi_model="tagger", viterbi_tagger_sentence="It glimped quietly .")
    assert any("glimped" in text.value and "ped" in text.value for text in app.text)


def test_predict_first_hides_the_lattice_until_a_guess_is_made():
    app = open_page(PAGE, viterbi_predict="true")
    assert not app.get("bidi_component")
    guess = next(radio for radio in app.radio if radio.key.startswith("viterbi_guess"))
    app = guess.set_value("hot").run()
    assert app.get("bidi_component")
