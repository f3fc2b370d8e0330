"""The turn that keeps words in their places is scipy's, and no other turn is nearer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import orthogonal_procrustes

from core.models.word_vectors.procrustes import procrustes


def clouds(seed, count=30, dimensions=2):
    """Return centred points and a reference that is nothing like them."""
    random = np.random.default_rng(seed)
    points = random.normal(size=(count, dimensions)) * [3, 1][:dimensions]
    return points - points.mean(axis=0), random.normal(size=(count, dimensions))


@pytest.mark.parametrize("count", [2, 3, 30, 2000])
def test_it_is_scipys(count):
    for seed in range(5):
        points, reference = clouds(seed, count)
        assert np.allclose(procrustes(points, reference), orthogonal_procrustes(points, reference)[0])


@given(st.integers(0, 999), st.floats(0, 2 * np.pi), st.booleans())
def test_it_keeps_distances_and_no_rotation_or_reflection_is_nearer(seed, angle, mirrored):
    points, reference = clouds(seed)
    turn = procrustes(points, reference)
    assert np.allclose(turn @ turn.T, np.eye(2))
    c, s = np.cos(angle), np.sin(angle)
    other = np.array([[c, -s], [s, c]]) @ np.diag([1, -1 if mirrored else 1])
    assert np.linalg.norm(points @ turn - reference) <= np.linalg.norm(points @ other - reference) + 1e-9


def test_a_map_that_was_turned_and_mirrored_is_turned_back():
    points, _ = clouds(1)
    spoiled = points @ np.array([[0.6, 0.8], [0.8, -0.6]])
    assert np.allclose(spoiled @ procrustes(spoiled, points), points)


def test_a_reference_that_is_not_centred_gives_the_same_turn():
    points, reference = clouds(2)
    assert np.allclose(procrustes(points, reference), procrustes(points, reference + np.array([7, -3])))
