"""The board marks who names what, the panels hold what was measured, and formulas end in the table's numbers."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from core.figures.word_vectors.shoot_out import (
    board_view,
    methods_table,
    overlap_figure,
    rated_table,
    scores_figure,
    worked_method,
)
from core.figures.word_vectors.shoot_out_said import inside, said_best, said_of_tenth, what_was_asked
from core.models.word_vectors.shoot_out_board import Score, loss_of, rated_pairs, recorded_board
from core.models.word_vectors.vector_tests import SimilarityScore, word_similarity


def row(method="GloVe", rho=0.5, pairs=50, right=3, asked=4, seconds=1.5):
    return Score(method, SimilarityScore(rho, pairs, 353 - pairs), right, asked, seconds, 7, 9)


def test_below_each_word_stands_how_many_methods_name_it():
    near = {"CBOW": ["queen", "crown"], "GloVe": ["queen", "duke"], "fastText": ["queen", "duke"]}
    data = board_view(near, "king")
    assert [[(each["word"], each["tag"]) for each in line] for line in data["sentences"]] == [
        [("queen", "3 of 3"), ("crown", "1 of 3")],
        [("queen", "3 of 3"), ("duke", "2 of 3")],
        [("queen", "3 of 3"), ("duke", "2 of 3")],
    ]
    assert data["names"] == list(near)
    assert len(set(data["colours"].values())) == 3


def test_the_panels_hold_what_can_be_measured_and_intervals_end_where_they_should():
    rows = [row("CBOW", 0.3), row("GloVe", 0.6)]
    figure = scores_figure(rows)
    assert [title.text for title in figure.layout.annotations] == ["Spearman", "analogies"]
    reach = figure.data[0].error_x
    for place, each in enumerate(rows):
        low, high = each.interval
        assert reach["array"][place] == pytest.approx(high - each.similarity.spearman)
        assert reach["arrayminus"][place] == pytest.approx(each.similarity.spearman - low)
    few = scores_figure([row(pairs=4)])
    assert [title.text for title in few.layout.annotations] == ["analogies", "seconds"]
    none = scores_figure([row(pairs=4, asked=0)])
    assert [title.text for title in none.layout.annotations] == ["seconds"]
    assert list(none.data[0].x) == [1.5]


def test_what_was_before_stands_beside_in_grey():
    figure = scores_figure([row(rho=0.2)], [row(rho=0.6)])
    assert [trace.x for trace in figure.data] == [[0.6], [0.75], [0.2], [0.75]]
    assert figure.data[0].marker.color != figure.data[2].marker.color


def test_the_diagonal_of_the_overlaps_is_empty():
    figure = overlap_figure(np.array([[1, 0.25], [0.25, 1]]), ["CBOW", "GloVe"])
    assert figure.data[0].z == [[None, 0.25], [0.25, None]]


def test_formulas_end_in_the_numbers_of_the_table():
    rows = [row(), row(pairs=3, asked=0)]
    table = methods_table(rows)
    assert worked_method(rows[0], "from").endswith(f"= {table['from'][0]:.4g}")
    assert worked_method(rows[0], "to").endswith(f"= {table['to'][0]:.4g}")
    assert worked_method(rows[0], "analogies").endswith("= 0.75")
    assert np.isnan(table["Spearman"][1]) and np.isnan(table["analogies"][1])
    assert worked_method(rows[1], "from") is worked_method(rows[1], "analogies") is None


def test_spearman_can_be_computed_again_from_the_two_columns_of_ranks():
    vectors = recorded_board("mix").run["whole"][2].vectors
    table, formula = rated_table(vectors, rated_pairs())
    again = np.corrcoef(table["rank of the rating"], table["rank of the cosine"])[0, 1]
    assert again == pytest.approx(word_similarity(vectors, rated_pairs()).spearman)
    assert again == pytest.approx(spearmanr(table["people's rating"], table["cosine"]).statistic)
    assert formula(3, "word") is None and formula(3, "cosine").endswith(f"= {table['cosine'][3]:.4g}")


def test_how_sure_the_best_is_is_counted():
    rows = [row("CBOW", 0.6), row("GloVe", 0.55), row("fastText", -0.5)]
    assert inside(rows) == 1
    said = said_best(rows, "similarity")
    assert "Of the 2 others, 1 has an interval that reaches 0.60." in said
    assert f"{rows[0].interval[0]:.2f} to {rows[0].interval[1]:.2f}" in said
    assert (
        said_best([row(right=3), row("CBOW", right=1)], "analogies")
        == "GloVe solves most analogies: 3 of 4, 75%."
    )
    assert said_best([row(seconds=2.0), row("CBOW", seconds=1.0)], "seconds").startswith(
        "CBOW is quickest: 1 "
    )


def test_what_could_not_be_asked_is_said():
    assert "3 of WordSim-353's 353 pairs have two known words: too few" in what_was_asked(
        [row(pairs=3, asked=0)], 9, "Google's"
    )
    assert "None of Google's analogies could be asked." in what_was_asked([row(asked=0)], 9, "Google's")


def test_who_loses_most_by_a_tenth_is_said():
    whole = [row("CBOW", 0.5), row("GloVe", 0.4)]
    less = [row("CBOW", 0.1), row("GloVe", 0.41)]
    assert said_of_tenth(loss_of(whole, less), whole, less, whole[0].similarity.pairs) == (
        "With CBOW the rank correlation with people's ratings falls by 0.40, with GloVe it rises by 0.01. Best on a "
        "tenth: GloVe; on the whole: CBOW."
    )
    asked = said_of_tenth(loss_of(whole, less), whole, less, 300)
    assert f"on the {less[0].similarity.pairs} rated pairs that a tenth knows; the whole knows 300." in asked


def test_methods_that_are_level_are_all_named():
    rows = [row("CBOW", right=4, seconds=3.0), row("skip-gram", right=4), row("GloVe", right=1, seconds=9.0)]
    assert "CBOW and skip-gram are level on analogies: 4 of 4 each." in said_best(rows, "seconds")
