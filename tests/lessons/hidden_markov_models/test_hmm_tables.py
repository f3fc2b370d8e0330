"""Change the world: tables that are no distributions are refused in a sentence; the flips are where Viterbi flips."""

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.edited_tables import grids_of, model_of_grids
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.what_if import with_probability
from tests.lessons.lesson_page import figures, go_to, metrics, open_lesson, said, try_prompt


@pytest.mark.parametrize("model", [ice_cream_diary(), noun_verb_toy()], ids=["diary", "toy"])
def test_tables_come_back_from_the_grids_as_they_were(model):
    again = model_of_grids(model, grids_of(model))
    assert np.allclose(np.exp(again.log_transition), np.exp(model.log_transition))
    assert np.allclose(np.exp(again.log_emission), np.exp(model.log_emission))
    assert (again.log_end is None) == (model.log_end is None)


def test_a_row_that_does_not_sum_to_one_is_refused_with_its_name():
    model = ice_cream_diary()
    tables = grids_of(model)
    tables["transition"][0, 1] = 0.7
    with pytest.raises(ValueError, match=r"The transitions from hot sum to 1\.2"):
        model_of_grids(model, tables)


def test_an_empty_cell_is_refused():
    model = ice_cream_diary()
    tables = grids_of(model)
    tables["emission"][0, 0] = np.nan
    with pytest.raises(ValueError, match="emissions of hot"):
        model_of_grids(model, tables)


def test_the_page_says_where_the_path_flips():
    app = open_lesson("hmm_tables", diary_sentence="2 1", diary_cell="p(hot | start)")
    assert "Flips at p = 0.6154" in [text.value for text in app.text]


def test_words_that_say_nothing_change_the_path():
    app = open_lesson("hmm_tables", mute="true", diary_sentence="3 3 1 1")
    assert metrics(app)["Words that keep their state, broken"] != "100%"


def test_a_kept_model_is_offered_in_the_other_lessons():
    app = open_lesson("hmm_tables")
    app = app.button(key="hmm_tables_keep").click().run()
    app.query_params["lab"] = "true"
    app = go_to(app, "viterbi").run()
    assert app.segmented_control(key="viterbi_model").options == ["diary", "toy", "tagger", "yours"]
    app = app.segmented_control(key="viterbi_model").set_value("yours").run()
    assert not app.exception


EDITS = "transition.0.0:0.1 transition.0.1:0.9"


def test_edited_tables_come_back_from_the_address():
    app = open_lesson("hmm_tables", diary_sentence="3 3 3", diary_edits=EDITS)
    grids = [each.value for each in app.dataframe if {"hot", "cold"} <= set(each.value.columns)]
    assert grids[1][["hot", "cold"]].to_numpy().tolist() == [[0.1, 0.9], [0.2, 0.8]]
    model = with_probability(ice_cream_diary(), "transition", 0, 0, 0.1)
    now, before = (decode(each, ["3"] * 3).viterbi for each in (model, ice_cream_diary()))
    assert now.path == (0, 1, 0) != before.path == (0, 0, 0)  # the middle one of 3 3 3 turns cold
    assert "The path flipped" in said(app)
    assert app.query_params["hmm_tables_diary_edits"] in (EDITS, [EDITS])
    app = app.button(key="hmm_tables_undo").click().run()
    assert "The path is the same" in said(app)
    assert "hmm_tables_diary_edits" not in app.query_params


def test_a_prompt_edits_the_tables_and_the_link_says_so():
    app = try_prompt(open_lesson("hmm_tables"), "hmm_tables", 1).run()
    assert "The path flipped" in said(app)
    assert app.query_params["hmm_tables_diary_edits"] in (EDITS, [EDITS])
    app = app.button(key="hmm_tables_undo").click().run()
    assert "The path is the same" in said(app)


def test_a_link_from_the_midst_of_an_edit_shows_the_tables_that_were_right_last():
    half = f"{EDITS} transition.1.0:0.5"
    app = open_lesson("hmm_tables", diary_sentence="3 3 3", diary_edits=half, diary_last_right=EDITS)
    assert app.warning
    assert "The path flipped" in said(app)
    assert app.query_params["hmm_tables_diary_last_right"] in (EDITS, [EDITS])
    spoilt = open_lesson("hmm_tables", diary_edits=half, diary_last_right="initial.0.0:0.9")
    assert not spoilt.exception
    assert "The path is the same" in said(spoilt)


@pytest.mark.parametrize(
    "edits", ["", "nonsense", "initial.0.0:0.9", "initial.9.9:1", "initial.0.0:inf " * 300]
)
def test_a_spoilt_address_keeps_the_tables(edits):
    app = open_lesson("hmm_tables", diary_edits=edits)
    assert not app.exception
    assert "The path is the same" in said(app)
    assert bool(app.warning) == (edits == "initial.0.0:0.9")  # that row no longer sums to one


@pytest.mark.parametrize(
    ("model", "sentence"), [("diary", "3 1 3 2 1"), ("diary", "3 3 1 1"), ("toy", "they can fish")]
)
def test_words_that_say_nothing_change_the_picture_or_the_page_says_the_path_stays(model, sentence):
    query = {"model": model, f"{model}_sentence": sentence}
    whole, broken = open_lesson("hmm_tables", **query), open_lesson("hmm_tables", mute="true", **query)
    same = metrics(broken)["Words that keep their state, broken"] == "100%"
    drawn = [{trace["name"]: trace["y"] for trace in figures(app)[0]["data"]} for app in (whole, broken)]
    places = [
        [round(y) for y in of[name]]
        for of, name in zip(drawn, ("your tables", "without the words"), strict=True)
    ]
    assert (places[0] == places[1]) == same
    assert "with the words" in drawn[1] and "your tables" not in drawn[1], "nobody changed a table"
    assert ("The path is the same" if same else "The path flipped") in said(broken)


def test_the_flip_is_solved():
    app = open_lesson("hmm_tables")
    assert "Flips at p = 0.2424" in [text.value for text in app.text]  # .08 / .33
    assert any("0.2424" in latex.value for latex in app.latex)


def test_edits_are_kept_while_another_model_is_looked_at():
    app = open_lesson("hmm_tables", diary_sentence="3 3 3", diary_edits=EDITS)
    app = app.segmented_control(key="hmm_tables_model").set_value("toy").run()
    app = app.segmented_control(key="hmm_tables_model").set_value("diary").run()
    assert "The path flipped" in said(app)
