"""How many words each two methods share is in every cell but those of a method with itself."""

import numpy as np

from core.figures.word_vectors.shoot_out import overlap_figure


def test_the_diagonal_of_the_overlaps_is_empty():
    figure = overlap_figure(np.array([[1, 0.25], [0.25, 1]]), ["CBOW", "GloVe"])
    assert figure.data[0].z == [[None, 0.25], [0.25, None]]
