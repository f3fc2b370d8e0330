"""The key of the exercises on the map of words: scipy's distances and scikit-learn's PCA."""

import numpy as np
import pytest
from scipy.spatial.distance import cosine, euclidean
from sklearn.decomposition import PCA

from tests.exercises.drawn import drawn, entries


def test_a_cosine_is_scipy_s():
    for exercise in drawn("word_map", "cosine"):
        x, y = entries(exercise.draw.given["vectors"])
        assert exercise.draw.answer == pytest.approx(1 - cosine(x, y), abs=1e-6)
        assert exercise.draw.mistakes["product"] == pytest.approx(np.dot(x, y))


def test_the_nearest_word_has_the_smallest_of_scipy_s_angles():
    for exercise in drawn("word_map", "nearest"):
        draw, table = exercise.draw, exercise.draw.given["vectors"]
        vectors = dict(zip(table.rows, entries(table), strict=True))
        x = vectors.pop(draw.given["asked"])
        assert draw.answer == min(vectors, key=lambda word: cosine(x, vectors[word]))
        assert draw.mistakes["distance"] == min(vectors, key=lambda word: euclidean(x, vectors[word]))
        assert draw.mistakes["product"] == max(vectors, key=lambda word: np.dot(x, vectors[word]))


def test_the_kept_share_is_scikit_learn_s():
    for exercise in drawn("word_map", "kept", 5):
        [variances] = entries(exercise.draw.given["variances"])
        points = np.vstack([np.diag(np.sqrt(variances)), -np.diag(np.sqrt(variances))])
        found = PCA(2).fit(points).explained_variance_ratio_
        assert exercise.draw.answer == pytest.approx(found.sum())
        assert exercise.draw.mistakes["first"] == pytest.approx(found[0])
