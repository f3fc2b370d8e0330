"""A recorded training on the characters of a play: losses and samples by step, and what counting reaches."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.text.tokenization.tokens import words

RUN = Path(__file__).resolve().parents[3] / "assets" / "runs" / "character_training.json"
BLOCK = 50  # neighbouring characters that count as one observation: their losses depend on each other


@dataclass(frozen=True)
class CharacterMoment:
    """A network after some steps: bits per character on both parts, and what it writes.

    `known` is the share of the words of a long sample that occur in the training part, `word_length` their mean length,
    `letters_off` the total variation distance between the sample's characters and the training part's.
    """

    step: int
    training: float
    held_out: float
    known: float
    word_length: float
    letters_off: float
    sample: str


@dataclass(frozen=True)
class RecordedRun:
    """The run: of which text, with which network, every moment, and the n-grams {n: bits per held-out character}.

    `behind` is by how many bits per character the last moment is worse than the best n-gram on the same characters,
    `interval` its 95% interval. `word_length` and `words_known` are of the held-out part, as a perfect imitation would
    have them; `long_sample` is the length of the samples that are measured.
    """

    sample: str
    characters: int
    vocabulary: int
    network: str
    window: int
    seed: int
    parameters: int
    word_length: float
    words_known: float
    long_sample: int
    moments: tuple[CharacterMoment, ...]
    ngrams: dict[int, float]
    behind: float
    interval: tuple[float, float]

    @property
    def best(self) -> int:
        """The n of the best n-gram."""
        return min(self.ngrams, key=self.ngrams.__getitem__)

    def at(self, step: int) -> CharacterMoment:
        """Return the moment after so many steps."""
        return next(moment for moment in self.moments if moment.step == step)

    def first_below(self, bits: float) -> CharacterMoment:
        """Return the first moment whose held-out loss is below a number of bits."""
        return next(moment for moment in self.moments if moment.held_out < bits)


def paired_difference(one: np.ndarray, other: np.ndarray) -> tuple[float, tuple[float, float]]:
    """Return the mean difference of two losses of the same characters, and its 95% interval over blocks of them.

    >>> paired_difference(np.full(500, 2.0), np.full(500, 1.5))
    (0.5, (0.5, 0.5))
    """
    blocks = (one - other)[: len(one) // BLOCK * BLOCK].reshape(-1, BLOCK).mean(axis=1)
    mean, error = float(blocks.mean()), float(blocks.std(ddof=1) / np.sqrt(len(blocks)))
    return mean, (mean - 1.96 * error, mean + 1.96 * error)


def real_words(text: str) -> frozenset[str]:
    """Return the words of a text without its single letters, which noise hits by chance; a, i and o are words.

    >>> sorted(real_words("O, I said 's a cat"))
    ['a', 'cat', 'i', 'o', 'said']
    """
    return frozenset(word for word in words(text) if len(word) > 1 or word in "aio")


@cache
def recorded_run() -> RecordedRun:
    """Return the run that `python -m core.training.character_runs` wrote."""
    run = json.loads(RUN.read_text(encoding="utf-8"))
    return RecordedRun(
        **{
            **run,
            "moments": tuple(CharacterMoment(**moment) for moment in run["moments"]),
            "ngrams": {int(n): bits for n, bits in run["ngrams"].items()},
            "interval": tuple(run["interval"]),
        }
    )
