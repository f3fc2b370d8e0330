"""The key of the exercises on editing: fractions, every path listed, and both paths multiplied out at the flip."""

from fractions import Fraction
from itertools import pairwise, product
from math import prod

import pytest

from tests.exercises.drawn import drawn, entries


def exact(p):
    return Fraction(str(p))


def probability(given, path, p):
    """Return the probability of a path when p(hot | hot) is p and the others of its row share the rest."""
    initial, *transition = entries(given["steps"])
    rest = sum(transition[0][1:])
    transition[0] = [p, *(each / rest * (1 - p) for each in transition[0][1:])]
    emission = entries(given["emission"])
    return (
        initial[path[0]]
        * prod(transition[i][j] for i, j in pairwise(path))
        * prod(emission[i][int(day) - 1] for i, day in zip(path, given["diary"], strict=True))
    )


def test_a_row_keeps_its_proportions_and_sums_to_1():
    for exercise in drawn("hmm_tables", "row"):
        draw, given = exercise.draw, exercise.draw.given
        [row] = entries(given["table"])
        at, p = given["table"].columns.index(given["column"]), exact(given["p"])
        rest = sum(exact(each) for j, each in enumerate(row) if j != at)
        expected = [p if j == at else exact(each) / rest * (1 - p) for j, each in enumerate(row)]
        assert sum(expected) == 1
        assert draw.answer == pytest.approx([float(each) for each in expected])


def test_the_best_path_after_an_edit_is_the_best_of_all():
    for exercise in drawn("hmm_tables", "edited_path"):
        draw, given = exercise.draw, exercise.draw.given
        names = given["states"]
        paths = list(product(range(len(names)), repeat=len(given["diary"])))
        for found, p in ((draw.answer, given["p"]), (draw.mistakes["before"], given["now"])):
            best = max(paths, key=lambda path, p=p: probability(given, path, p))
            assert found == ", ".join(names[state] for state in best)


def test_both_paths_have_the_same_probability_at_the_flip():
    for exercise in drawn("hmm_tables", "flip"):
        draw, given = exercise.draw, exercise.draw.given
        paths = [[given["states"].index(name) for name in path.split(", ")] for path in given["paths"]]
        one, other = (probability(given, path, draw.answer) for path in paths)
        assert one == pytest.approx(other)
