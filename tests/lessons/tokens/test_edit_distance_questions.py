"""The key of the exercises on edit distance, by nltk and by a recursion over the texts."""

from functools import cache

import pytest
from nltk.metrics.distance import edit_distance

from tests.exercises.drawn import drawn


def cheapest(source, target, delete, insert, substitute):
    """Return the least cost of turning one text into another, by recursion from their ends."""

    @cache
    def cost(i, j):
        if i == 0 or j == 0:
            return i * delete + j * insert
        kept = 0 if source[i - 1] == target[j - 1] else substitute
        return min(cost(i - 1, j) + delete, cost(i, j - 1) + insert, cost(i - 1, j - 1) + kept)

    return cost(len(source), len(target))


def test_the_cells_are_nltk_s_distances_of_the_beginnings():
    for exercise in drawn("edit_distance", "cells"):
        draw = exercise.draw
        source, target = draw.given["source"], draw.given["target"]
        pairs = [(source[:i], target[:j]) for i, j in draw.table.blanks]
        assert draw.answer == tuple(edit_distance(*pair) for pair in pairs)
        doubled = tuple(edit_distance(*pair, substitution_cost=2) for pair in pairs)
        assert draw.mistakes["double"] == doubled
        assert draw.mistakes["paid"] == tuple(max(map(len, pair)) for pair in pairs)
        assert draw.table.entries[0] == list(range(len(target) + 1))


def test_a_cost_is_the_least_of_all_ways_and_the_solution_s_edits_add_up_to_it():
    for exercise in drawn("edit_distance", "cost"):
        draw, given = exercise.draw, exercise.draw.given
        texts, costs = (given["source"], given["target"]), [given[f"{e}ion"] for e in ("delet", "insert")]
        assert draw.answer == cheapest(*texts, *costs, given["substitution"]) == sum(draw.steps["paid"])
        assert draw.mistakes["swapped"] == cheapest(*texts, *costs[::-1], given["substitution"])
        assert draw.mistakes["unit"] == edit_distance(*texts)


def test_a_word_error_rate_is_nltk_s_distance_per_word_that_was_said():
    for exercise in drawn("edit_distance", "error_rate"):
        draw = exercise.draw
        spoken, heard = draw.given["spoken"].split(), draw.given["heard"].split()
        assert draw.answer == pytest.approx(edit_distance(spoken, heard) / len(spoken))
        assert draw.mistakes["heard"] == pytest.approx(edit_distance(spoken, heard) / len(heard))
        steps = draw.steps
        assert steps["changed"] + steps["lost"] + steps["added"] == steps["edits"]
        assert len(spoken) - steps["lost"] + steps["added"] == len(heard)
