"""What an unseen word's ending says about its part of speech.

p(tag | ending) is counted on the training text's rare words, from the longest ending that was ever seen
down to none at all, each step smoothed by the one before it:

    p(t | s_0) = c(t) / c                                     s_0: nothing is known of the word
    p(t | s_m) = (c(t, s_m) + w p(t | s_m-1)) / (c(s_m) + w)  s_m: its shape and its last m - 1 letters

and Bayes' rule turns it round, p(word | t) = p(t | s_m) p(word) / p(t), with p(word) = 1 / N for a word
never met in N tokens. Shapes keep endings apart: Capital, lower, hyphen, digit.

Source: Brants, TnT: a statistical part-of-speech tagger (2000), section 2.3, with one weight in place of his.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SuffixStep:
    """One ending: how often rare words with it had each tag, and p(tag | ending)."""

    shape: str  # "any" at the first step, when not even the shape is looked at
    suffix: str
    counts: np.ndarray  # (K,)
    probabilities: np.ndarray  # (K,) p(tag | ending)


@dataclass(frozen=True)
class SuffixGuess:
    """What was thought of an unseen word: the endings looked at, shortest first, and their emission."""

    word: str
    shape: str
    suffix: str  # the longest ending that was seen, "" when none was
    steps: tuple[SuffixStep, ...]
    tag_probabilities: np.ndarray  # (K,) p(tag | ending), those of the last step
    word_probability: float  # p(word), 1 / N
    log_emission: np.ndarray  # (K,) ln p(word | tag)


def shape(word: str) -> str:
    """Return the word's shape, the first that fits of: digit, Capital, hyphen, lower.

    >>> [shape(word) for word in ("1990s", "Utrecht", "well-known", "walked")]
    ['digit', 'Capital', 'hyphen', 'lower']
    """
    if any(character.isdigit() for character in word):
        return "digit"
    if word[:1].isupper():
        return "Capital"
    return "hyphen" if "-" in word else "lower"


class SuffixModel:
    """p(tag | ending) from the endings of rare words.

    Parameters: `longest`, letters of the longest ending; `rarest`, words counted more often than this
    teach nothing about new words; `weight`, how many tokens the shorter ending's opinion is worth.

    Attributes after fit: `index_` {(shape, ending): row}, `counts_` (rows, K), `tag_probabilities_` (K,)
    p(tag) of all tokens, `tokens_` their number N.

    >>> words = ["walking", "talking", "king", "walked"]
    >>> model = SuffixModel(weight=1.0).fit(words, np.array([[0, 0, 1, 0], [1, 1, 0, 1]]))  # rows NOUN, VERB
    >>> guess = model.guess("jumping")
    >>> guess.suffix, guess.steps[-1].counts.tolist(), guess.tag_probabilities.round(3).tolist()
    ('ing', [1, 2], [0.332, 0.668])
    """

    def __init__(self, longest: int = 5, rarest: int = 10, weight: float = 3.0):
        self.longest = longest
        self.rarest = rarest
        self.weight = weight

    def fit(self, words: Sequence[str], counts: np.ndarray) -> SuffixModel:
        """Count the endings of the rare words; `counts` (K, V) says how often each tag emitted each word."""
        self.tokens_ = int(counts.sum())
        self.tag_probabilities_ = counts.sum(axis=1) / self.tokens_
        total = counts.sum(axis=0)  # (V,)
        rare = np.flatnonzero((total > 0) & (total <= self.rarest))
        if len(rare) == 0:
            rare = np.flatnonzero(total)
        self.index_: dict[tuple[str, str], int] = {("any", ""): 0}
        rows, columns = [], []
        for column in rare:
            for ending in self.endings(words[column]):
                rows.append(self.index_.setdefault(ending, len(self.index_)))
                columns.append(column)
        self.counts_ = np.zeros((len(self.index_), len(counts)), dtype=np.int64)  # (rows, K)
        np.add.at(self.counts_, rows, counts.T[columns].astype(np.int64))
        return self

    def endings(self, word: str) -> list[tuple[str, str]]:
        """Return the (shape, ending) pairs of a word, from knowing nothing to the longest ending."""
        letters = word.lower()
        kind = shape(word)
        sizes = range(min(self.longest, len(letters)) + 1)
        return [("any", "")] + [(kind, letters[len(letters) - size :]) for size in sizes]

    def guess(self, word: str) -> SuffixGuess:
        """Return what the endings of a word say of its tag, step by step."""
        steps: list[SuffixStep] = []
        for ending in self.endings(word):
            if ending not in self.index_:
                break
            counts = self.counts_[self.index_[ending]]
            shorter = steps[-1].probabilities if steps else None
            steps.append(SuffixStep(*ending, counts, self.smoothed(counts, shorter)))
        probabilities = steps[-1].probabilities
        log_emission = self.log_emission(probabilities)
        return SuffixGuess(
            word, shape(word), steps[-1].suffix, tuple(steps), probabilities, 1 / self.tokens_, log_emission
        )

    def log_emissions(self, words: Sequence[str]) -> np.ndarray:
        """Return ln p(word | t) of many words, shape (n, K): what `guess` says of each, without steps."""
        nowhere = len(self.index_)
        endings = [[self.index_.get(ending, nowhere) for ending in self.endings(word)] for word in words]
        rows = np.array(
            [row + [nowhere] * (self.longest + 2 - len(row)) for row in endings]
        )  # (n, longest + 2)
        probabilities = self.smoothed(self.counts_[rows[:, 0]], None)
        for column in rows.T[1:]:
            seen = column < nowhere
            probabilities[seen] = self.smoothed(self.counts_[column[seen]], probabilities[seen])
        return self.log_emission(probabilities)

    def log_emission(self, probabilities: np.ndarray) -> np.ndarray:
        """Return ln p(word | t) = ln p(t | s_m) p(word) / p(t), shape (..., K), -inf for tags never seen."""
        with np.errstate(divide="ignore", invalid="ignore"):
            emission = probabilities / self.tokens_ / self.tag_probabilities_
            return np.log(np.where(self.tag_probabilities_ > 0, emission, 0))

    def smoothed(self, counts: np.ndarray, shorter: np.ndarray | None) -> np.ndarray:
        """Return p(t | s_m) = (c(t, s_m) + w p(t | s_m-1)) / (c(s_m) + w), shape (..., K)."""
        total = counts.sum(axis=-1, keepdims=True)
        return counts / total if shorter is None else (counts + self.weight * shorter) / (total + self.weight)
