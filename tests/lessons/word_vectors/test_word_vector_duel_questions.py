"""The key of the exercises on comparing embeddings: sets, statistics, and the ranks' formula in plain Python."""

from statistics import median

import pytest

from tests.exercises.drawn import drawn, entries


def test_the_overlap_is_the_size_of_the_intersection():
    for exercise in drawn("word_vector_duel", "overlap"):
        given = exercise.draw.given
        assert exercise.draw.answer == pytest.approx(len({*given["one"]} & {*given["other"]}) / given["k"])


def test_the_median_is_that_of_the_statistics_module():
    for exercise in drawn("word_vector_duel", "median"):
        assert exercise.draw.answer == median(entries(exercise.draw.given["ranks"])[0])


def test_rho_follows_from_the_differences_of_ranks():
    for exercise in drawn("word_vector_duel", "order"):
        one, other = entries(exercise.draw.given["cosines"])
        n, rank = len(one), lambda row, x: sorted(row).index(x)
        squares = sum((rank(one, a) - rank(other, b)) ** 2 for a, b in zip(one, other, strict=True))
        assert exercise.draw.answer == pytest.approx(1 - 6 * squares / (n * (n * n - 1)))
