"""Where a hidden Markov model's tables come from: counted in tagged text, or written down and checked.

Maximum likelihood divides counts: p(j | i) = c(i, j) / c(i) and p(w | i) = c(i, w) / c(i), where c(i)
counts the tokens tagged i. Additive smoothing adds alpha to every count first.

Source: Jurafsky and Martin, Speech and Language Processing (3rd ed. draft), section 17.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.hidden_markov_models import WORDS
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.suffix_model import SuffixModel

ROUNDING = 1e-6  # how far from one a row typed by hand may sum


@dataclass(frozen=True)
class TaggedCounts:
    """How often each thing happened in tagged text."""

    states: tuple[str, ...]
    vocabulary: tuple[str, ...]
    initial: np.ndarray  # (K,) sentences that begin in the state
    transition: np.ndarray  # (K, K) from row to column
    emission: np.ndarray  # (K, V)
    end: np.ndarray  # (K,) sentences that end in the state

    @property
    def tokens(self) -> np.ndarray:
        """How many tokens each state emitted, shape (K,)."""
        return self.emission.sum(axis=1)


def count_tagged(sentences: Iterable[Sequence[tuple[str, str]]], states: Sequence[str] = ()) -> TaggedCounts:
    """Return the counts of sentences of (word, tag) pairs.

    States stand in the order given, then in that of first appearance; words in that of first appearance.
    Raises ValueError when there is no sentence.

    >>> counts = count_tagged([[("dogs", "NOUN"), ("bark", "VERB")], [("dogs", "NOUN"), ("dogs", "VERB")]])
    >>> counts.states, counts.transition.tolist(), counts.emission.tolist()
    (('NOUN', 'VERB'), [[0, 2], [0, 0]], [[2, 0], [1, 1]])
    """
    sentences = [sentence for sentence in sentences if sentence]
    if not sentences:
        raise ValueError(WORDS.label("tables.empty"))
    state_ids: dict[str, int] = {state: i for i, state in enumerate(states)}
    word_ids: dict[str, int] = {}
    tags = [np.array([state_ids.setdefault(tag, len(state_ids)) for _, tag in s]) for s in sentences]
    words = [np.array([word_ids.setdefault(word, len(word_ids)) for word, _ in s]) for s in sentences]
    K, V = len(state_ids), len(word_ids)
    emitted = np.concatenate(tags) * V + np.concatenate(words)
    followed = np.concatenate([row[:-1] * K + row[1:] for row in tags])
    return TaggedCounts(
        tuple(state_ids),
        tuple(word_ids),
        np.bincount([row[0] for row in tags], minlength=K),
        np.bincount(followed, minlength=K * K).reshape(K, K),
        np.bincount(emitted, minlength=K * V).reshape(K, V),
        np.bincount([row[-1] for row in tags], minlength=K),
    )


def estimate(
    counts: TaggedCounts,
    transition_alpha: float = 0.0,
    emission_alpha: float = 0.0,
    end: bool = True,
    unknown_words: SuffixModel | None = None,
) -> HiddenMarkovModel:
    """Return the model whose tables are the counts divided by their row's total, after adding alpha to each.

    With `end` the end of the sentence is one more thing that can follow a state. Pass an unfitted
    `unknown_words` and it is fitted on the same counts. Raises ValueError where nothing was counted in a
    row and alpha is 0: 0 / 0 is no probability.

    >>> counts = count_tagged([[("dogs", "NOUN"), ("bark", "VERB")], [("dogs", "NOUN"), ("dogs", "VERB")]])
    >>> np.exp(estimate(counts).log_emission).round(2).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    >>> np.exp(estimate(counts, emission_alpha=1).log_emission).round(2).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    following = np.column_stack([counts.transition, counts.end]) if end else counts.transition
    log_following = log_rows(following, transition_alpha, counts.states, "following")
    K = len(counts.states)
    return HiddenMarkovModel(
        counts.states,
        counts.vocabulary,
        log_rows(counts.initial[None], transition_alpha, ("",), "initial")[0],
        log_following[:, :K],
        np.asfortranarray(  # a word's K numbers lie together, as they are read
            log_rows(counts.emission, emission_alpha, counts.states, "emission")
        ),
        log_following[:, K] if end else None,
        unknown_words and unknown_words.fit(counts.vocabulary, counts.emission),
    )


