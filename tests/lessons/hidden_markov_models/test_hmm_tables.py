"""Change the world: tables that are no distributions are refused in a sentence; the flips are where Viterbi flips."""

import numpy as np
import pytest

from core.models.hidden_markov_models.edited_tables import grids_of, model_of_grids
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy
from tests.lessons.lesson_page import go_to, metrics, open_lesson


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
    app = go_to(app, "viterbi").run()
    assert app.radio(key="viterbi_model").options == ["diary", "toy", "tagger", "yours"]
    app = app.radio(key="viterbi_model").set_value("yours").run()
    assert not app.exception
