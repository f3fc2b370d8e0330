"""tf-idf: a word counts in a document the more often it stands there, and the less the fewer documents lack it.

Defined as scikit-learn's TfidfVectorizer defines it by default: the count times an idf that is smoothed as if one more
document had every word once, and each document's row divided by its length. Karen Spärck Jones (1972), A statistical
interpretation of term specificity and its application in retrieval; Gerard Salton and Christopher Buckley (1988).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix, diags


def document_frequencies(X: csr_matrix) -> np.ndarray:
    """Return in how many of the documents X (N, V) each word stands, (V,).

    >>> document_frequencies(csr_matrix([[2, 0, 1], [1, 0, 0]]))
    array([2, 0, 1])
    """
    return np.bincount(X.indices[X.data > 0], minlength=X.shape[1])


def inverse_document_frequencies(df: np.ndarray, N: int) -> np.ndarray:
    """Return idf(w) = ln((1 + N) / (1 + df(w))) + 1, (V,): 1 for a word of every document, more for a rare one.

    >>> inverse_document_frequencies(np.array([3, 1]), 3).round(4)
    array([1.    , 1.6931])
    """
    return np.log((1 + N) / (1 + df)) + 1


def tf_idf(X: csr_matrix) -> csr_matrix:
    """Return tf-idf(w, d) = c(w, d) idf(w) of documents with counts X (N, V), not yet divided by their lengths.

    >>> tf_idf(csr_matrix([[2, 0], [1, 3], [1, 0]])).toarray().round(3)
    array([[2.   , 0.   ],
           [1.   , 5.079],
           [1.   , 0.   ]])
    """
    return csr_matrix(X @ diags(inverse_document_frequencies(document_frequencies(X), X.shape[0])))
