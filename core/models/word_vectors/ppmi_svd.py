r"""Word vectors by counting and one decomposition: PPMI of a whole vocabulary, in k dimensions.

With X[w, c] the counts of `near_matrix`, and a context's share of all counts to the power 3/4, as word2vec draws noise,

    PPMI(w, c) = max(0, log2  p(w, c) / (p(w) p_{3/4}(c)))  ≈  U_k Σ_k V_k^T        v_w = the row of w in U_k Σ_k^p

Smoothed shares keep rare contexts from being rated too high; a power p below 1 keeps the first few directions from
ruling all cosines: with p = 0 all k weigh the same. Nothing is learnt step by step: the k largest singular values are
scipy's, by Lanczos' method.

O. Levy, Y. Goldberg and I. Dagan (2015), Improving Distributional Similarity with Lessons Learned from Word Embeddings,
sections 3.2 and 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import svds

from core.models.word_vectors.near_matrix import near_matrix
from core.models.word_vectors.truncated_svd import SingularFactors, factorise
from core.models.word_vectors.word2vec import encoded
from core.models.word_vectors.word_vectors import WordVectors

SMALL = 400  # words up to which the whole decomposition is as quick


class PpmiSvd:
    """Word vectors by PPMI and a truncated singular-value decomposition.

    `power` is p; `shift`, in bits, is taken from PMI before what is below 0 becomes 0 (Levy's log2 k). After fit:
    `vocabulary_`; `cells_`, how many cells of the matrix hold a count; `factors_`; `vectors_`.

    >>> sentences = [["the", "cat", "sleeps"], ["my", "dog", "sleeps"], ["the", "dog", "runs"], ["my", "cat", "runs"]]
    >>> model = PpmiSvd(dimension=2, window=2).fit(sentences)
    >>> model.vectors_.neighbours("cat", 1)[0].word, model.cells_
    ('dog', 24)
    """

    def __init__(
        self, dimension: int = 50, window: int = 5, min_count: int = 1, power: float = 0.5, shift: float = 0
    ):
        """Store the parameters."""
        self.dimension = dimension
        self.window = window
        self.min_count = min_count
        self.power = power
        self.shift = shift

    def fit(
        self, sentences: Sequence[Sequence[str]], report: Callable[[float], bool | None] | None = None
    ) -> PpmiSvd:
        """Count, weigh and decompose; `report` is told the share that is done. Raises TrainingError."""
        report = report or (lambda share: None)
        self.vocabulary_, text = encoded(sentences, self.min_count)
        report(0.0)
        X = near_matrix(text, len(self.vocabulary_), self.window)
        self.cells_ = X.nnz
        if report(0.3) is False:
            return self
        self.factors_ = largest(ppmi(X, shift=self.shift), self.dimension)
        report(1.0)
        return self

    @property
    def vectors_(self) -> WordVectors:
        """Return U_k Σ_k^p, the most frequent word first."""
        sigma = self.factors_.sigma
        weights = np.where(sigma > sigma[0] * 1e-9, sigma**self.power, 0)  # what holds nothing weighs nothing
        return WordVectors(self.vocabulary_.types, self.factors_.U * weights)

    @property
    def parameters(self) -> int:
        """Return how many numbers U_k, Σ_k and V_k hold."""
        return sum(each.size for each in (self.factors_.U, self.factors_.sigma, self.factors_.Vt))


def ppmi(X: csr_matrix, power: float = 0.75, shift: float = 0.0) -> csr_matrix:
    """Return PPMI (V, V) in bits of counts X (V, V), a context's share taken to a power; cells of 0 stay 0.

    `shift` bits are taken from PMI first.

    >>> X = csr_matrix(np.array([[0, 6, 1], [6, 0, 4], [1, 4, 0]]))
    >>> ppmi(X, power=1).toarray().round(3)
    array([[0.   , 0.915, 0.   ],
           [0.915, 0.   , 0.816],
           [0.   , 0.816, 0.   ]])
    >>> ppmi(X).toarray().round(3)[0]
    array([0.   , 1.016, 0.   ])
    """
    cells = X.tocoo()
    totals = np.asarray(X.sum(axis=1)).ravel()
    of_words, of_contexts = totals / totals.sum(), totals**power / (totals**power).sum()
    bits = np.log2(cells.data / totals.sum() / of_words[cells.row] / of_contexts[cells.col]) - shift
    more = bits > 0
    return csr_matrix((bits[more], (cells.row[more], cells.col[more])), shape=X.shape)


def largest(M: csr_matrix, k: int) -> SingularFactors:
    """Return the factors of M (V, V) for its k largest singular values, V - 1 at most, the largest first.

    >>> largest(csr_matrix(np.diag([3.0, 5.0, 4.0])), 2).sigma
    array([5., 4.])
    """
    k = min(k, M.shape[0] - 1)
    if M.shape[0] <= SMALL:
        whole = factorise(M.toarray())
        return SingularFactors(whole.U[:, :k], whole.sigma[:k], whole.Vt[:k])
    U, sigma, Vt = svds(M, k, v0=np.ones(M.shape[0]))
    order = np.argsort(-sigma)
    return SingularFactors(U[:, order], sigma[order], Vt[order])
