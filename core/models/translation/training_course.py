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
class Settings:
    """What `fit_translation` takes besides the pairs and the sentence to watch, in its order."""

    score: str
    hidden: int
    embedding: int
    epochs: int
    seed: int

    def steps(self, pairs: int) -> int:
        """Return about how many batches are trained on: seven pairs in eight, the others are held out.

        >>> Settings("dot", 64, 32, epochs=8, seed=1).steps(6000)
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


def course_said(found: Course, unit: str = "word") -> str:
    """Return the course of a training as a sentence.

    >>> course_said(Course((2.0, 0.5), (0.1, 0.8), 10, 50, 90, 120))
    'Loss 2.00 → 0.50, halved by step 50. Heaviest weight of an output word 0.10 → 0.80 (all alike: 1/10 = 0.10), ...'
    """
    (first, last), (blunt, sharp) = found.loss, found.sharpness
    halved = f"halved by step {found.halved:,}" if found.halved is not None else "never halved"
    return (
        f"Loss {first:.2f} → {last:.2f}, {halved}. Heaviest weight of an output {unit} {blunt:.2f} → {sharp:.2f} "
        f"(all alike: 1/{found.inputs} = {1 / found.inputs:.2f}), half-way at step {found.sharpened:,}. From step "
        f"{found.settled:,} the output is the one at the end."
    )


def progress_said(reports: Sequence[Snapshot]) -> tuple[float, str]:
    """Return how much of a training is done, 0 to 1, and that in words with the time that is left.

    >>> progress_said([])
    (0.0, 'Making the pairs and their vocabularies')
    """
    if not reports:
        return 0.0, "Making the pairs and their vocabularies"
    now = reports[-1]  # a report comes about every second
    left = f" · about {(len(reports) - 1) * (1 - now.share) / now.share:.0f} s left" if now.share else ""
    return now.share, f"Step {now.step:,}, {now.share:.0%} of the training{left}"
