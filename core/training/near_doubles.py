"""Near doubles: texts that share most of their word pairs, so that one would be learnt from and the other held out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer

RESEMBLANCE = 0.5


def shingles(text: str) -> list[str]:
    """Return a text's pairs of neighbouring words, its two ends among them; every digit counts as 0.

    >>> shingles("Call 0871 now!")
    ['^ call', 'call 0000', '0000 now', 'now $']
    """
    words = ["^", *re.findall(r"\w+", re.sub(r"\d", "0", text.lower())), "$"]
    return [" ".join(pair) for pair in itertools.pairwise(words)]


def without_near_doubles(texts: Sequence[str], least: float = RESEMBLANCE) -> np.ndarray:
    """Return the places of the texts that stay when of texts that resemble each other the first one is kept.

    The resemblance of texts with sets of shingles A and B is their Jaccard index

        r(A, B) = |A ∩ B| / |A ∪ B|

    and a text goes as soon as r ≥ `least` with one that stays. Broder (1997), On the Resemblance and Containment of
    Documents, estimates r by hashes; for some ten thousand texts it can be computed exactly.

    >>> said = ["You have won 100 pounds, call now", "See you at six", "You have won 250 pounds, call soon"]
    >>> without_near_doubles(said).tolist()
    [0, 1]
    >>> without_near_doubles(said, least=0.7).tolist()
    [0, 1, 2]
    """
    X: csr_matrix = CountVectorizer(analyzer=shingles, binary=True, dtype=np.int32).fit_transform(texts)
    sizes = np.asarray(X.sum(axis=1)).ravel()
    shared = (X @ X.T).tocsr()
    stays = np.ones(len(sizes), dtype=bool)
    for i in range(len(sizes)):
        row = slice(shared.indptr[i], shared.indptr[i + 1])
        others, both = shared.indices[row], shared.data[row]
        r = both / (sizes[i] + sizes[others] - both)
        stays[i] = not (stays[others] & (others < i) & (r >= least)).any()
    return np.flatnonzero(stays)
