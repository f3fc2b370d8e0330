"""A map of word vectors: principal components in two or three dimensions, and what the map loses.

Source: Pearson (1901), On Lines and Planes of Closest Fit to Systems of Points in Space. The components are
scikit-learn's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from core.models.word_vectors.word_vectors import Metric, WordVectors


@dataclass(frozen=True, eq=False)
class Projection:
    """Points on a map.

    coordinates: (n, m) positions on the map
    mean:        (d,) the point that lies at the origin of the map
    components:  (m, d) the map's axes in the original space, orthogonal and of length 1
    variance:    (m,) the share of the points' variance along each axis of the map
    """

    coordinates: np.ndarray
    mean: np.ndarray
    components: np.ndarray
    variance: np.ndarray

    @property
    def variance_kept(self) -> float:
        """Return the share of variance that the map keeps, between 0 and 1."""
        return float(self.variance.sum())

    def place(self, points: np.ndarray) -> np.ndarray:
        """Return where other points of the original space, (..., d), lie on this map, (..., m)."""
        return (points - self.mean) @ self.components.T


def project(points: np.ndarray, dimensions: int = 2) -> Projection:
    """Return the map of points (n, d) on their first principal components.

    coordinates = (points - mean) components^T

    Where there are fewer than m directions (few points, or d < m), the axes that are left over are zero.

    >>> project(np.float32([[0, 0, 0], [2, 0, 0], [4, 0, 3]])).variance.round(3)
    array([0.934, 0.066])
    """
    points = np.asarray(points, dtype=np.float64)
    count, size = points.shape
    mean, components, variance = points.mean(axis=0), np.zeros((dimensions, size)), np.zeros(dimensions)
    kept = min(dimensions, count - 1, size)
    if kept and np.any(points != points[0]):
        pca = PCA(kept, svd_solver="full").fit(points)
        components[:kept], variance[:kept] = pca.components_, pca.explained_variance_ratio_
    return Projection((points - mean) @ components.T, mean, components, variance)


@dataclass(frozen=True, eq=False)
class Nearest:
    """Each point's k nearest other points, nearest first: their rows (n, k), and their cosines or distances (n, k)."""

    rows: np.ndarray
    values: np.ndarray
    metric: Metric


def nearest(points: np.ndarray, k: int, metric: Metric = "euclidean") -> Nearest:
    """Return each point's k nearest other points; all others where there are fewer, none beside a single point.

    >>> near = nearest(np.float32([[1, 0], [3, 4], [0, 2]]), 1, "cosine")
    >>> near.rows.tolist(), near.values.round(2).tolist()
    ([[1], [2], [1]], [[0.6...], [0.8...], [0.8...]])
    """
    k = min(k, len(points) - 1)
    if k < 1:
        return Nearest(np.zeros((len(points), 0), int), np.zeros((len(points), 0)), metric)
    distances, rows = NearestNeighbors(n_neighbors=k, metric=metric).fit(points).kneighbors()
    return Nearest(rows, 1 - distances if metric == "cosine" else distances, metric)


def neighbour_survival(
    points: np.ndarray, coordinates: np.ndarray, k: int = 10, metric: Metric = "cosine"
) -> np.ndarray:
    """Return the share of each point's k true neighbours that are its neighbours on the map too, (n,).

    Neighbours among `points` (n, d) are taken by `metric`, on the map (n, m) by the distance the eye sees.
    The mean is the figure to print on the map. With k or fewer points, k becomes n - 1.

    >>> square = np.float32([[0, 0], [0, 1], [4, 0], [4, 1]])
    >>> neighbour_survival(square, square[:, :1], k=1, metric="euclidean")
    array([1., 1., 1., 1.])
    """
    if min(k, len(points) - 1) < 1:
        return np.ones(len(points))
    true, seen = nearest(points, k, metric).rows, nearest(coordinates, k).rows
    return (true[:, :, None] == seen[:, None, :]).any(axis=2).mean(axis=1)


def nearest_cosine(vectors: WordVectors) -> float:
    """Return the cosine of a word with the nearest of the others, on average over all words; 0 for a single word.

    >>> nearest_cosine(WordVectors.one_hot(["cat", "dog", "car"]))
    0.0
    """
    if len(vectors) < 2:
        return 0.0
    cosines = vectors.units @ vectors.units.T
    np.fill_diagonal(cosines, -np.inf)
    return float(cosines.max(axis=1).mean())


def same_group(points: np.ndarray, groups: Sequence[str]) -> int:
    """Return how many points have another of their own group nearest to them, by cosine.

    >>> same_group(np.float32([[1, 0], [1, 0.1], [0, 1], [0.1, 1]]), ["a", "a", "b", "b"])
    4
    """
    near = nearest(points, 1, "cosine").rows[:, 0]
    return sum(groups[row] == groups[other] for row, other in enumerate(near))
