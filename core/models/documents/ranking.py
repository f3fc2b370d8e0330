"""Rankings: documents in the order of a score, two rankings made one, and how good a ranking is.

Gordon Cormack, Charles Clarke and Stefan Büttcher (2009), Reciprocal rank fusion outperforms Condorcet and individual rank
learning methods; Ellen Voorhees (1999), The TREC-8 question answering track report, for the mean reciprocal rank.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

RANK_CONSTANT = 60  # of reciprocal rank fusion: the larger, the less the first ranks stand out


def ranks_of(scores: np.ndarray) -> np.ndarray:
    """Return each document's rank, from 1, by falling score, (N,): infinite where the score is 0, which is not found.

    Of equal scores each has the rank of the last, so that no document is found by luck.

    >>> ranks_of(np.array([0.2, 0.9, 0.2, 0.0])).tolist()
    [3.0, 1.0, 3.0, inf]
    """
    scores = np.asarray(scores, dtype=float)
    ranks = (scores[None, :] >= scores[:, None]).sum(axis=1).astype(float)
    return np.where(scores == 0, np.inf, ranks)


def fuse_ranks(*rankings: np.ndarray, constant: int = RANK_CONSTANT) -> np.ndarray:
    """Return Σ 1 / (constant + rank) over the rankings, the larger the better, (N,). What is not found adds 0.

    >>> (1000 * fuse_ranks(np.array([1, 2, np.inf]), np.array([3, 1, 2]))).round(2).tolist()
    [32.27, 32.52, 16.13]
    """
    return sum(1 / (constant + np.asarray(ranks)) for ranks in rankings)


def recall_at(ranks: Sequence[int], k: int) -> float:
    """Return the share of queries whose answer is among the first k.

    >>> recall_at([1, 5, 2, 40], 3)
    0.5
    """
    return sum(rank <= k for rank in ranks) / len(ranks)


def mean_reciprocal_rank(ranks: Sequence[int]) -> float:
    """Return the mean of 1 / rank over the queries; 0 where the answer is not found.

    >>> mean_reciprocal_rank([1, 2, float("inf"), float("inf")])
    0.375
    """
    return sum(1 / rank for rank in ranks) / len(ranks)