def log_rows(counts: np.ndarray, alpha: float, names: Sequence[str], table: str) -> np.ndarray:
    """Return ln((c + alpha) / sum(c + alpha)) row by row, -inf for a probability of 0."""
    smoothed = counts + alpha
    totals = smoothed.sum(axis=1, keepdims=True)
    if not totals.all():
        name = names[int(np.flatnonzero(totals[:, 0] == 0)[0])]
        raise ValueError(WORDS.label(f"tables.undefined.{table}", state=name))
    with np.errstate(divide="ignore"):
        return np.log(smoothed / totals)


def from_probabilities(
    states: Sequence[str],
    vocabulary: Sequence[str],
    initial: np.ndarray,
    transition: np.ndarray,
    emission: np.ndarray,
    end: np.ndarray | None = None,
) -> HiddenMarkovModel:
    """Return the model with these tables, (K,), (K, K), (K, V) and (K,), once checked to be probabilities.

    Raises ValueError with a sentence that names the row when a number is no probability or a row does not
    sum to one; with `end`, transitions and end together sum to one.

    >>> from_probabilities(["hot", "cold"], ["1"], [0.5, 0.4], np.eye(2), [[1], [1]])
    Traceback (most recent call last):
    ValueError: The initial probabilities sum to 0.9, not to 1: add 0.1 somewhere.
    """
    initial, transition, emission = (
        np.asarray(table, dtype=float) for table in (initial, transition, emission)
    )
    check_sum(initial, WORDS.label("tables.initial"))
    end = None if end is None else np.asarray(end, dtype=float)
    following = transition if end is None else np.column_stack([transition, end])
    for state, row in zip(states, following, strict=True):
        check_sum(row, WORDS.label("tables.transition", state=state))
    for state, row in zip(states, emission, strict=True):
        check_sum(row, WORDS.label("tables.emission", state=state))
    with np.errstate(divide="ignore"):
        logs = [None if table is None else np.log(table) for table in (initial, transition, emission, end)]
    return HiddenMarkovModel(tuple(states), tuple(vocabulary), *logs)


def check_sum(row: np.ndarray, name: str) -> None:
    """Raise ValueError, with a sentence, when a row is not a probability distribution."""
    if not np.isfinite(row).all() or (row < 0).any() or (row > 1).any():
        wrong = next(value for value in row if not 0 <= value <= 1)
        raise ValueError(WORDS.label("tables.outside", row=name, value=f"{wrong:.6g}"))
    missing = 1 - row.sum()
    if abs(missing) > ROUNDING:
        numbers = {"total": f"{row.sum():.6g}", "change": f"{abs(missing):.6g}", "more": missing > 0}
        raise ValueError(WORDS.label("tables.sum", row=name, **numbers))


def ice_cream_diary() -> HiddenMarkovModel:
    """Return a model of a summer's weather, seen only through the ice creams eaten each day.

    The idea is Jason Eisner's (An interactive spreadsheet for teaching the forward-backward algorithm,
    2002); the numbers are our own. On the diary 2 1 a greedy search calls the first day hot, Viterbi cold.
    """
    return from_probabilities(
        ["hot", "cold"],
        ["1", "2", "3"],
        [0.6, 0.4],
        [[0.5, 0.5], [0.2, 0.8]],
        [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]],
    )


def noun_verb_toy() -> HiddenMarkovModel:
    """Return a model of three tags and eight words, most of which are noun or verb by their neighbours alone.

    In "fish can swim" and "they can fish" it is the path, not the word, that decides.
    """
    return from_probabilities(
        ["NOUN", "VERB", "PRON"],
        ["they", "fish", "can", "swim", "boats", "watch", "sink", "we"],
        [0.5, 0.1, 0.4],
        [[0.2, 0.5, 0.05], [0.5, 0.2, 0.1], [0.1, 0.8, 0.05]],
        [
            [0.0, 0.3, 0.15, 0.05, 0.25, 0.15, 0.1, 0.0],
            [0.0, 0.2, 0.3, 0.2, 0.02, 0.18, 0.1, 0.0],
            [0.6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.4],
        ],
        [0.25, 0.2, 0.05],
    )
