"""The duel: costs and probabilities are core's, the button finds a sentence on which the search really loses."""

import pytest

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm_tables import noun_verb_toy
from core.models.hidden_markov_models.tagger import load_tagger
from tests.lessons.lesson_page import figures, metrics, open_lesson, said


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
    found = app.text_input(key="decoding_duel_tagger_sentence").value.split()
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


def test_the_garden_path_is_one_for_greedy_only():
    words = "Until the police arrest the drug dealers control the street .".split()
    decoded = decode(load_tagger(), words, 1)
    best, chosen = decoded.tags(decoded.viterbi.path), decoded.tags(decoded.greedy.path)
    assert (best[3], best[7]) == ("VERB", "VERB") and (chosen[3], chosen[7]) == ("NOUN", "NOUN")
    app = open_lesson("decoding_duel", model="tagger", tagger_sentence=" ".join(words), width="1")
    assert "Greedy calls “arrest” NOUN" in said(app)


@pytest.mark.parametrize(
    ("model", "sentence"), [("toy", "they watch can fish"), ("diary", "2 1"), ("tagger", "I saw her duck .")]
)
def test_with_equal_transitions_the_picture_changes_and_greedy_finds_the_best(model, sentence):
    query = {"model": model, f"{model}_sentence": sentence}
    whole, broken = open_lesson("decoding_duel", **query), open_lesson("decoding_duel", even="true", **query)
    assert figures(whole)[0] != figures(broken)[0]
    assert "Greedy finds a best path" in said(broken) and "Greedy calls" in said(whole)
    shown = metrics(broken)
    assert shown["Sentences greedy gets wrong, broken"] == "0%" != shown["Sentences greedy gets wrong, whole"]


def test_a_sentence_found_in_an_own_text_stays_out_of_the_address():
    text = "Zanderdam sleeps. I saw her duck. Until the police arrest the drug dealers control the street."
    app = open_lesson("decoding_duel", text, model="tagger", where="your text", tagger_sentence="We walk .")
    app = app.button(key="decoding_duel_find").click().run()
    found = app.text_input(key="decoding_duel_tagger_own_sentence").value
    assert found == "I saw her duck ."
    assert "duck" not in str(dict(app.query_params))
    app = app.button(key="decoding_duel_publish").click().run()
    assert app.text_input(key="decoding_duel_tagger_sentence").value == "I saw her duck ."
    assert "duck" in str(dict(app.query_params))


def test_the_answer_is_nowhere_before_the_guess_and_the_closing_always_is():
    app = open_lesson("decoding_duel", predict="true")
    assert "Greedy" not in said(app).replace("Greedy keeps one", "")
    assert not [table for table in app.dataframe if "search" in table.value]
    assert "The code that ran" in [tab.label for tab in app.tabs]


def test_a_beam_wider_than_the_next_model_has_states_is_brought_back_to_its_width():
    app = open_lesson("decoding_duel", model="tagger", width=8)
    app.segmented_control(key="decoding_duel_model").set_value("toy").run()
    assert not app.exception
    assert app.slider(key="decoding_duel_width").value == 3
    assert app.query_params["decoding_duel_width"] == "3"
