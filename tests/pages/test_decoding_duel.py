"""The duel: costs and probabilities are core's, the button finds a sentence on which the search really loses."""

import pytest

from core.lesson.syllabus import lesson
from core.models.hmm import decode
from core.models.hmm_tables import noun_verb_toy
from core.models.tagger import load_tagger
from tests.pages.test_every_lesson import open_page

PAGE = lesson("decoding_duel").path


def test_the_table_shows_what_each_search_found_and_cost():
    app = open_page(PAGE)
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
    app = open_page(PAGE, decoding_duel_model=name)
    app = app.button(key="decoding_duel_find").click().run()
    table = app.dataframe[0].value
    assert table["ln p"][0] > table["ln p"][2] + 1e-9


def test_the_button_searches_the_learner_s_text():
    app = open_page(PAGE, decoding_duel_model="tagger")
    app.segmented_control(key="decoding_duel_where").set_value("your text")
    app = app.button(key="decoding_duel_find").click().run()
    assert not app.exception
    found = app.text_area(key="decoding_duel_tagger_sentence").value.split()
    decoded = decode(load_tagger(), found)
    assert decoded.viterbi.log_probability > decoded.greedy.log_probability


def test_a_beam_of_all_states_never_loses_and_the_page_says_so():
    app = open_page(PAGE, decoding_duel_model="diary", decoding_duel_width="2", decoding_duel_loser="beam")
    app = app.button(key="decoding_duel_find").click().run()
    assert any("never does" in caption.value for caption in app.caption)


def test_with_equal_transitions_greedy_is_never_wrong():
    app = open_page(PAGE, decoding_duel_even="true")
    assert {metric.label: metric.value for metric in app.metric}[
        "Sentences greedy gets wrong, broken"
    ] == "0%"


@pytest.mark.parametrize("sentence", ["they", "", "🦜 " * 200])
def test_any_sentence_is_decoded(sentence):
    assert not open_page(PAGE, decoding_duel_toy_sentence=sentence).exception
