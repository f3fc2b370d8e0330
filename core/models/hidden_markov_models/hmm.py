"""A hidden Markov model: its tables, how a sentence's words are read from them, and what a path is worth.

A hidden Markov model walks from state to state and emits a word in each. The joint probability of a path
q_1..q_n and the words o_1..o_n is

    p(q, o) = p(q_1) p(o_1 | q_1) prod_t=2..n p(q_t | q_t-1) p(o_t | q_t)

times p(end | q_n) where the model has end probabilities. Everything is computed with natural logarithms, so that
products become sums.

In all signatures of this folder K is the number of states, V of words in the vocabulary, n of words in the
sentence; `log_initial` (K,), `log_transition` (K, K) from row to column, `log_emission` (n, K) with ln p(o_t |
state) in row t, `log_end` (K,) or None.

Source: Jurafsky and Martin, Speech and Language Processing (3rd ed. draft), appendix A; Rabiner, A
tutorial on hidden Markov models (1989).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np

from core.models.hidden_markov_models.suffix_model import SuffixGuess, SuffixModel


@dataclass(frozen=True)
class HiddenMarkovModel:
    """The tables of a hidden Markov model, as natural logarithms.

    Without `log_end` a sentence may end in any state at no cost; with it, p(end | state) is part of each
    state's outgoing probability. Without `unknown_words` an unseen word is equally likely in every state:
    1 / V.
    """

    states: tuple[str, ...]
    vocabulary: tuple[str, ...]
    log_initial: np.ndarray  # (K,)
    log_transition: np.ndarray  # (K, K)
    log_emission: np.ndarray  # (K, V)
    log_end: np.ndarray | None = None  # (K,)
    unknown_words: SuffixModel | None = None

    @cached_property
    def index(self) -> dict[str, int]:
        """Each word's column in the emission table."""
        return {word: column for column, word in enumerate(self.vocabulary)}

    def columns(self, words: Sequence[str], starts: Sequence[int] = (0,)) -> np.ndarray:
        """Return the column that each word is read from, shape (n,), -1 when it is unseen.

        `starts` are the places that begin a sentence; an unseen word there is looked for without its capital.
        """
        columns = np.fromiter(map(self.index.get, words, repeat(-1)), dtype=np.intp, count=len(words))
        starts = np.asarray(starts)
        for t in starts[columns[starts] < 0]:
            columns[t] = self.index.get(words[t].lower(), -1)
        return columns

    def guess(self, word: str) -> SuffixGuess | None:
        """Return what the suffix model thinks of a word, None when the model has none."""
        return self.unknown_words.guess(word) if self.unknown_words else None

    def rows(self, words: Sequence[str], columns: np.ndarray) -> np.ndarray:
        """Return ln p(word | state) of each word, shape (n, K), given the columns they are read from."""
        rows = self.log_emission.T[columns]  # (n, K)
        unseen = np.flatnonzero(columns < 0)
        if len(unseen) and self.unknown_words:
            rows[unseen] = self.unknown_words.log_emissions([words[t] for t in unseen])
        elif len(unseen):
            rows[unseen] = -np.log(len(self.vocabulary))
        return rows

    def emissions(self, words: Sequence[str]) -> Emissions:
        """Return the emission rows of a sentence; raises ValueError when it is empty."""
        if not words:
            raise ValueError("There is no word to tag: give a sentence of at least one word.")
        columns = self.columns(words)
        readings = tuple(None if column < 0 else self.vocabulary[column] for column in columns)
        guesses = tuple(
            self.guess(word) if column < 0 else None for word, column in zip(words, columns, strict=True)
        )
        return Emissions(tuple(words), self.rows(words, columns), readings, guesses)


@dataclass(frozen=True)
class Emissions:
    """A sentence's emission rows: how each word was read, and what was thought of the unseen ones."""

    words: tuple[str, ...]
    log_emission: np.ndarray  # (n, K)
    readings: tuple[str | None, ...]  # the vocabulary's word that was looked up, None for an unseen word
    guesses: tuple[SuffixGuess | None, ...]

    @property
    def unknown(self) -> np.ndarray:
        """Which words were never seen, shape (n,)."""
        return np.array([reading is None for reading in self.readings])

    @property
    def unseen(self) -> dict[str, SuffixGuess | None]:
        """The words that were never seen, each with what its ending says, {word: guess}."""
        read = zip(self.words, self.readings, self.guesses, strict=True)
        return {word: guess for word, reading, guess in read if reading is None}


def joint_log_probability(
    path: Sequence[int],
    log_initial: np.ndarray,
    log_transition: np.ndarray,
    log_emission: np.ndarray,
    log_end=None,
) -> np.ndarray:
    """Return the factors of ln p(path, words) in the order they are met; they sum to the joint one.

    They are the initial and the first emission, then each transition and emission, then the end if there
    is one.

    >>> halves = np.log([[0.5, 0.5], [0.5, 0.5]])
    >>> factors = joint_log_probability([1, 0], np.log([0.6, 0.4]), halves, np.log([[0.1, 0.9], [0.8, 0.2]]))
    >>> np.exp(factors).round(3).tolist()
    [0.4, 0.9, 0.5, 0.8]
    """
    factors = [log_initial[path[0]], log_emission[0, path[0]]]
    for t in range(1, len(path)):
        factors += [log_transition[path[t - 1], path[t]], log_emission[t, path[t]]]
    return np.array(factors if log_end is None else [*factors, log_end[path[-1]]])
