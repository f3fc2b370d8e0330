"""A linear-chain conditional random field: the lattice of a hidden Markov model with learned scores.

A path y_1..y_n of tags over the words x scores the sum of its weights, and all paths share one normaliser:

    s(y, x) = sum_t sum_f w[f, y_t] [f holds at t] + sum_t>1 a[y_t-1, y_t]
    p(y | x) = exp(s(y, x)) / Z(x)      Z(x) = sum over all K^n paths of exp(s)

The scores are no probabilities, so that the features of a word may overlap. `viterbi`, `forward` and `tag_posteriors` of
this folder read them in place of logarithms: best path, ln Z and p(y_t | x).

Source: Lafferty, McCallum and Pereira, Conditional random fields (2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.models.hidden_markov_models.forward import forward
from core.models.hidden_markov_models.hmm import joint_log_probability
from core.models.hidden_markov_models.viterbi import Lattice, viterbi

SUFFIXES = (1, 2, 3, 4)  # letters
Tables = tuple[np.ndarray, np.ndarray, np.ndarray]  # start (K,), steps (K, K), and words (n, K)


def word_features(words: Sequence[str], t: int) -> tuple[str, ...]:
    """Return the names of what holds at word t, each `kind` or `kind=value`; they overlap.

    >>> word_features(["They", "walked"], 1)
    ('word=walked', 'suffix=d', 'suffix=ed', 'suffix=ked', 'suffix=lked', 'last', 'before=they')
    """
    word, letters = words[t], words[t].lower()
    found = [f"word={letters}"]
    found += [f"suffix={letters[-size:]}" for size in SUFFIXES if size < len(letters)]
    found += ["capital"] * (t > 0 and word[:1].isupper())
    found += ["digit"] * any(letter.isdigit() for letter in word)
    found += ["hyphen"] * ("-" in word[1:-1])
    found += ["first"] * (t == 0) + ["last"] * (t == len(words) - 1)
    found += [f"before={words[t - 1].lower()}"] * (t > 0)
    found += [f"after={words[t + 1].lower()}"] if t + 1 < len(words) else []
    return tuple(found)


def kind_of(feature: str) -> str:
    """Return the kind of a feature.

    >>> kind_of("suffix=ed"), kind_of("capital")
    ('suffix', 'capital')
    """
    return feature.split("=")[0]


@dataclass(frozen=True)
class ConditionalRandomField:
    """The weights of a conditional random field; a feature that it does not know counts 0."""

    states: tuple[str, ...]
    features: tuple[str, ...]
    weights: np.ndarray  # (F, K)
    transition: np.ndarray  # (K, K) from row to column; -inf where a step is not allowed

    @cached_property
    def index(self) -> dict[str, int]:
        """Each feature's row in the weights."""
        return {feature: row for row, feature in enumerate(self.features)}

    def deciding(self, words: Sequence[str], t: int) -> dict[str, np.ndarray]:
        """Return the features that hold at word t and have a weight other than 0, each with those for every tag (K,)."""
        known = (feature for feature in word_features(words, t) if feature in self.index)
        found = {feature: self.weights[self.index[feature]].astype(float) for feature in known}
        return {feature: weights for feature, weights in found.items() if weights.any()}

    def scores(self, words: Sequence[str]) -> np.ndarray:
        """Return the sum of the weights of each word's features for each tag, shape (n, K)."""
        scores = np.zeros((len(words), len(self.states)))
        for t in range(len(words)):
            for weights in self.deciding(words, t).values():
                scores[t] += weights
        return scores

    def tables(self, words: Sequence[str]) -> Tables:
        """Return what `viterbi` and `forward` read; raises ValueError when there is no word.

        What begins or ends a sentence is a feature, so that the start scores 0.
        """
        if not words:
            raise ValueError("There is no word to tag: give a sentence of at least one word.")
        return np.zeros(len(self.states)), self.transition.astype(float), self.scores(words)


