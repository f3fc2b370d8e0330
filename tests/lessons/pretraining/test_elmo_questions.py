"""The key of the exercises on ELMo: plain Python sums, and torch's layer normalization."""

from math import exp

import pytest
import torch

from tests.exercises.drawn import drawn, entries


def test_a_score_is_a_weighted_sum_of_the_layers():
    for exercise in drawn("elmo", "score"):
        given, draw = exercise.draw.given, exercise.draw
        u, a = entries(given["rows"])
        powers = [exp(each) for each in u]
        whole = sum(p * part for p, part in zip(powers, a, strict=True)) / sum(powers)
        assert draw.answer == pytest.approx(given["gamma"] * whole)
        assert draw.mistakes["equal"] == pytest.approx(given["gamma"] * sum(a) / len(a))


def test_the_tag_has_the_largest_weighted_sum():
    for exercise in drawn("elmo", "tag"):
        given, draw = exercise.draw.given, exercise.draw
        [s], parts = entries(given["weights"]), entries(given["parts"])
        scores = [sum(w * row[k] for w, row in zip(s, parts, strict=True)) for k in range(3)]
        assert draw.answer == given["parts"].columns[scores.index(max(scores))]
        alone = parts[s.index(max(s))]
        assert draw.mistakes["heaviest"] == given["parts"].columns[alone.index(max(alone))]


def test_a_vector_is_normalized_as_torch_does_it():
    for exercise in drawn("elmo", "normalized"):
        [h] = entries(exercise.draw.given["vector"])
        found = torch.nn.functional.layer_norm(torch.tensor(h, dtype=torch.float64), (len(h),))
        assert exercise.draw.answer == pytest.approx(found.tolist(), abs=1e-4)
