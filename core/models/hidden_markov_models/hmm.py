"""Hidden Markov models: the Viterbi lattice, and the searches that miss the best path.

A hidden Markov model walks from state to state and emits a word in each. The joint probability of a path
q_1..q_n and the words o_1..o_n is

    p(q, o) = p(q_1) p(o_1 | q_1) prod_t=2..n p(q_t | q_t-1) p(o_t | q_t)

times p(end | q_n) where the model has end probabilities. Everything is computed with natural logarithms,
so that products become sums; `viterbi_of_products` multiplies, to show where that ends.

In all signatures K is the number of states, V of words in the vocabulary, n of words in the sentence;
`log_initial` (K,), `log_transition` (K, K) from row to column, `log_emission` (n, K) with ln p(o_t |
state) in row t, `log_end` (K,) or None.

Source: Jurafsky and Martin, Speech and Language Processing (3rd ed. draft), appendix A; Rabiner, A
tutorial on hidden Markov models (1989).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np

from core.models.hidden_markov_models.suffix_model import SuffixGuess, SuffixModel

LONGEST_SEARCH = 2000  # sentences a search for a disagreement looks at before it gives up


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
    def underflow(self) -> int | None:
        """The first word from which on every score is nought, None when there is no such word."""
        dead = np.flatnonzero((self.scores == 0).all(axis=1))
        return int(dead[0]) if len(dead) else None


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


@dataclass(frozen=True)
class Forward:
    """alpha[t, j] = ln p(o_1..o_t, q_t = j), and ln p(o_1..o_n), summed over all K^n paths."""

    log_alpha: np.ndarray  # (n, K)
    log_probability: float


@dataclass(frozen=True)
class Decoded:
    """One sentence decoded in every way, with what each way computed."""

    model: HiddenMarkovModel
    emissions: Emissions
    viterbi: Lattice
    greedy: Search
    beam: Search
    forward: Forward

    def tags(self, path: Sequence[int]) -> tuple[str, ...]:
        """Return the names of a path's states."""
        return tuple(self.model.states[state] for state in path)

    @property
    def posterior(self) -> float:
        """p(best path | words): its share of the probability of all paths."""
        return float(np.exp(self.viterbi.log_probability - self.forward.log_probability))


def viterbi(
    log_initial: np.ndarray, log_transition: np.ndarray, log_emission: np.ndarray, log_end=None
) -> Lattice:
    """Return the most probable path and the lattice it was found in.

    scores[0, j] = ln p(j) + ln p(o_0 | j)
    scores[t, j] = max_i scores[t-1, i] + ln p(j | i) + ln p(o_t | j)

    Ties go to the state listed first. O(n K^2) time, O(n K^2) memory since every candidate is kept to be
    shown. Source: Viterbi (1967); Jurafsky and Martin, section A.4.

    >>> halves = np.log([[0.5, 0.5], [0.5, 0.5]])
    >>> lattice = viterbi(np.log([0.6, 0.4]), halves, np.log([[0.1, 0.9], [0.8, 0.2]]))
    >>> lattice.path, f"{np.exp(lattice.log_probability):.3f}"  # 0.4 * 0.9 * 0.5 * 0.8
    ((1, 0), '0.144')
    """
    n, K = log_emission.shape
    scores = np.empty((n, K))
    candidates = np.full((n, K, K), np.nan)
    backpointers = np.full((n, K), -1)
    scores[0] = log_initial + log_emission[0]
    for t in range(1, n):
        candidates[t] = scores[t - 1][:, None] + log_transition + log_emission[t]  # (K from, K to)
        backpointers[t] = candidates[t].argmax(axis=0)
        scores[t] = candidates[t].max(axis=0)
    final = scores[-1] if log_end is None else scores[-1] + log_end
    path = trace_back(backpointers, int(final.argmax()))
    return Lattice(scores, candidates, backpointers, final, path, float(final.max()))


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
    n, K = emission.shape
    initial, transition, emission = (np.asarray(table, dtype) for table in (initial, transition, emission))
    scores = np.empty((n, K), dtype)
    candidates = np.full((n, K, K), np.nan, dtype)
    backpointers = np.full((n, K), -1)
    scores[0] = initial * emission[0]
    for t in range(1, n):
        candidates[t] = scores[t - 1][:, None] * transition * emission[t]  # (K from, K to)
        backpointers[t] = candidates[t].argmax(axis=0)
        scores[t] = candidates[t].max(axis=0)
    final = scores[-1] if end is None else scores[-1] * np.asarray(end, dtype)
    path = trace_back(backpointers, int(final.argmax()))
    return Lattice(scores, candidates, backpointers, final, path, float(final.max()))


def trace_back(backpointers: np.ndarray, last: int) -> tuple[int, ...]:
    """Return the path that ends in state `last`, found by following the backpointers (n, K) from the end."""
    path = [last]
    for t in range(len(backpointers) - 1, 0, -1):
        path.append(int(backpointers[t, path[-1]]))
    return tuple(reversed(path))


