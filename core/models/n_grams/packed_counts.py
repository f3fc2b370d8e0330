"""N-gram counts as they are stored: a tree level by level, a byte a token, no array that can be worked out.

Level k has, for each run of k tokens in sorted order, its last token and how often it occurred; and, for each run
of k - 1 tokens, how many runs grow from it. That is the whole tree.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.models.n_grams.ngram_counts import NgramCounts


def pack(counts: NgramCounts) -> dict[str, np.ndarray]:
    """Return the arrays that `unpack` needs, each in the smallest unsigned type that holds it."""
    arrays = {}
    for k in range(1, counts.order + 1):
        A = len(counts.vocabulary) + 1
        children = np.bincount(counts.parents[k], minlength=len(counts.keys[k - 1]))
        level = {"tokens": counts.keys[k] % A, "children": children, "counts": counts.counts[k]}
        arrays |= {f"{name}.{k}": smallest(array) for name, array in level.items()}
    return arrays


def unpack(arrays: dict[str, np.ndarray], vocabulary: Sequence[str], order: int) -> NgramCounts:
    """Return the counts again, of one text without an end token, for runs of up to `order` tokens.

    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=3)
    >>> again = unpack(pack(counts), ("a", "b", "c"), order=3)
    >>> all((a == b).all() for a, b in zip(counts.suffixes, again.suffixes, strict=True))
    True
    """
    A = len(vocabulary) + 1
    keys, parents = [np.zeros(1, dtype=np.int64)], [np.zeros(1, dtype=np.int64)]
    total = int(arrays["counts.1"].sum())
    counts, suffixes, predecessors = [np.array([total])], [np.zeros(1, dtype=np.int64)], []
    for k in range(1, order + 1):
        tokens = arrays[f"tokens.{k}"].astype(np.int64)
        parent = np.repeat(np.arange(len(keys[-1])), arrays[f"children.{k}"])
        keys.append(parent * A + tokens)
        parents.append(parent)
        counts.append(arrays[f"counts.{k}"].astype(np.int64))
        shorter = np.searchsorted(keys[k - 1], suffixes[k - 1][parent] * A + tokens) if k > 1 else parent
        suffixes.append(np.minimum(shorter, len(keys[k - 1]) - 1))
        predecessors.append(np.bincount(suffixes[k][counts[k] > 0], minlength=len(keys[k - 1])))
    levels = (tuple(keys), tuple(counts), tuple(suffixes), tuple(predecessors))
    return NgramCounts(tuple(vocabulary), order, None, *levels)


def smallest(array: np.ndarray) -> np.ndarray:
    """Return whole numbers in the smallest unsigned type that holds them all.

    >>> smallest(np.array([3, 255])).dtype, smallest(np.array([3, 256])).dtype
    (dtype('uint8'), dtype('uint16'))
    """
    return array.astype(np.min_scalar_type(int(array.max(initial=0))))
