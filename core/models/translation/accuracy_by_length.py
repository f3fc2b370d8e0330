"""Accuracy against length: held-out sentences of each length, a few at a time, and what is read from the attempts.

share right    k of n sentences translated word for word, with its interval; see bottleneck.exact_match_interval
words kept     the mean over the sentences; see bottleneck.words_kept
sureness       p(y_t | y_<t, x) of each word that was written
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice

import numpy as np
import torch

from core.models.translation.bottleneck import Attempt, Estimate, exact_match_interval, mean_kept
from core.models.translation.translate import Translator, greedy
from core.text.grammar.english_french import english_french
from core.text.grammar.pairs import Pair

AT_ONCE = 5  # sentences of one length that are measured together
SECONDS = 0.25  # of work before the picture is drawn again
ByLength = Mapping[int, Sequence[Attempt]]  # attempts by the number of input words
Measured = Mapping[str, ByLength]  # by the model's name


@dataclass(frozen=True)
class Measurement:
    """What is asked for: sentences of each length, by these models {name: (score, broken)}, and where they start."""

    models: tuple[tuple[str, tuple[str, bool]], ...]
    lengths: tuple[int, ...]
    count: int
    seed: int

    @cached_property
    def parts(self) -> list[tuple[int, int]]:
        """The pieces of work, (number, length), the lengths by turns."""
        return [(number, length) for number in range(self.count // AT_ONCE) for length in self.lengths]


@dataclass
class Growth:
    """How far a measurement has come: so many of its parts, and whether it was stopped.

    `attempts_of(score, broken, seed, number, length)` returns what a model writes for one part; what it wrote is kept.
    """

    measurement: Measurement
    attempts_of: Callable[[str, bool, int, int, int], Sequence[Attempt]]
    done: int = 0
    stopped: bool = False
    kept: dict[tuple, Sequence[Attempt]] = field(default_factory=dict)

    @property
    def growing(self) -> bool:
        """Whether there is more to do."""
        return not self.stopped and self.done < len(self.measurement.parts)

    def grow(self, seconds: float = SECONDS) -> None:
        """Measure part after part for a moment, one at least."""
        until = time.monotonic() + seconds
        while self.growing:
            self.take_next()
            if time.monotonic() >= until:
                return

    def recall(self, known: Container[tuple]) -> None:
        """Take every next part that is remembered; measure one only where nothing is there yet."""
        while self.growing and all(asked in known for asked in self.next_attempts()):
            self.take_next()
        if not self.done:
            self.grow(0)

    def take_next(self) -> None:
        """Ask each model for the next part, and keep what it writes."""
        self.kept |= {asked: self.attempts_of(*asked) for asked in self.next_attempts()}
        self.done += 1

    def next_attempts(self) -> list[tuple[str, bool, int, int, int]]:
        """Return what is asked of each model in the next part: score, broken, seed, number, length."""
        part = (self.measurement.seed, *self.measurement.parts[self.done])
        return [(*model, *part) for _, model in self.measurement.models]

    def measured(self) -> dict[str, dict[int, list[Attempt]]]:
        """Return the attempts of the parts that are done."""
        found = {name: {} for name, _ in self.measurement.models}
        for number, length in self.measurement.parts[: self.done]:
            for name, model in self.measurement.models:
                part = self.kept[*model, self.measurement.seed, number, length]
                found[name].setdefault(length, []).extend(part)
        return found

    def turn(self, stopped: bool) -> None:
        """Stop, or go on."""
        self.stopped = stopped


@lru_cache(maxsize=2000)
def pairs_of(seed: int, number: int, length: int) -> tuple[Pair, ...]:
    """Return held-out pairs of one length; each seed and number draws its own.

    >>> [len(pair.source) for pair in pairs_of(seed=1, number=0, length=4)]
    [4, 4, 4, 4, 4]
    """
    return tuple(islice(english_french(1000 * number + seed, held_out=True, lengths=(length,)), AT_ONCE))


def shares_right(by_length: ByLength) -> dict[int, Estimate]:
    """Return for each length the share of sentences translated word for word."""
    return {length: exact_match_interval([each.right for each in made]) for length, made in by_length.items()}


def shares_kept(by_length: ByLength) -> dict[int, Estimate]:
    """Return for each length the mean share of the reference's words that stand in the output."""
    return {length: mean_kept([each.kept for each in made]) for length, made in by_length.items()}


def failures(by_length: ByLength) -> list[Pair]:
    """Return the sentences that a model got wrong, in the order in which they were measured, long ones first.

    >>> wrong, right = (Attempt(Pair(("a",), ("b",)), (word,)) for word in "cb")
    >>> len(failures({1: [wrong, right]}))
    1
    """
    placed = [
        (place // AT_ONCE, -length, place, attempt)
        for length, made in by_length.items()
        for place, attempt in enumerate(made)
    ]
    return [attempt.pair for *_, attempt in sorted(placed, key=lambda each: each[:3]) if not attempt.right]


@dataclass(frozen=True)
class AttemptedSentence:
    """One sentence as a model translates it: the attempt, the words with <end>, how probable it found each."""

    attempt: Attempt
    words: tuple[str, ...]
    p: np.ndarray


def sureness(translator: Translator, pair: Pair) -> AttemptedSentence:
    """Return what a model writes for one pair, and how probable it found each of its words."""
    made = greedy(translator.model, translator.source.encode(pair.source))
    p = made.steps.probabilities[0, range(len(made.words)), torch.tensor(made.words)]
    words = tuple(translator.target.words[i] for i in made.words)
    return AttemptedSentence(Attempt(pair, tuple(translator.target.decode(made.words))), words, p.numpy())


def length_rows(measured: Measured) -> list[dict]:
    """Return one row a model and length: how many are right, the share with its interval, the words kept."""
    rows = []
    for name, by_length in measured.items():
        right, kept = shares_right(by_length), shares_kept(by_length)
        rows += [
            {
                "model": name,
                "words": length,
                "sentences": right[length].n,
                "different": len({each.pair.source for each in made}),
                "right": sum(each.right for each in made),
                "share right": right[length].value,
                "95% from": right[length].low,
                "95% to": right[length].high,
                "words kept": kept[length].value,
            }
            for length, made in sorted(by_length.items())
        ]
    return rows


def sentence_rows(measured: Measured) -> list[dict]:
    """Return one row a sentence and model: the reference, what was written, and where it goes wrong."""
    return [
        {
            "model": name,
            "words": length,
            "English": " ".join(attempt.pair.source),
            "reference": " ".join(attempt.pair.target),
            "output": " ".join(attempt.output),
            "right": attempt.right,
            "first wrong word": None if attempt.drift is None else attempt.drift + 1,
            "words kept": attempt.kept,
        }
        for name, by_length in measured.items()
        for length, made in by_length.items()
        for attempt in made
    ]