@dataclass(frozen=True)
class ScoredSentence:
    """A sentence with its lattice: the best path, ln Z, and what share of all paths the best one has."""

    words: tuple[str, ...]
    states: tuple[str, ...]
    tables: Tables
    viterbi: Lattice
    log_partition: float

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the best path."""
        return tuple(self.states[state] for state in self.viterbi.path)

    @property
    def share(self) -> float:
        """p(best path | words) = exp(best score - ln Z)."""
        return self.probability(self.viterbi.path)

    def score(self, path: Sequence[int]) -> float:
        """Return the score of any path."""
        return float(joint_log_probability(path, *self.tables).sum())

    def probability(self, path: Sequence[int]) -> float:
        """Return p(path | words)."""
        return float(np.exp(self.score(path) - self.log_partition))


def score_sentence(
    crf: ConditionalRandomField, words: Sequence[str], stepwise: bool = False
) -> ScoredSentence:
    """Return a sentence scored by a model; with `stepwise` each step is normalised by itself, and Z is 1.

    >>> crf = ConditionalRandomField(("X", "Y"), ("word=a",), np.array([[1.0, 0.0]]), np.zeros((2, 2)))
    >>> found = score_sentence(crf, ["a", "a"])
    >>> found.tags, round(found.log_partition, 3), round(found.share, 3)  # 2 ln(e + 1)
    (('X', 'X'), 2.627, 0.534)
    """
    tables = crf.tables(words)
    if stepwise:
        tables = normalise_steps(*tables)
    return ScoredSentence(
        tuple(words), crf.states, tables, viterbi(*tables), forward(*tables).log_probability
    )


def normalise_steps(start: np.ndarray, steps: np.ndarray, scores: np.ndarray) -> Tables:
    """Return tables in which the tags that follow each tag share a probability of 1, at every word.

    p(y_t = j | y_t-1 = i, x) = exp(a[i, j] + s[t, j]) / Z_t(i), as in a maximum-entropy Markov model (MEMM). ln Z_t(i)
    depends on the tag that is left, so that it can be taken off that tag's score: the lattice stays the same.
    A tag with one successor gives it probability 1, whatever the word scores: label bias.

    Source: McCallum, Freitag and Pereira, Maximum entropy Markov models (2000); Bottou (1991) on the bias.

    >>> tables = normalise_steps(np.zeros(2), np.zeros((2, 2)), np.array([[1.0, 0.0], [5.0, 0.0]]))
    >>> abs(round(forward(*tables).log_probability, 9))
    0.0
    """
    leaving = np.logaddexp.reduce(steps + scores[1:, None, :], axis=2)  # (n-1, K) ln Z_t+1(i)
    own = scores.astype(float).copy()
    own[:-1] -= np.where(np.isfinite(leaving), leaving, 0)  # a tag that nothing may follow is on no path
    own[0] -= np.logaddexp.reduce(start + scores[0])
    return start, steps, own


STEPS = "steps"  # what the tags before and after add to a word's tag


def weigh_tags(
    crf: ConditionalRandomField, words: Sequence[str], path: Sequence[int], t: int, other: int
) -> dict:
    """Return by how much each feature at word t prefers the path's tag to another, the largest first, {feature: weight}.

    The entry STEPS is that of the steps from the tag before and to the tag after. The sum is the path's score less its
    score with the other tag.

    >>> crf = ConditionalRandomField(("X", "Y"), ("word=a", "last"), np.array([[1.0, 0.2], [0.0, 2.0]]), np.eye(2))
    >>> weigh_tags(crf, ["a", "a"], (0, 0), 1, 1)  # 1 - 0.2, 0 - 2, and a step of 1 - 0
    {'last': -2.0, 'steps': 1.0, 'word=a': 0.8}
    """
    tag = path[t]
    found = {
        feature: float(weights[tag] - weights[other]) for feature, weights in crf.deciding(words, t).items()
    }
    steps = 0.0
    if t:
        steps += crf.transition[path[t - 1], tag] - crf.transition[path[t - 1], other]
    if t + 1 < len(words):
        steps += crf.transition[tag, path[t + 1]] - crf.transition[other, path[t + 1]]
    found[STEPS] = float(steps)
    return dict(sorted(found.items(), key=lambda each: -abs(each[1])))
