"""A recorded training of word vectors: where some words point by step, one step worked through, and what noise is for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.models.word_vectors.negative_sampling import NegativeSamplingStep, training_step, window

RUN = Path(__file__).resolve().parents[3] / "assets" / "runs" / "word_vector_training.json"


@dataclass(frozen=True)
class RecordedVectors:
    """The vectors after some steps: where the shown words point, and how near to each other.

    `places` (n, 2) are the words' directions on the map of the last moment, `mean` is the mean cosine of all pairs of
    the shown words, `king_queen` that of these two. `nearest` of all words is nearest to *king*.
    """

    step: int
    places: tuple[tuple[float, float], ...]
    mean: float
    king_queen: float
    nearest: str


@dataclass(frozen=True)
class RecordedPair:
    """A true pair and its noise at a moment: v of the word that is given, u of those to be told apart, (1 + k, d)."""

    step: int
    given: str
    true: str
    noise: tuple[str, ...]
    rate: float
    v: tuple[float, ...]
    u: tuple[tuple[float, ...], ...]

    def worked(self) -> NegativeSamplingStep:
        """Return the step of training on this pair."""
        return training_step(
            np.array(self.v), np.array(self.u[0]), np.array(self.u[1:]), self.rate, [self.true, *self.noise]
        )


@dataclass(frozen=True)
class RecordedVectorTraining:
    """The run: of which text, with which settings, the shown words with their groups, and every moment.

    `near_king` are the words nearest to *king*, each with its cosine and how often it is in a window around *king*.
    `contexts` are (word, in windows around *king*, around
    *queen*), `overlap` how much of the windows of *king* and of another word is the same. `fan` (n, 2) are the words as
    seen from 0, upwards in their mean direction; `fan_bare` and `mean_bare` are of a training without noise, `seeds` of
    other trainings: what is nearest to *king*.
    """

    sample: str
    sentences: int
    tokens: int
    vocabulary: int
    dimension: int
    window: int
    negatives: int
    steps: int
    words: tuple[str, ...]
    groups: tuple[str, ...]
    moments: tuple[RecordedVectors, ...]
    pair: RecordedPair
    near_king: tuple[tuple[str, float, int], ...]
    contexts: tuple[tuple[str, int, int], ...]
    overlap: dict[str, float]
    fan: tuple[tuple[float, float], ...]
    fan_bare: tuple[tuple[float, float], ...]
    mean_bare: float
    seeds: dict[int, str]

    def at(self, step: int) -> RecordedVectors:
        """Return the moment after so many steps."""
        return next(moment for moment in self.moments if moment.step == step)


def contexts_of(sentences: Sequence[Sequence[str]], word: str, size: int) -> Counter[str]:
    """Return how often each word is in a window around a word.

    >>> contexts_of([["the", "king", "smiles"], ["the", "queen"]], "king", 2)
    Counter({'the': 1, 'smiles': 1})
    """
    return Counter(
        sentence[near]
        for sentence in sentences
        for place, token in enumerate(sentence)
        if token == word
        for near in window(sentence, place, size)
    )


def shared_share(one: Counter[str], other: Counter[str]) -> float:
    """Return how much of two words' windows is the same: the sum of the smaller of each context's two shares.

    >>> shared_share(Counter("aab"), Counter("aac"))
    0.6666666666666666
    """
    return float(sum(min(one[word] / one.total(), other[word] / other.total()) for word in one))


@cache
def load_vector_training() -> RecordedVectorTraining:
    """Return the run that `python -m core.training.word_vector_runs` wrote."""
    run = json.loads(RUN.read_text(encoding="utf-8"))
    moments = tuple(RecordedVectors(**moment) for moment in run["moments"])
    seeds = {int(seed): word for seed, word in run["seeds"].items()}
    return RecordedVectorTraining(
        **{**run, "moments": moments, "pair": RecordedPair(**run["pair"]), "seeds": seeds}
    )
