"""The key of the exercises on likely text: a walk until a token comes back, nltk's bigrams, and one logarithm."""

from math import log2, prod

import pytest
from nltk import bigrams

from tests.exercises.drawn import drawn, entries


def test_a_loop_is_what_lies_between_two_visits():
    for exercise in drawn("likely_text", "loop"):
        table = exercise.draw.given["table"]
        rows, at, visited = entries(table), table.rows.index(exercise.draw.given["start"]), []
        while at not in visited:
            visited.append(at)
            at = max(range(len(rows)), key=rows[at].__getitem__)
        assert exercise.draw.answer == len(visited) - visited.index(at)
        assert exercise.draw.mistakes["all"] == len(visited)


def test_distinct_2_counts_nltk_s_bigrams():
    for exercise in drawn("likely_text", "distinct"):
        pairs = list(bigrams(exercise.draw.given["text"].split()))
        assert exercise.draw.answer == pytest.approx(len(set(pairs)) / len(pairs))


def test_a_round_saves_the_logarithm_of_a_ratio():
    for exercise in drawn("likely_text", "bits"):
        first, later = entries(exercise.draw.given["table"])
        assert exercise.draw.answer == pytest.approx(log2(prod(later) / prod(first)))
