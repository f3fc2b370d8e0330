"""Look-up and alignment against scikit-learn and NLTK."""

import numpy as np
from nltk.translate.metrics import alignment_error_rate as nltk_error_rate
from sklearn.neighbors import KNeighborsRegressor

from core.models.translation.alignment import alignment_error_rate, heaviest
from core.models.translation.kernel_smoothing import soft_lookup


def test_soft_look_up_is_scikit_learns_neighbours_weighted_by_the_same_kernel():
    random = np.random.default_rng(0)
    keys, values, queries = random.normal(size=30), random.normal(size=30), random.normal(size=9)
    for bandwidth in (0.2, 1.0, 5.0):
        peer = KNeighborsRegressor(30, weights=lambda d, b=bandwidth: np.exp(-(d**2) / (2 * b**2)))
        expected = peer.fit(keys[:, None], values).predict(queries[:, None])
        assert np.allclose(soft_lookup(queries, keys, values, bandwidth).result, expected)


def test_the_alignment_error_rate_is_nltks():
    random = np.random.default_rng(1)
    for _ in range(20):
        weights = random.dirichlet(np.ones(6), size=5)
        gold = {(t, int(s)) for t in range(5) for s in random.integers(0, 6, 2)}
        expected = nltk_error_rate(gold, set(enumerate(heaviest(weights))))
        assert np.isclose(alignment_error_rate(weights, gold), expected)
