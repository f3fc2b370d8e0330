"""How often each run of tokens occurs: the n-gram counts, kept as a tree that can be walked.

A node of level k is a run of k tokens; its parent is the run without its last token. The nodes of a level
are numbered in sorted order, so that a level is one sorted array of keys, parent * (V + 1) + token, the
children of a node are neighbours in it, and a run is found by k binary searches. Token V stands for the
start of a text: each text is preceded by order - 1 of them, which are looked back at and never predicted.

Counting is sorting: O(k N log N) for the runs of up to k tokens of a text of N.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class NgramCounts:
    """The counts of all runs of up to `order` tokens; entry k of each tuple belongs to runs of k tokens.

    `end` is the id after which a new text begins, None when all is one text. Level 0 is the root, the empty
    run.
    """

    vocabulary: tuple[str, ...]
    order: int
    end: int | None
    keys: tuple[np.ndarray, ...]  # (N_k,) sorted
    counts: tuple[
        np.ndarray, ...
    ]  # (N_k,) how often the run's last token came after the others; 0 for a start
    suffixes: tuple[np.ndarray, ...]  # (N_k,) the node, one level up, of the run without its first token
    predecessors: tuple[np.ndarray, ...]  # (N_k,) N1+(. run): how many different tokens came before it
    last_located: dict[bytes, list] = field(init=False, repr=False, compare=False, default_factory=dict)

    @cached_property
    def parents(self) -> tuple[np.ndarray, ...]:
        """Each run's node without its last token, (N_k,)."""
        return tuple(keys // (len(self.vocabulary) + 1) for keys in self.keys)

    @cached_property
    def types(self) -> tuple[np.ndarray, ...]:
        """N1+(run .): how many different tokens came after a run, (N_k,), for k below the order."""
        return tuple(self.summed(k, self.counts[k + 1] > 0).astype(int) for k in range(self.order))

    def summed(self, k: int, values: np.ndarray) -> np.ndarray:
        """Return, for each run of k tokens, the sum of its children's `values`, (N_k,)."""
        return np.bincount(self.parents[k + 1], values, minlength=len(self.keys[k]))

    def look_back(self, context: Sequence[int], k: int) -> tuple[int, ...]:
        """Return a context's last k tokens, V where that would be before its text's start."""
        recent = [int(token) for token in context[max(0, len(context) - k) :]] if k else []
        if self.end in recent:
            recent = recent[len(recent) - recent[::-1].index(self.end) :]
        return (len(self.vocabulary),) * (k - len(recent)) + tuple(recent)

    def node(self, run: Sequence[int]) -> int | None:
        """Return the node of a run of tokens, None when it never occurred."""
        node = 0
        for k, token in enumerate(run, start=1):
            key = node * (len(self.vocabulary) + 1) + token
            node = int(np.searchsorted(self.keys[k], key))
            if node == len(self.keys[k]) or self.keys[k][node] != key:
                return None
        return node

    def children(self, k: int, node: int) -> slice:
        """Return where, in level k + 1, the children of a node of level k stand."""
        A = len(self.vocabulary) + 1
        first, last = np.searchsorted(self.keys[k + 1], (node * A, (node + 1) * A))
        return slice(int(first), int(last))

    def count(self, run: Sequence[int]) -> int:
        """Return how often a run of tokens occurred; the empty run as often as there are tokens."""
        node = self.node(run)
        return 0 if node is None else int(self.counts[len(run)][node])

    def continuations(self, context: Sequence[int]) -> list[tuple[int, int]]:
        """Return (token, count) of all that came after exactly this run, the most frequent first.

        >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)
        >>> counts.continuations([0]), counts.continuations([2, 2])
        ([(1, 2), (2, 1)], [])
        """
        if len(context) >= self.order:
            return []
        node = self.node(context)
        if node is None:
            return []
        below = self.children(len(context), node)
        tokens = self.keys[len(context) + 1][below] % (len(self.vocabulary) + 1)
        found = self.counts[len(context) + 1][below]
        order = np.argsort(-found, kind="stable")  # equals stay in the order of their ids
        order = order[found[order] > 0]
        return list(zip(tokens[order].tolist(), found[order].tolist(), strict=True))

    def locate(self, tokens: Sequence[int]) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return, for k = 1..order and each token, the node of its k-gram and of the k - 1 tokens before it.

        Both are (n,); -1 where a run never occurred. The last text is remembered: many models are measured on one.
        """
        ids = np.asarray(tokens, dtype=np.int64)
        if (text := ids.tobytes()) in (last := dict(self.last_located)):
            return last[text]
        padded, _ = pad(ids, len(self.vocabulary), self.order, self.end)
        places = np.flatnonzero(padded < len(self.vocabulary))
        nodes = np.zeros(len(padded), dtype=np.int64)  # the run of k tokens that starts at each place
        located = []
        for k in range(1, self.order + 1):
            longer = self.extended(k, nodes, padded)
            located.append((longer[places - k + 1], nodes[places - k + 1]))
            nodes = longer
        self.last_located.clear()
        self.last_located[text] = located
        return located

    def extended(self, k: int, nodes: np.ndarray, padded: np.ndarray) -> np.ndarray:
        """Return the nodes of runs of k tokens by their first place, given those of k - 1; -1 if unseen."""
        keys = nodes[: len(nodes) - k + 1] * (len(self.vocabulary) + 1) + padded[k - 1 :]
        found = np.minimum(np.searchsorted(self.keys[k], keys), len(self.keys[k]) - 1)
        seen = (self.keys[k][found] == keys) & (nodes[: len(keys)] >= 0)
        return np.concatenate([np.where(seen, found, -1), np.full(k - 1, -1)])


def pad(tokens: np.ndarray, start: int, order: int, end: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the tokens with order - 1 start tokens before each text, and the number of each place's text."""
    text = np.zeros(len(tokens), dtype=np.int64)
    if end is not None and len(tokens):
        text[1:] = np.cumsum(tokens[:-1] == end)
    pads = (order - 1) * (text + 1)
    padded = np.full(len(tokens) + (pads[-1] if len(tokens) else 0), start, dtype=np.int64)
    padded[np.arange(len(tokens)) + pads] = tokens
    first = np.flatnonzero(np.diff(text, prepend=-1)) + (order - 1) * np.arange(len(np.unique(text)))
    texts = np.zeros(len(padded), dtype=np.int64)
    texts[first[1:]] = 1
    return padded, np.cumsum(texts)


def count_ngrams(
    tokens: Sequence[int], vocabulary: Sequence[str], order: int, end: int | None = None
) -> NgramCounts:
    """Return the counts of all runs of up to `order` tokens of a text, or of texts that finish with `end`.

    Raises ValueError for an order below one, for no tokens at all, and for a token outside the vocabulary.

    >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)
    >>> counts.count([0]), counts.count([0, 1]), counts.count([1, 2])
    (3, 2, 0)
    """
    tokens, V = np.asarray(tokens, dtype=np.int64), len(vocabulary)
    if order < 1 or len(tokens) == 0:
        raise ValueError("Counting needs at least one token and an order of at least one.")
    if tokens.min() < 0 or tokens.max() >= V:
        raise ValueError(f"Every token must be one of the vocabulary's {V} ids.")
    padded, text = pad(tokens, V, order, end)
    starts, nodes = np.arange(len(padded)), np.zeros(len(padded), dtype=np.int64)
    levels = [(np.zeros(1, dtype=np.int64), np.array([len(tokens)]), np.zeros(1, dtype=np.int64))]
    for k in range(1, order + 1):
        inside = starts + k - 1 < len(padded)
        inside[inside] = text[starts[inside]] == text[starts[inside] + k - 1]
        starts, shorter = starts[inside], nodes
        last = padded[starts + k - 1]
        keys, first, numbers = np.unique(
            nodes[starts] * (V + 1) + last, return_index=True, return_inverse=True
        )
        counts = np.bincount(numbers, last < V, minlength=len(keys)).astype(np.int64)
        suffixes = shorter[np.minimum(starts[first] + 1, len(padded) - 1)] if k > 1 else np.zeros_like(keys)
        nodes = np.full(len(padded), -1)
        nodes[starts] = numbers
        levels.append((keys, counts, suffixes))
    predecessors = [
        np.bincount(suffixes[counts > 0], minlength=len(levels[k][0]))
        for k, (_, counts, suffixes) in enumerate(levels[1:])
    ]
    return NgramCounts(
        tuple(vocabulary), order, end, *map(tuple, zip(*levels, strict=True)), tuple(predecessors)
    )
