"""The key of the exercises on contextual embeddings, by scipy and by counting pairs in plain Python."""

from itertools import permutations

import pytest
from scipy.spatial.distance import cosine

from tests.exercises.drawn import drawn, entries


def test_a_cosine_is_scipy_s():
    for exercise in drawn("words_in_context", "cosine"):
        draw = exercise.draw
        assert draw.answer == pytest.approx(1 - cosine(draw.given["a"], draw.given["b"]))


def test_the_nearest_use_is_the_first_of_the_others_in_order():
    for exercise in drawn("words_in_context", "nearest"):
        draw, table = exercise.draw, exercise.draw.given["uses"]
        rows, senses = entries(table), [name[-2] for name in table.rows]
        found = {"nearest": 0, "least": 0}
        for i, row in enumerate(rows):
            others = sorted((value, j) for j, value in enumerate(row) if j != i)
            found["nearest"] += senses[others[-1][1]] == senses[i]
            found["least"] += senses[others[0][1]] == senses[i]
        assert draw.answer == found["nearest"]
        assert draw.mistakes["least"] == found["least"]
        assert draw.mistakes["itself"] == len(rows)


def test_chance_is_the_share_of_ordered_pairs_of_one_sense():
    for exercise in drawn("words_in_context", "chance"):
        draw, sizes = exercise.draw, exercise.draw.given["sizes"]
        senses = [sense for sense, size in enumerate(sizes) for _ in range(size)]
        pairs = [a == b for a, b in permutations(senses, 2)]
        assert draw.answer == pytest.approx(len(senses) * sum(pairs) / len(pairs))
        assert draw.mistakes["share"] == pytest.approx(sum(pairs) / len(pairs))
        assert draw.mistakes["itself"] == pytest.approx(sum(k * k for k in sizes) / sum(sizes))
