"""The pictures on documents hold what was computed, and nothing that is infinite."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from core.figures.documents.held_out import accuracy_table, class_confusion_figure, no_class, short_names
from core.figures.documents.naive_bayes import reading_frames
from core.models.documents.bag_of_words import Bags
from core.models.documents.held_out import judge
from core.models.documents.naive_bayes import NaiveBayes, explain_words
from core.models.documents.two_weights import TwoWeights, descend, minimum_of
from pages.documents.logistic_regression.figures import (
    descent_frames,
    reach_of,
    shared_surface,
    weights_figure,
)

PLACES = st.floats(-50, 50)


@given(PLACES, PLACES)
def test_the_box_holds_the_start_and_the_lowest_place_with_room_around_both(one, other):
    least, path = np.array([one, other]), np.zeros((1, 2))
    reach = reach_of(least, path)
    for w in (least, path[0]):
        assert (reach[:, 0] < w).all() and (w < reach[:, 1]).all()


def test_levels_rise_and_the_path_is_sent_whole():
    surface = TwoWeights(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([1, 0]), np.zeros(2), 0.0, l2=1.0)
    path, least = descend(surface, np.zeros(2), 0.3, 5), minimum_of(surface)
    shared = shared_surface(surface, least, path, ["a", "b"])
    assert (np.diff(shared["levels"]) > 0).all()
    assert len(descent_frames(surface, path, 0.3, ["a", "b"])) == len(path)


def test_a_step_that_goes_up_says_so_and_one_that_moves_nothing_does_not():
    surface = TwoWeights(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([1, 0]), np.zeros(2), 0.0, l2=1.0)
    least = minimum_of(surface)
    up = descent_frames(surface, np.array([least, least + 1]), 0.1, ["a", "b"])[1]
    still = descent_frames(surface, np.array([least, least]), 0.1, ["a", "b"])[1]
    assert "went up by" in up["said"] and up["notes"]
    assert "no longer changes J" in still["said"] and not still["notes"]


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_no_bar_is_infinite_and_the_classes_have_one_scale(alpha):
    bags = Bags(("a", "b", "c"), ("x", "y"), csr_matrix([[2.0, 1, 0], [0.0, 1, 1]]), np.array([0, 1]))
    model = NaiveBayes(alpha).fit(bags.X, bags.y)
    frames = reading_frames(model, explain_words(model, bags, ["a", "c"]), bags.classes, [1, 0])
    values = [value for column in frames[-1]["picture"]["columns"] for value in column["values"]]
    assert np.isfinite(values).all()
    assert frames[-1]["picture"]["together"] == 2
    assert ("−∞" in frames[1]["picture"]["columns"][0]["texts"][1]) == (alpha == 0)
    assert [len(frame["picture"]["rows"]) for frame in frames] == [1, 2, 3, 3]


def test_a_column_for_no_class_stands_only_where_there_are_such_documents():
    decided = judge(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 0]))
    silenced = judge(np.array([[0.9, 0.1], [np.nan, np.nan]]), np.array([0, 0]))
    assert no_class() not in class_confusion_figure(decided, "xy").data[0].x
    assert class_confusion_figure(silenced, "xy").data[0].x[-1] == no_class()


def test_names_that_are_cut_alike_stay_apart_and_are_no_markup():
    names = short_names(["a very long name of one", "a very long name of two", "<b>"])
    assert len(set(names)) == 3 and names[2] == "&lt;b&gt;"


def test_the_accuracy_s_cells_give_their_formula():
    table, formula = accuracy_table(judge(np.array([[0.9, 0.1]] * 10), np.array([0] * 8 + [1] * 2)))
    assert table["accuracy"][0] == 0.8
    assert "frac{8}{10}" in formula(0, "accuracy") and "0.4902" in formula(0, "95% from")
    assert formula(0, "right") is None


def test_weights_of_one_sign_are_drawn_alone():
    assert weights_figure(["a", "b"], np.array([1.0, 2.0])).data[0].x.tolist() == [1.0, 2.0]
    assert weights_figure(["a"], np.zeros(1)).data[0].x.tolist() == []
