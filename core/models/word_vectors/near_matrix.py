"""Which words stand near which in a whole text, as a sparse matrix: what the counting methods learn from.

X[w, c] adds up, over each place where c stands at most L words from w in one sentence, 1 or, by distance d, 1/d. A pair
is seen from both ends, so X is symmetric. Most cells of a large vocabulary are 0, and only the others are kept.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from core.models.training_error import TrainingError
from core.models.word_vectors import WORDS
from core.models.word_vectors.window_blocks import EncodedText


def near_matrix(text: EncodedText, V: int, window: int, by_distance: bool = False) -> csr_matrix:
    """Return X (V, V) of a text as ids. Raises TrainingError where no two words stand together.

    >>> text = EncodedText(np.array([0, 1, 2, 0, 1]), np.array([3, 2]))
    >>> near_matrix(text, 3, window=2).toarray()
    array([[0., 2., 1.],
           [2., 0., 1.],
           [1., 1., 0.]])
    >>> near_matrix(text, 3, window=2, by_distance=True).toarray()
    array([[0. , 2. , 0.5],
           [2. , 0. , 1. ],
           [0.5, 1. , 0. ]])
    """
    sentence_of = np.repeat(np.arange(len(text.lengths)), text.lengths)
    one_way = csr_matrix((V, V))
    for distance in range(1, min(window, len(text.ids) - 1) + 1):
        together = sentence_of[distance:] == sentence_of[:-distance]
        left, right = text.ids[:-distance][together], text.ids[distance:][together]
        each = np.full(len(left), 1 / distance if by_distance else 1.0)
        one_way = one_way + csr_matrix((each, (left, right)), shape=(V, V))
    if not one_way.nnz:
        raise TrainingError(WORDS.label("training.short"))
    return one_way + one_way.T
