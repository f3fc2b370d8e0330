"""The lattice page: its numbers are core's, its ends are met without an exception, underflow is measured."""

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy
from tests.lessons.lesson_page import guess, metrics, open_lesson, sent


def test_the_lattice_is_sent_the_scores_that_core_computes():
    app = open_lesson("viterbi", diary_sentence="2 1 3")
    scores = decode(ice_cream_diary(), "2 1 3".split()).viterbi.scores
    assert np.allclose(sent(app)["log"]["scores"], scores, rtol=1e-5)


def test_the_table_of_every_number_holds_the_same_scores():
    app = open_lesson("viterbi", model="toy", toy_sentence="they can fish")
    lattice = decode(noun_verb_toy(), "they can fish".split()).viterbi
    assert np.allclose(app.dataframe[0].value["ln score"], lattice.scores.ravel())


@pytest.mark.parametrize(
    "sentence", ["", "   ", "🦜 مرحبا", "9", "![a](http://b.c/d.png) <b>x</b> $y$", "1 " * 5000]
)
def test_any_sentence_is_drawn(sentence):
    app = open_lesson("viterbi", diary_sentence=sentence)
    assert not app.exception
    assert app.get("bidi_component")


def test_a_long_sentence_is_shown_in_windows_of_sixty_words():
    app = open_lesson("viterbi", repeat="40")
    assert sent(app)["total"] == 200
    assert len(sent(app)["words"]) == 60


def test_multiplying_in_32_bits_loses_the_path_of_a_long_sentence():
    app = open_lesson("viterbi", model="tagger", repeat="20", multiply="true")
    shown = metrics(app)
    assert shown["Words with the best path's state, whole"] == "100%"
    assert float(shown["Words with the best path's state, broken"].rstrip("%")) < 60


def test_an_unseen_word_is_explained_by_its_ending():
    app = open_lesson("viterbi", model="tagger", tagger_sentence="It glimped quietly .")
    assert any("glimped" in text.value and "ped" in text.value for text in app.text)


def test_predict_first_hides_the_lattice_until_a_guess_is_made():
    app = open_lesson("viterbi", predict="true")
    assert not app.get("bidi_component")
    guess(app, "hot")
    assert app.get("bidi_component")
