"""A map of documents: the first two principal components of their vectors, which may have a place for every word."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse
from sklearn.decomposition import PCA

from core.models.documents.document_vectors import Matrix
from core.models.word_vectors.projection import Projection, project

SMALL = 20  # documents or words; with fewer, all components are computed


def document_map(vectors: Matrix) -> Projection:
    """Return the map of vectors (N, m). Sparse ones stay sparse: of all components only two are ever computed.

    >>> document_map(np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [4.0, 0.0, 3.0]])).variance.round(3)
    array([0.934, 0.066])
    """
    if not issparse(vectors):
        return project(vectors)
    if min(vectors.shape) < SMALL:
        return project(vectors.toarray())
    pca = PCA(2, svd_solver="arpack", random_state=0).fit(vectors)
    places = np.asarray(vectors @ pca.components_.T) - pca.mean_ @ pca.components_.T  # (N, 2)
    return Projection(places, pca.mean_, pca.components_, pca.explained_variance_ratio_)
