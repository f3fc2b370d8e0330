"""The duel: costs and probabilities are core's, the button finds a sentence on which the search really loses."""

import pytest

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm_tables import noun_verb_toy
from core.models.hidden_markov_models.tagger import load_tagger
from tests.lessons.lesson_page import metrics, open_lesson


def test_the_table_shows_what_each_search_found_and_cost():
    app = open_lesson("decoding_duel")
    decoded = decode(noun_verb_toy(), "they watch can fish".split(), 2)
    table = app.dataframe[0].value
    assert table["products"].tolist() == [
        decoded.viterbi.products,
        decoded.beam.products,
        decoded.greedy.products,
    ]
    assert table["ln p"].tolist() == pytest.approx(
        [decoded.viterbi.log_probability, decoded.beam.log_probability, decoded.greedy.log_probability]
    )
    assert table["nodes kept"].tolist() == [12, 8, 4]


@pytest.mark.parametrize("name", ["diary", "toy", "tagger"])
def test_the_button_finds_a_sentence_on_which_greedy_loses(name):
    app = open_lesson("decoding_duel", model=name)
    app = app.button(key="decoding_duel_find").click().run()
    table = app.dataframe[0].value
    assert table["ln p"][0] > table["ln p"][2] + 1e-9


def test_the_button_searches_the_learner_s_text():
    app = open_lesson("decoding_duel", model="tagger")
    app.segmented_control(key="decoding_duel_where").set_value("your text")
    app = app.button(key="decoding_duel_find").click().run()
    assert not app.exception
    found = app.text_area(key="decoding_duel_tagger_sentence").value.split()
    decoded = decode(load_tagger(), found)
    assert decoded.viterbi.log_probability > decoded.greedy.log_probability


def test_a_beam_of_all_states_never_loses_and_the_page_says_so():
    app = open_lesson("decoding_duel", model="diary", width="2", loser="beam")
    app = app.button(key="decoding_duel_find").click().run()
    assert any("never does" in caption.value for caption in app.caption)


def test_with_equal_transitions_greedy_is_never_wrong():
    app = open_lesson("decoding_duel", even="true")
    assert metrics(app)["Sentences greedy gets wrong, broken"] == "0%"


@pytest.mark.parametrize("sentence", ["they", "", "🦜 " * 200])
def test_any_sentence_is_decoded(sentence):
    assert not open_lesson("decoding_duel", toy_sentence=sentence).exception
