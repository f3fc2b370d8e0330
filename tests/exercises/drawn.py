"""Exercises of a maker as the tests draw them."""

from core.exercises.exercise import DIFFICULTIES, make_exercise
from core.exercises.lessons import makers_of


def drawn(lesson, maker, times=20):
    """Yield exercises of one maker, so many at each difficulty."""
    made = next(each for each in makers_of(lesson) if each.name == maker)
    for difficulty in DIFFICULTIES:
        for seed in range(times):
            yield make_exercise(made, difficulty, seed)


def entries(table):
    """Return a given table's numbers as lists, to be computed with."""
    return [list(row) for row in table.entries]
