"""The map of word vectors and what it loses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from core.models.word_vectors.projection import neighbour_survival, project

POINTS = np.random.default_rng(3).normal(size=(60, 8)) * [5, 4, 3, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("dimensions", [2, 3])
def test_the_map_is_scikit_learns(dimensions):
    ours, theirs = project(POINTS, dimensions), PCA(dimensions).fit(POINTS)
    assert np.allclose(ours.coordinates, theirs.transform(POINTS))
    assert ours.variance_kept == pytest.approx(theirs.explained_variance_ratio_.sum())


def test_other_points_are_placed_on_the_same_map():
    chart = project(POINTS)
    assert np.allclose(chart.place(POINTS[7]), chart.coordinates[7])
    assert np.allclose(chart.place(POINTS[:2].mean(axis=0)), chart.coordinates[:2].mean(axis=0))


def test_a_flat_cloud_keeps_all_variance_and_all_neighbours():
    flat = POINTS[:, :2] @ np.random.default_rng(1).normal(size=(2, 8))
    chart = project(flat)
    assert chart.variance_kept == pytest.approx(1)
    assert neighbour_survival(flat, chart.coordinates, 5, "euclidean").min() == 1


def test_survival_counts_what_a_plain_loop_counts():
    chart, k = project(POINTS).coordinates, 6
    for point, share in enumerate(neighbour_survival(POINTS, chart, k, "euclidean")):
        true = np.argsort(np.linalg.norm(POINTS - POINTS[point], axis=1))[1 : k + 1]
        seen = np.argsort(np.linalg.norm(chart - chart[point], axis=1))[1 : k + 1]
        assert share == pytest.approx(len(set(true) & set(seen)) / k)


@given(st.integers(1, 4), st.integers(1, 4), st.sampled_from([2, 3]))
def test_few_points_still_make_a_map(count, size, dimensions):
    points = np.arange(count * size, dtype=float).reshape(count, size) ** 2
    chart = project(points, dimensions)
    assert chart.coordinates.shape == (count, dimensions) and np.isfinite(chart.coordinates).all()
    assert 0 <= chart.variance_kept <= 1 + 1e-9
    assert neighbour_survival(points, chart.coordinates).shape == (count,)


def test_equal_points_make_a_map_of_one_place():
    chart = project(np.ones((4, 3)))
    assert not chart.coordinates.any() and chart.variance_kept == 0
