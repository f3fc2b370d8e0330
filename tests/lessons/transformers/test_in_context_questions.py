"""The key of the exercises on learning in the context, by listing every rule."""

from itertools import product

import pytest

from core.models.transformers.rule_tasks import LETTERS
from tests.exercises.drawn import drawn


def every_rule(kinds):
    """Return all rules of so many labels as a place and a label for each of its letters."""
    return [
        (a, dict(zip(LETTERS[a], labels, strict=True)))
        for a in range(3)
        for labels in product("ABCDEF"[:kinds], repeat=3)
    ]


def fitting(given):
    """Return the rules that make all examples of a question."""
    table = given["seen"]
    examples = [(word, label) for word, (label,) in zip(table.rows, table.entries, strict=True)]
    return [(a, rule) for a, rule in every_rule(given["kinds"]) if all(rule[x[a]] == y for x, y in examples)]


def test_the_rules_that_fit_are_as_many_as_a_list_of_all_has():
    for exercise in drawn("in_context", "rules"):
        draw = exercise.draw
        left = fitting(draw.given)
        assert draw.answer == len(left) and draw.given["every"] == len(every_rule(draw.given["kinds"]))
        assert draw.mistakes["bare"] == len({a for a, _ in left})


def test_a_place_has_the_share_of_the_rules_that_fit():
    for exercise in drawn("in_context", "places"):
        draw = exercise.draw
        left = fitting(draw.given)
        shares = [sum(a == place for a, _ in left) / len(left) for place in range(3)]
        assert list(draw.answer) == pytest.approx(shares[-len(draw.answer) :])
        fits = {a for a, _ in left}
        equal = [(place in fits) / len(fits) for place in range(3)]
        assert list(draw.mistakes["equal"]) == pytest.approx(equal[-len(draw.answer) :])


def test_a_label_has_the_share_of_the_rules_that_give_it():
    for exercise in drawn("in_context", "label"):
        draw = exercise.draw
        left, word, label = fitting(draw.given), draw.given["word"], draw.given["label"]
        assert draw.answer == pytest.approx(sum(rule[word[a]] == label for a, rule in left) / len(left))
        by_place = [
            [rule[word[a]] == label for a, rule in every if a == place]
            for every in (left,)
            for place in range(3)
        ]
        best = max(by_place, key=len)
        assert draw.mistakes["best"] == pytest.approx(sum(best) / len(best))
