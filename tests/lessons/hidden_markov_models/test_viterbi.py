"""The lattice page: its numbers are core's, its ends are met without an exception, underflow is measured."""

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy
from tests.lessons.lesson_page import figures, guess, metrics, mounted, open_lesson, said, sent


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
    assert mounted(app)


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
    assert not mounted(app)
    guess(app, "hot")
    assert mounted(app)


BROKEN_ON = [("diary", "3 1 3 2 1"), ("toy", "they watch can fish"), ("tagger", "I saw her duck .")]


@pytest.mark.parametrize(("model", "sentence"), BROKEN_ON)
def test_32_bits_empty_the_lattice_of_a_long_sentence_and_say_so(model, sentence):
    query = {"model": model, f"{model}_sentence": sentence, "repeat": "40"}
    whole, broken = open_lesson("viterbi", **query), open_lesson("viterbi", multiply="true", **query)
    assert not any(all(cell is None for cell in row) for row in sent(whole)["log"]["scores"])
    assert any(all(cell is None for cell in row) for row in sent(broken)["log"]["scores"])
    assert "on every product is 0 in 32 bits" in said(broken)
    assert metrics(broken)["Words with the best path's state, broken"] != "100%"


@pytest.mark.parametrize(("model", "sentence"), BROKEN_ON)
def test_on_a_short_sentence_32_bits_lose_nothing_and_the_page_says_when_they_would(model, sentence):
    query = {"model": model, f"{model}_sentence": sentence}
    app = open_lesson("viterbi", multiply="true", **query)
    whole = open_lesson("viterbi", **query)
    last = [
        np.array(sent(each)["log"]["scores"][-1], dtype=float) for each in (app, whole)
    ]  # None, −inf, is nan
    assert np.allclose(*last, atol=1e-3, equal_nan=True)
    assert "Nothing is lost on these" in said(app)
    dead = int(said(app).partition("Repeat the sentence: at word ")[2].split()[0])
    n = len(sentence.split())
    longer = open_lesson("viterbi", multiply="true", repeat=str(min(40, dead // n + 1)), **query)
    assert f"From word {dead}," in said(longer)


def test_the_tables_of_every_score_stand_beside_the_lattice_before_any_guess():
    app = open_lesson("viterbi", predict="true", tables="probabilities")
    texts = [text for figure in figures(app)[:2] for text in figure["data"][1]["text"]]
    assert texts == ["0.6", "0.4", "0.5", "0.5", "0.2", "0.8", "0.5", "0.2", "0.3", "0.1", "0.6", "0.3"]
    assert "−0.51" in [
        text for figure in figures(open_lesson("viterbi"))[:2] for text in figure["data"][1]["text"]
    ]


def test_how_often_the_neighbours_overrule_is_counted():
    decoded = decode(ice_cream_diary(), "3 1 3 2 1".split())
    rows = zip(decoded.viterbi.path, decoded.emissions.log_emission.tolist(), strict=True)
    other = sum(emitted[state] < max(emitted) for state, emitted in rows)
    assert other > 0
    sentence = f"for {other} of its 5 words it takes a state that does not emit the word most readily"
    assert sentence in said(open_lesson("viterbi"))


@pytest.mark.parametrize("words", ["blorf", "blorf blorf wug"])
def test_a_word_that_every_state_emits_equally_overrules_none(words):
    decoded = decode(noun_verb_toy(), words.split())
    assert (np.ptp(decoded.emissions.log_emission, axis=1) == 0).all()
    assert f"for 0 of its {len(words.split())} word" in said(
        open_lesson("viterbi", model="toy", toy_sentence=words)
    )


def test_a_sentence_too_short_to_be_repeated_long_enough_is_to_be_typed_longer():
    app = open_lesson("viterbi", diary_sentence="3", multiply="true")
    dead = int(said(app).partition("A sentence of ")[2].split()[0])
    assert dead > 40 and "Nothing is lost on this one word" in said(app)
    assert "From word" not in said(open_lesson("viterbi", diary_sentence="3", multiply="true", repeat="40"))
    longer = open_lesson("viterbi", diary_sentence="3 3 3 3", multiply="true", repeat="40")
    assert f"From word {dead}," in said(longer)


def test_a_path_has_not_all_of_the_probability_and_not_nothing():
    certain = open_lesson("viterbi", model="tagger", tagger_sentence="the dog .")
    assert "The best path has more than 99.9% of the probability of all paths" in said(certain)
    assert "The best path has less than 0.1%" in said(open_lesson("viterbi", repeat="40"))
