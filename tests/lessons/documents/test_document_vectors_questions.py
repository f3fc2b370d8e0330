"""The key of the exercises on document vectors: scikit-learn's tf-idf and its cosines."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics.pairwise import cosine_similarity

from tests.exercises.drawn import drawn, entries


def test_a_weight_is_scikit_learn_s():
    for exercise in drawn("document_vectors", "weight"):
        draw, table = exercise.draw, exercise.draw.given["counts"]
        weights = TfidfTransformer(norm=None).fit_transform(np.array(entries(table))).toarray()
        place = table.rows.index(draw.given["document"]), table.columns.index(draw.given["word"])
        assert draw.answer == pytest.approx(weights[place])
        bare = TfidfTransformer(norm=None, smooth_idf=False).fit_transform(np.array(entries(table)))
        assert draw.mistakes["unsmoothed"] == pytest.approx(bare.toarray()[place])


def test_the_cosine_is_scikit_learn_s():
    for exercise in drawn("document_vectors", "cosine"):
        draw, X = exercise.draw, np.array(entries(exercise.draw.given["counts"]))
        assert draw.answer == pytest.approx(cosine_similarity(X)[0, 1])
        assert draw.mistakes["once"] == pytest.approx(cosine_similarity(np.minimum(X, 1))[0, 1])


def test_the_first_document_has_the_largest_of_scikit_learn_s_cosines():
    for exercise in drawn("document_vectors", "first"):
        draw, table = exercise.draw, exercise.draw.given["counts"]
        query = [[word in draw.given["query"] for word in table.columns]]
        X = np.array(entries(table))
        assert draw.answer == table.rows[cosine_similarity(X, np.array(query, float))[:, 0].argmax()]
        assert draw.mistakes["dot"] == table.rows[(X @ np.array(query[0], float)).argmax()]
