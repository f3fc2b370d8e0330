"""The key of the exercises on Viterbi, by listing every path in plain Python."""

from itertools import pairwise, product
from math import prod

import pytest

from tests.exercises.drawn import drawn, entries


def paths(given, days):
    """Return the probability of every path of so many days, {path: p}."""
    initial, *transition = entries(given["steps"])
    emission, seen = entries(given["emission"]), [int(each) - 1 for each in given["diary"]]
    return {
        path: initial[path[0]]
        * prod(transition[i][j] for i, j in pairwise(path))
        * prod(emission[state][seen[t]] for t, state in enumerate(path))
        for path in product(range(len(initial)), repeat=days)
    }


def best_into(given, day, state):
    """Return the probability of the best path that is in a state on a day, from 1."""
    return max(p for path, p in paths(given, day).items() if path[-1] == state)


def all_into(given, day, state):
    """Return the probability of all paths that are in a state on a day, from 1."""
    return sum(p for path, p in paths(given, day).items() if path[-1] == state)


def test_a_cell_is_the_best_path_into_it_and_the_sum_is_all_of_them():
    for exercise in drawn("viterbi", "cell"):
        given, draw = exercise.draw.given, exercise.draw
        state = given["states"].index(given["state"])
        assert draw.answer == pytest.approx(best_into(given, 2, state))
        assert draw.mistakes["sum"] == pytest.approx(all_into(given, 2, state))


def test_a_lattice_holds_the_best_path_into_every_cell():
    for exercise in drawn("viterbi", "lattice"):
        given, draw = exercise.draw.given, exercise.draw
        places = [(i, t + 1) for i, t in draw.table.blanks]
        assert draw.answer == pytest.approx([best_into(given, t, i) for i, t in places])
        assert draw.mistakes["sum"] == pytest.approx([all_into(given, t, i) for i, t in places])


def test_the_best_path_is_the_most_probable_of_all_and_greedy_search_s_is_not():
    for exercise in drawn("viterbi", "best_path"):
        given, draw = exercise.draw.given, exercise.draw
        found = {
            ", ".join(given["states"][i] for i in path): p
            for path, p in paths(given, len(given["diary"])).items()
        }
        assert draw.answer == max(found, key=found.get)
        assert draw.steps["searched"] == pytest.approx(found[draw.mistakes["greedy"]])
        assert draw.steps["best"] == pytest.approx(found[draw.answer])
