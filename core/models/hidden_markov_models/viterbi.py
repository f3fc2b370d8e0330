"""Viterbi: the most probable path through a hidden Markov model's states, and the lattice it is found in.

One recursion fills the lattice; what it multiplies with is an argument. With logarithms a product is a sum; with the
probabilities themselves, long sentences underflow.

Source: Viterbi (1967); Jurafsky and Martin, Speech and Language Processing (3rd ed. draft), section A.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Lattice:
    """Everything Viterbi computed.

    `candidates[t, i, j]` is the best path that ends in i at t - 1, extended to j at t; `scores[t, j]` the
    largest over i; `backpointers[t, j]` the i that gave it, the lowest such i when several tie. Row 0 of
    `candidates` is nan and of `backpointers` -1: nothing comes before the first word. `final` is the last
    row of scores with the end probabilities, where there are any.
    """

    scores: np.ndarray  # (n, K)
    candidates: np.ndarray  # (n, K, K)
    backpointers: np.ndarray  # (n, K)
    final: np.ndarray  # (K,)
    path: tuple[int, ...]
    log_probability: float  # the probability itself in a lattice of products

    @property
    def ties(self) -> np.ndarray:
        """Where several predecessors gave the same best score, shape (n, K)."""
        return (self.candidates == self.scores[:, None, :]).sum(axis=1) > 1

    @property
    def products(self) -> int:
        """How many candidate products were compared: K for the first word, K^2 for each other; O(n K^2)."""
        n, K = self.scores.shape
        return K + (n - 1) * K * K

    @property
    def in_logarithms(self) -> Lattice:
        """A lattice of products with the logarithm of each of its numbers, -inf where a product became nought."""
        with np.errstate(divide="ignore"):
            numbers = (self.scores, self.candidates, self.final, self.log_probability)
            scores, candidates, final, log_probability = map(np.log, numbers)
        return Lattice(scores, candidates, self.backpointers, final, self.path, float(log_probability))

    @property
    def underflow(self) -> int | None:
        """The first word from which on every score is nought, None when there is no such word."""
        dead = np.flatnonzero((self.scores == 0).all(axis=1))
        return int(dead[0]) if len(dead) else None


def viterbi(
    log_initial: np.ndarray, log_transition: np.ndarray, log_emission: np.ndarray, log_end=None
) -> Lattice:
    """Return the most probable path and the lattice it was found in, in logarithms.

    scores[0, j] = ln p(j) + ln p(o_0 | j)
    scores[t, j] = max_i scores[t-1, i] + ln p(j | i) + ln p(o_t | j)

    Ties go to the state listed first.

    >>> halves = np.log([[0.5, 0.5], [0.5, 0.5]])
    >>> lattice = viterbi(np.log([0.6, 0.4]), halves, np.log([[0.1, 0.9], [0.8, 0.2]]))
    >>> lattice.path, f"{np.exp(lattice.log_probability):.3f}"  # 0.4 * 0.9 * 0.5 * 0.8
    ((1, 0), '0.144')
    """
    return fill_lattice(np.add, log_initial, log_transition, log_emission, log_end)


def viterbi_of_products(
    initial: np.ndarray, transition: np.ndarray, emission: np.ndarray, end=None, dtype=np.float64
) -> Lattice:
    """Return the lattice with probabilities multiplied instead of logarithms added, as `dtype` holds them.

    Long sentences underflow: their scores become nought and every candidate ties, so that the path is that of
    the states listed first. `Lattice.underflow` says where. float64 lasts to about 1e-324, float32 to 1e-45.

    >>> certain, tenths = np.ones((1, 1)), np.full((400, 1), 0.1)
    >>> viterbi_of_products(np.ones(1), certain, tenths).underflow
    323
    """
    tables = (
        None if table is None else np.asarray(table, dtype) for table in (initial, transition, emission, end)
    )
    return fill_lattice(np.multiply, *tables)


def fill_lattice(
    times: np.ufunc, initial: np.ndarray, transition: np.ndarray, emission: np.ndarray, end: np.ndarray | None
) -> Lattice:
    """Return the lattice of tables (K,), (K, K), (n, K), (K,) whose numbers are multiplied by `times`.

    `times` is np.multiply for probabilities and np.add for their logarithms. O(n K^2) time, and memory, since every
    candidate is kept to be shown.
    """
    n, K = emission.shape
    scores = np.empty((n, K), emission.dtype)
    candidates = np.full((n, K, K), np.nan, emission.dtype)
    backpointers = np.full((n, K), -1)
    scores[0] = times(initial, emission[0])
    for t in range(1, n):
        candidates[t] = times(times(scores[t - 1][:, None], transition), emission[t])  # (K from, K to)
        backpointers[t] = candidates[t].argmax(axis=0)
        scores[t] = candidates[t].max(axis=0)
    final = scores[-1] if end is None else times(scores[-1], end)
    path = trace_back(backpointers, int(final.argmax()))
    return Lattice(scores, candidates, backpointers, final, path, float(final.max()))


def trace_back(backpointers: np.ndarray, last: int) -> tuple[int, ...]:
    """Return the path that ends in state `last`, found by following the backpointers (n, K) from the end."""
    path = [last]
    for t in range(len(backpointers) - 1, 0, -1):
        path.append(int(backpointers[t, path[-1]]))
    return tuple(reversed(path))


def check_column(
    expected: np.ndarray, guesses: Sequence[float | None], tolerance: float = 0.01
) -> np.ndarray:
    """Return which of a student's numbers for one column are right, shape (K,): those within `tolerance` of it.

    Two minus infinities agree; None, an empty cell, is wrong.

    >>> check_column(np.array([0.2, 0.001]), [0.201, 0.002]).tolist()
    [True, False]
    """
    numbers = np.array([np.nan if guess is None else guess for guess in guesses], dtype=float)
    return np.isclose(numbers, expected, rtol=tolerance, atol=0)
