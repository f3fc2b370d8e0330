"""The course of a training, read from its snapshots: when the loss fell, when the model began to look, when it was done.

sharpness    1/T sum_t max_s a_ts       the heaviest weight of an output, the mean over the T outputs; at least 1/S
halved       the first step at which the loss is at most half of the first that was measured
sharpened    the first step at which the sharpness is at least half-way from the first to the last
settled      the first step from which the output is the one at the end
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from core.models.translation.fit_translation import BATCH, Snapshot


@dataclass(frozen=True)
class TranslationSettings:
    """What `fit_translation` takes besides the pairs and the sentence to watch, in its order."""

    score: str
    hidden: int
    embedding: int
    epochs: int
    seed: int

    def steps(self, pairs: int) -> int:
        """Return about how many batches are trained on: seven pairs in eight, the others are held out.

        >>> TranslationSettings("dot", 64, 32, epochs=8, seed=1).steps(6000)
        664
        """
        return self.epochs * ceil(pairs * 7 / 8 / BATCH)


def sharpness(weights: np.ndarray) -> float:
    """Return the mean over the outputs of their heaviest weight. `weights` is (T, S).

    >>> sharpness(np.array([[0.5, 0.5], [1.0, 0.0]]))
    0.75
    """
    return float(weights.max(-1).mean())


@dataclass(frozen=True)
class Course:
    """What happened when, as steps; `halved` is None where the loss was never halved."""

    loss: tuple[float, float]  # the first and the last that were measured
    sharpness: tuple[float, float]  # at the first snapshot and at the last
    inputs: int
    halved: int | None
    sharpened: int
    settled: int


def course(snapshots: Sequence[Snapshot]) -> Course | None:
    """Return the course of a training; None where it was stopped before a loss was measured."""
    measured = snapshots[1:]
    if not measured:
        return None
    sharp = [sharpness(shot.weights) for shot in snapshots]
    first, last = measured[0].loss, measured[-1].loss
    way = sharp[-1] - sharp[0]
    last_other = max(
        (i for i, shot in enumerate(snapshots) if shot.output != snapshots[-1].output), default=-1
    )
    return Course(
        loss=(first, last),
        sharpness=(sharp[0], sharp[-1]),
        inputs=len(snapshots[-1].source),
        halved=next((shot.step for shot in measured if shot.loss <= first / 2), None),
        sharpened=next(
            shot.step for shot, s in zip(snapshots, sharp, strict=True) if (s - sharp[0]) * way >= way**2 / 2
        ),
        settled=snapshots[last_other + 1].step,
    )


def seconds_left(reports: Sequence[Snapshot]) -> float | None:
    """Return how long a training will go on, as far as its reports tell, which come about every second; None at first.

    >>> seconds_left([]) is None
    True
    """
    share = reports[-1].share if reports else 0.0
    return (len(reports) - 1) * (1 - share) / share if share else None