def greedy(
    log_initial: np.ndarray, log_transition: np.ndarray, log_emission: np.ndarray, log_end=None
) -> Search:
    """Return the path that takes the best state at each word and never looks back: O(n K).

    Ties go to the state listed first. A beam of width one does the same.

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


def forward(
    log_initial: np.ndarray, log_transition: np.ndarray, log_emission: np.ndarray, log_end=None
) -> Forward:
    """Return ln alpha and the probability of the words whatever the path: Viterbi with sums, not maxima.

    alpha[t, j] = sum_i alpha[t-1, i] p(j | i) p(o_t | j). O(n K^2). Source: Jurafsky and Martin, section A.3.

    >>> halves = np.log([[0.5, 0.5], [0.5, 0.5]])
    >>> result = forward(np.log([0.6, 0.4]), halves, np.log([[0.1, 0.9], [0.8, 0.2]]))
    >>> f"{np.exp(result.log_probability):.3f}"
    '0.210'
    """
    log_alpha = np.empty_like(log_emission, dtype=float)  # (n, K)
    log_alpha[0] = log_initial + log_emission[0]
    for t in range(1, len(log_emission)):
        log_alpha[t] = (
            np.logaddexp.reduce(log_alpha[t - 1][:, None] + log_transition, axis=0) + log_emission[t]
        )
    final = log_alpha[-1] if log_end is None else log_alpha[-1] + log_end
    return Forward(log_alpha, float(np.logaddexp.reduce(final)))


def forward_of_products(
    initial: np.ndarray, transition: np.ndarray, emission: np.ndarray, end=None, dtype=np.float64
) -> np.ndarray:
    """Return alpha (n, K) as raw probabilities in `dtype`, which underflow on long sentences.

    >>> forward_of_products(np.ones(1), np.ones((1, 1)), np.full((400, 1), 0.1))[[1, 399], 0].tolist()
    [0.010000000000000002, 0.0]
    """
    initial, transition, emission = (np.asarray(table, dtype) for table in (initial, transition, emission))
    alpha = np.empty_like(emission)  # (n, K)
    alpha[0] = initial * emission[0]
    for t in range(1, len(emission)):
        alpha[t] = (alpha[t - 1] @ transition) * emission[t]
    return alpha


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


def decode(model: HiddenMarkovModel, words: Sequence[str], width: int = 2) -> Decoded:
    """Return a sentence decoded by Viterbi, greedily and with a beam, and its forward sums."""
    emissions = model.emissions(words)
    tables = (model.log_initial, model.log_transition, emissions.log_emission, model.log_end)
    return Decoded(
        model, emissions, viterbi(*tables), greedy(*tables), beam(*tables, width=width), forward(*tables)
    )


def underflow(model: HiddenMarkovModel, words: Sequence[str], dtype=np.float64) -> Lattice:
    """Return a sentence's lattice computed with raw probabilities, for comparison with `decode`."""
    end = None if model.log_end is None else np.exp(model.log_end)
    tables = (model.log_initial, model.log_transition, model.emissions(words).log_emission)
    return viterbi_of_products(*map(np.exp, tables), end, dtype)


@dataclass(frozen=True)
class Disagreement:
    """A sentence on which a search lost to Viterbi, and how many sentences were looked at to find it."""

    decoded: Decoded
    searched: int


def find_disagreement(
    model: HiddenMarkovModel, sentences: Iterable[Sequence[str]], width: int = 2, search: str = "greedy"
) -> Disagreement | None:
    """Return the first sentence whose Viterbi path beats that of `search`, "greedy" or "beam".

    Equally probable paths do not count. None when no sentence among the first `LONGEST_SEARCH` differs; a
    beam as wide as there are states never does.
    """
    for searched, words in enumerate(sentences, start=1):
        decoded = decode(model, words, width)
        lost = decoded.viterbi.log_probability - getattr(decoded, search).log_probability
        if lost > 1e-9:  # also when the search is at -inf; not when both are (nan)
            return Disagreement(decoded, searched)
        if searched == LONGEST_SEARCH:
            break
    return None


def sampled_sentences(model: HiddenMarkovModel, length: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Yield, for ever, sentences of `length` words emitted by the model itself, its end left out."""
    generator = np.random.default_rng(seed)
    K, V = model.log_emission.shape
    initial, emission = np.exp(model.log_initial), np.exp(model.log_emission).cumsum(axis=1)  # (K,), (K, V)
    transition = np.exp(model.log_transition)
    transition = transition / np.maximum(transition.sum(axis=1, keepdims=True), 1e-300)
    while True:
        state, words = generator.choice(K, p=initial / initial.sum()), []
        for _ in range(length):
            column = np.searchsorted(emission[state], generator.random() * emission[state, -1], side="right")
            words.append(model.vocabulary[min(column, V - 1)])
            state = min(np.searchsorted(transition[state].cumsum(), generator.random()), K - 1)
        yield tuple(words)


def check_column(
    expected: np.ndarray, guesses: Sequence[float | None], tolerance: float = 0.01, slack: float = 0.0
) -> np.ndarray:
    """Return which of a student's numbers for one column are right, shape (K,).

    Right is within `tolerance` of the value, or within `slack`, for logarithms, which are written with two
    decimals. Two minus infinities agree; None, an empty cell, is wrong.

    >>> check_column(np.array([0.2, 0.001]), [0.201, 0.002]).tolist()
    [True, False]
    """
    numbers = np.array([np.nan if guess is None else guess for guess in guesses], dtype=float)
    return np.isclose(numbers, expected, rtol=tolerance, atol=slack)
