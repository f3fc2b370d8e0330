"""Documents' pictures: names that tell documents apart, marks of labels, bars that add up, intervals as drawn."""

import numpy as np
import pytest

from core.models.documents.document_vectors import Parts
from core.models.documents.nearest_documents import LeftOut
from core.models.word_vectors.projection import project
from pages.documents.document_vectors.figures import (
    document_map_view,
    largest_terms,
    mean_table,
    names_of,
    quality_figure,
    terms_figure,
    weights_table,
)

FOUND = {
    "one": LeftOut(np.array([1, 0, 1, 0]), np.array([True, True, True, False])),
    "two": LeftOut(np.array([1, 0, 1, -1]), np.array([False, True, False, False])),
}


def test_two_documents_that_begin_alike_have_different_names():
    names = names_of(["the same words over and over"] * 3)
    assert len(set(names)) == 3


def test_the_largest_labels_have_marks_of_their_own_and_the_others_share_a_cross():
    labels = ["a"] * 3 + ["b"] * 3 + ["c"] * 2 + ["d"] * 2 + ["e"]
    points = project(np.random.default_rng(0).normal(size=(11, 4)))
    data = document_map_view([f"{i}" for i in range(11)], labels, points, np.eye(2))
    assert [group["name"] for group in data["groups"]] == ["a", "b", "c", "d", ""]
    assert data["groups"][-1]["mark"] == "cross"


def test_bars_and_the_rest_add_up():
    terms = np.random.default_rng(1).normal(size=30)
    parts = Parts(tuple(map(str, range(30))), np.ones(30), np.eye(30))
    names, values = largest_terms(parts, terms, 12)
    assert len(names) == 13 and names[-1] == "18 other words"
    assert sum(values) == pytest.approx(terms.sum())
    assert sum(terms_figure(parts, terms, "cosine").data[0].x) == pytest.approx(terms.sum())


def test_a_single_word_that_is_left_over_keeps_its_name():
    parts = Parts(("a", "b"), np.ones(2), np.eye(2))
    assert largest_terms(parts, np.array([1.0, 2.0]), 1)[0] == ["b", "a"]


def test_intervals_are_drawn_from_end_to_end():
    trace = quality_figure(FOUND, "one", 0.5).data[0]
    assert trace.x.tolist() == [0.75, 0.25]
    assert (trace.x + trace.error_x.array).tolist() == [each.interval[1] for each in FOUND.values()]
    assert (trace.x - trace.error_x.arrayminus) == pytest.approx([e.interval[0] for e in FOUND.values()])


def test_a_cell_of_tf_idf_says_how_it_comes_about():
    added = np.diag([2 * (np.log(10 / 4) + 1), np.log(10 / 10) + 1])
    table, formula = weights_table(Parts(("lid", "the"), np.array([2.0, 1.0]), added), [3, 9], 9, True)
    assert table["weight"].tolist() == pytest.approx([3.8326, 1.0], abs=1e-4)
    assert formula(0, "weight").endswith("= 2 \\cdot 1.916 = 3.833")
    assert formula(1, "idf").endswith("= 1")
    assert formula(1, "divided by the length") == "\\frac{1}{3.961} = 0.2525"


def test_the_mean_of_word_vectors_has_its_sum_filled_in():
    parts = Parts(("good", "bad"), np.array([2.0, 1.0]), np.array([[4.0, 0.0], [-1.0, 3.0]]) / 3)
    table, formula = mean_table(parts)
    assert table["number 1"].tolist() == pytest.approx([2, -1, 1])
    assert formula(2, "number 1") == "\\frac{2 \\cdot (2) + 1 \\cdot (-1)}{3} = 1"
