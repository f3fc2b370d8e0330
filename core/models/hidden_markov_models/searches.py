"""Searches that prune, and so may miss the best path: greedy, and a beam.

The signatures are those of `core.models.hidden_markov_models.viterbi.viterbi`.

Source: Lowerre, The HARPY speech recognition system (1976), where beam search was first used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.models.hidden_markov_models.viterbi import trace_back


@dataclass(frozen=True)
class Search:
    """What a search that prunes computed: scores of the nodes it scored, and which of them it kept."""

    width: int
    scores: np.ndarray  # (n, K)
    kept: np.ndarray  # (n, K) of bool; the others were pruned
    backpointers: np.ndarray  # (n, K)
    path: tuple[int, ...]
    log_probability: float

    @property
    def nodes(self) -> int:
        """How many nodes were kept and extended; Viterbi keeps all n K."""
        return int(self.kept.sum())

    @property
    def products(self) -> int:
        """How many candidate products were computed: K at first, then K for each kept node; O(n width K)."""
        K = self.scores.shape[1]
        return K + int(self.kept[:-1].sum()) * K


def greedy(
    log_initial: np.ndarray, log_transition: np.ndarray, log_emission: np.ndarray, log_end=None
) -> Search:
    """Return the path that takes the best state at each word and never looks back: O(n K).

    Ties go to the state listed first. A beam of width one does the same.

    >>> from core.models.hidden_markov_models.viterbi import viterbi
    >>> halves = np.log([[0.5, 0.5], [0.1, 0.9]])
    >>> search = greedy(np.log([0.6, 0.4]), halves, np.log([[0.5, 0.5], [0.5, 0.5]]))
    >>> search.path, viterbi(np.log([0.6, 0.4]), halves, np.log([[0.5, 0.5], [0.5, 0.5]])).path
    ((0, 0), (1, 1))
    """
    n, K = log_emission.shape
    scores = np.empty((n, K))
    backpointers = np.full((n, K), -1)
    scores[0] = log_initial + log_emission[0]
    path = [int(scores[0].argmax())]
    for t in range(1, n):
        scores[t] = scores[t - 1, path[-1]] + log_transition[path[-1]] + log_emission[t]  # (K,)
        backpointers[t] = path[-1]
        path.append(int(scores[t].argmax()))
    kept = np.zeros((n, K), dtype=bool)
    kept[np.arange(n), path] = True
    end = 0.0 if log_end is None else log_end[path[-1]]
    return Search(1, scores, kept, backpointers, tuple(path), float(scores[-1, path[-1]] + end))


def beam(
    log_initial: np.ndarray,
    log_transition: np.ndarray,
    log_emission: np.ndarray,
    log_end=None,
    width: int = 2,
) -> Search:
    """Return the best path among those that stay in the `width` best states at every word: O(n width K).

    Of paths that meet in a state only the best goes on, as in Viterbi; ties go to the state listed first,
    in what is kept and in the path. With width K it is Viterbi. Raises ValueError for a width below one.

    >>> halves = np.log([[0.5, 0.5], [0.1, 0.9]])
    >>> beam(np.log([0.6, 0.4]), halves, np.log([[0.5, 0.5], [0.5, 0.5]]), width=2).path
    (1, 1)
    """
    if width < 1:
        raise ValueError(f"A beam keeps at least one state at each word; its width cannot be {width}.")
    n, K = log_emission.shape
    scores = np.empty((n, K))
    kept = np.zeros((n, K), dtype=bool)
    backpointers = np.full((n, K), -1)
    scores[0] = log_initial + log_emission[0]
    for t in range(n):
        if t > 0:
            alive = np.where(kept[t - 1], scores[t - 1], -np.inf)
            candidates = alive[:, None] + log_transition + log_emission[t]  # (K from, K to)
            backpointers[t] = first_best(candidates, kept[t - 1])
            scores[t] = candidates.max(axis=0)
        kept[t, np.argsort(-scores[t], kind="stable")[:width]] = True
    final = np.where(kept[-1], scores[-1] if log_end is None else scores[-1] + log_end, -np.inf)
    last = int(first_best(final[:, None], kept[-1])[0])
    return Search(width, scores, kept, backpointers, trace_back(backpointers, last), float(final[last]))


def first_best(candidates: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return each column's first kept row with the largest entry: never a pruned one, even at -inf."""
    rows = np.flatnonzero(kept)
    return rows[candidates[rows].argmax(axis=0)]
