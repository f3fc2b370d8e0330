"""Bars beside bars, parts that add up, and what shares a bucket."""

import numpy as np
import pytest

from core.figures.word_vectors.subwords import (
    beside_figure,
    carried_frames,
    misspelt_table,
    parts_table,
    sharing_figure,
    sharing_table,
)
from core.models.word_vectors.fasttext import carried
from core.models.word_vectors.fit_subwords import stored_subwords
from core.models.word_vectors.unseen_words import Misspelling, by_chance
from core.models.word_vectors.word_vectors import Neighbour

NEAR = [Neighbour("cat", 0.9, 0.1), Neighbour("dog", -0.2, 2.0)]


def test_a_side_without_neighbours_says_why_and_has_no_axes():
    figure = beside_figure([("fastText", NEAR, ""), ("word2vec", [], "no vector")])
    assert [list(trace.y) for trace in figure.data] == [["cat", "dog"], []]
    assert figure.layout.xaxis2.visible is False and figure.layout.xaxis.visible is None
    assert "no vector" in [each.text for each in figure.layout.annotations]
    assert figure.layout.xaxis.range == [-0.2, 1]


def test_every_length_is_a_step_and_a_long_one_is_cut():
    names = ["word", *(f"a{i:02}" for i in range(30)), "abcd"]
    shares = np.linspace(-0.01, 0.05, 32)
    steps = carried_frames(names, shares, True, "cat", [True] * 32)
    assert [step["name"] for step in steps] == ["the word itself", "n = 3", "n = 4"]
    assert steps[0]["said"] == "The word's own vector adds −0.01; so far −0.01."
    assert steps[1]["notes"] == ["Drawn are the first 24 of them."] and len(steps[1]["picture"]["rows"]) == 24
    assert steps[2]["said"].endswith(f"together it is the cosine with “cat”, {shares.sum():.2f}.")


@pytest.mark.parametrize("word", ["prinsess", "king"])
def test_each_part_s_formula_ends_in_the_table_s_number(word):
    both = stored_subwords("subwords")
    nearest = both.near(word, 1)[0].word
    shares = carried(both.fasttext, word, nearest)
    table, formula = parts_table(both.fasttext, word, nearest, shares)
    for row in range(len(table)):
        assert f"{table['part'][row]}" and formula(row, "part") is None
        assert f"{shares[row]:.4g}".split("e")[0] in formula(row, "adds to the cosine")
        is_gram = not (word == "king" and row == 0)
        assert (formula(row, "bucket") is not None) == is_gram
        assert not is_gram or formula(row, "bucket").endswith(f"= {int(table['bucket'][row])}")


def test_what_chance_foresees_is_drawn_and_worked():
    figure = sharing_figure([10, 1000], [1.0, 0.1], 100, 10)
    curve, dots = figure.data
    assert curve.y[-1] == pytest.approx(by_chance(100, 1000)) and list(dots.y) == [1.0, 0.1]
    table, formula = sharing_table([10, 1000], [1.0, 0.1], 100)
    assert (
        formula(1, "at random").endswith(f"= {table['at random'][1]:.4g}") and formula(1, "buckets") is None
    )


def test_found_words_are_marked():
    table = misspelt_table([Misspelling("cat", "ct", "cat", 0.9), Misspelling("dog", "dg", "cat", 0.5)])
    assert table["found"].tolist() == [True, False]
