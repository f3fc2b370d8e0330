"""Pictures of a co-occurrence matrix name every row and column once, and colour what is below 0 apart."""

import numpy as np
import pytest

from core.figures.palette import DIVERGING, SEQUENTIAL
from core.figures.word_vectors.co_occurrence import co_occurrence_figure, shorten_labels
from core.models.word_vectors.co_occurrence import CoOccurrence, co_occurrences, weighted_rows
from core.models.word_vectors.truncated_svd import factorise
from pages.word_vectors.co_occurrence.figures import (
    draw_cells,
    draw_lines,
    pairs_table,
    restored_figure,
    rows_figure,
    sigma_table,
    terms_table,
    window_frames,
    worked_pmi,
    worked_share,
)

CROWN = CoOccurrence(("the", "crown", "king"), np.array([[0, 6, 1], [6, 0, 4], [1, 4, 0]]))


def test_long_names_are_cut_and_stay_apart():
    names = shorten_labels(["counterrevolution", "counterrevolutionary", "counterrevolutionaries", "cat"])
    assert len(set(names)) == 4 and all(len(name.strip()) <= 12 for name in names)


def test_what_is_below_zero_has_a_colour_of_its_own():
    cells = co_occurrence_figure(np.array([[1.0, -3.0]]), ["a"], ["b", "c"]).data[0]
    assert (cells.colorscale, cells.zmin, cells.zmax) == (DIVERGING, -3, 3)
    cells = co_occurrence_figure(np.array([[1.0, 3.0]]), ["a"], ["b", "c"]).data[0]
    assert (cells.colorscale, cells.zmin, cells.zmax) == (SEQUENTIAL, 0, 3)
    assert co_occurrence_figure(np.zeros((1, 2)), ["a"], ["b", "c"]).data[0].zmax > 0


def test_both_axes_and_the_scale_of_colours_have_a_name():
    figure = co_occurrence_figure(np.eye(2), "ab", "cd", called="PPMI")
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("context", "word")
    assert figure.data[0].colorbar.title.text == "PPMI"


def test_a_line_stands_below_the_rows_that_stand_apart():
    assert [shape.y0 for shape in co_occurrence_figure(np.eye(3), "abc", "abc", 2).layout.shapes] == [1.5]
    assert "shapes" not in co_occurrence_figure(np.eye(3), "abc", "abc", 3).layout


def test_both_matrices_have_one_scale_of_colours():
    M, restored = np.array([[1.0, 2.0]]), np.array([[4.0, -1.0]])
    first, second = restored_figure(M, ["a"], ["b", "c"], restored).data
    assert (first.zmin, first.zmax) == (second.zmin, second.zmax) == (-4, 4)
    assert [first.showscale, second.showscale] == [False, True]


def test_bars_of_two_rows_stand_side_by_side():
    figure = rows_figure(np.array([1.0, 2.0]), np.array([3.0, 4.0]), ["x", "y"], ("king", "queen"))
    assert [(trace.name, list(trace.y)) for trace in figure.data] == [("king", [1, 2]), ("queen", [3, 4])]


def test_a_window_s_last_step_has_added_the_whole_sentence():
    steps, shared = window_frames("the cat saw the dog".split(), 2, {"the", "cat", "saw", "dog"})
    assert shared["tokens"] == "the cat saw the dog".split() and len(steps) == 5
    assert steps[-1]["notes"] == ["The entries sum to 14 so far, and to 14 at the end of the sentence."]
    assert (
        steps[2]["said"]
        == "The window around “saw” adds 4 to 3 entries of its row: “the” twice, “cat”, “dog”."
    )


def test_a_word_without_a_row_adds_to_no_cell_and_is_named():
    steps, shared = window_frames("the yak saw the dog".split(), 2, {"the", "saw", "dog"})
    assert len(shared["tokens"]) == 5 and steps[0]["picture"]["matrix"]["rows"] == ["the", "saw", "dog"]
    assert [each["said"].split(" adds ")[1] for each in steps] == [
        "1 to 1 entry of its row: “saw”. No column: “yak”.",
        "nothing, because this word has no row.",
        "3 to 2 entries of its row: “the” twice, “dog”. No column: “yak”.",
        "2 to 2 entries of its row: “saw”, “dog”. No column: “yak”.",
        "2 to 2 entries of its row: “saw”, “the”.",
    ]
    assert steps[-1]["notes"] == ["The entries sum to 8 so far, and to 8 at the end of the sentence."]


def test_a_pair_never_seen_is_minus_infinity():
    assert worked_pmi(CROWN, "king", "king").endswith(r"= \log_2 0 = -\infty")


@pytest.mark.parametrize("column", ["times together", "by chance", "PMI", "in the matrix"])
def test_a_cell_s_formula_ends_in_the_table_s_number(column):
    table, formula = pairs_table(CROWN, CROWN.counts.astype(float))
    for row in range(len(table)):
        assert formula(row, column).endswith(f"= {table[column][row]:.4g}")
    assert formula(0, "word") is None


def test_products_and_shares_end_in_the_table_s_numbers():
    rows = weighted_rows(co_occurrences([["the", "king", "loves", "the", "crown"]], 2, 9), "counts")
    table, formula = terms_table(rows.found, rows.M, "king", "loves")
    assert all(
        formula(row, "product").endswith(f"= {table['product'][row]:.4g}") for row in range(len(table))
    )
    factors = factorise(rows.M)
    table, formula = sigma_table(factors)
    assert all(
        formula(row, "share kept").endswith(f"= {table['share kept'][row]:.4g}") for row in range(len(table))
    )
    assert worked_share(np.zeros(2), 1).endswith("= 0")


def test_a_hidden_word_is_not_sent():
    shown = draw_lines([("let us not live in france let us quit all".split(), "Henry V")], "france", True)
    assert "france" not in str(shown) and shown["hidden"]
    line = draw_lines([("in france let us".split(), "Henry V")], "france", False)["lines"][0]
    assert (line["before"], line["word"], line["after"]) == (["in"], "france", ["let", "us"])


def test_a_cell_below_zero_has_its_sign_and_one_that_rounds_to_zero_has_none():
    cells = draw_cells(np.array([[2.0, -1.0, -0.008]]), ["a"], ["b", "c", "d"], "", 1, most=4)["cells"][0]
    assert [(each["text"], each["kind"], each["shade"]) for each in cells] == [
        ("2.0", "plain", 0.5),
        ("−1.0", "low", 0.25),
        ("0.0", "plain", 0.002),
    ]


def test_each_row_may_have_a_scale_of_its_own():
    cells = draw_cells(np.array([[1, 2], [10, 20]]), "ab", "cd", "", most=np.array([2, 20]))["cells"]
    assert [[each["shade"] for each in row] for row in cells] == [[0.5, 1], [0.5, 1]]
