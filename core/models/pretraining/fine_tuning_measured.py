"""What was measured while three ways learnt from labelled sentences: several seeds at once, stored or just trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property

import numpy as np
from scipy.stats import t as student

from core.models.pretraining.fine_tuning import FINE_TUNED, WAYS
from core.models.pretraining.fine_tuning_runs import STEPS, FineTuningRun, FineTuningSettings
from core.models.stored import load_weights

STORED = "fine_tuned"
SIZES, SEEDS = (16, 64, 256), (1, 2, 3)
Ends = tuple[float, float, float]  # a mean, and the ends of its interval
RATES, RATES_AT = (0.1, 1.0, 10.0), 64  # times the body's rate; on so many labelled sentences


@dataclass(frozen=True, eq=False)
class Measured:
    """R runs of one way: held-out texts right (R, S, N), masked losses (R, S, P), learnt (R,), loss (R, steps).

    `vectors` (S, N, C) are those of the first run alone; of a body that never moved, of step 0, S = 1.
    """

    right: np.ndarray
    masked: np.ndarray
    learnt: np.ndarray
    loss: np.ndarray
    vectors: np.ndarray

    @staticmethod
    def of(runs: Sequence[FineTuningRun]) -> Measured:
        """Return runs of the same way and settings as one; arrays as they are stored."""
        vectors = runs[0].vectors
        still = bool((vectors == vectors[0]).all())
        return Measured(
            np.stack([run.right for run in runs]).astype(np.uint8),
            np.stack([run.masked for run in runs]).astype(np.float32),
            np.array([run.learnt for run in runs], dtype=np.float32),
            np.stack([run.loss for run in runs]).astype(np.float16),
            vectors[: 1 if still else None].astype(np.float16),
        )

    @cached_property
    def accuracy(self) -> np.ndarray:
        """The share of the held-out texts that is right, (R, S)."""
        return self.right.mean(axis=2)

    @cached_property
    def forgotten(self) -> np.ndarray:
        """By how much the masked loss of each passage has risen at the end, mean over the runs, (P,), in nats."""
        return (self.masked[:, -1] - self.masked[:, 0]).mean(axis=0)


def key_of(way: str, settings: FineTuningSettings, steps: int = STEPS) -> str:
    """Return the name of a kind of training.

    >>> key_of("fine-tuned", FineTuningSettings(64, rate=10.0))
    'fine-tuned.64.rate 10'
    >>> key_of("from scratch", FineTuningSettings(16, shuffled=True), 240)
    'from scratch.16.shuffled.240 steps'
    """
    parts = [way, str(settings.n)]
    parts += [f"rate {settings.rate:g}"] * (settings.rate != 1)
    parts += ["shuffled"] * settings.shuffled + [f"{steps} steps"] * (steps != STEPS)
    return ".".join(parts)


@cache
def stored_runs() -> dict[str, Measured]:
    """Return what is stored, by `key_of`; every session shares it and nothing changes it."""
    arrays = load_weights(STORED)
    names = [field.name for field in fields(Measured)]
    keys = sorted({name.partition(".")[2] for name in arrays})
    return {key: Measured(*(arrays[f"{name}.{key}"] for name in names)) for key in keys}


@cache
def quantile(n: int) -> float:
    """Return the 97.5% quantile of Student's t with n - 1 degrees of freedom.

    >>> round(quantile(4), 3)
    3.182
    """
    return float(student.ppf(0.975, n - 1))


def mean_interval(values: np.ndarray) -> Ends:
    """Return the mean of n values with the ends of Student's interval at 95%: mean -+ t s / sqrt(n); alone, no width.

    >>> tuple(round(each, 3) for each in mean_interval(np.array([0.5, 0.6, 0.7, 0.8])))
    (0.65, 0.445, 0.855)
    """
    n, mean = len(values), float(np.mean(values))
    if n < 2:
        return mean, mean, mean
    reach = quantile(n) * float(np.std(values, ddof=1)) / n**0.5
    return mean, mean - reach, mean + reach


def accuracy_difference(one: np.ndarray, other: np.ndarray, kinds: Sequence[str] = ()) -> Ends:
    """Return by how much one way is right more often, (R, N) both, with its interval over the held-out texts or kinds.

    d_i is the share of the seeds that are right on text i, less the other way's: the same texts, so they are paired.
    Texts of one kind depend on each other; where the kinds are known, d_i is the mean of a kind.

    >>> right, none = np.array([[1, 1, 0, 0]]), np.zeros((1, 4))
    >>> [round(each, 2) for each in accuracy_difference(right, none)]
    [0.5, -0.42, 1.42]
    >>> [round(each, 2) for each in accuracy_difference(right, none, "abab")]
    [0.5, 0.5, 0.5]
    """
    d = one.mean(axis=0) - other.mean(axis=0)  # (N,)
    if len(kinds):
        d = np.array([d[np.asarray(list(kinds)) == kind].mean() for kind in sorted(set(kinds))])
    return mean_interval(d)


def load_fine_tuning_quality() -> dict:
    """Return what the card says: shares right at the end, mean over seeds, and the masked loss forgotten, in nats."""
    runs = stored_runs()
    found = {f"right, {key}": float(each.accuracy[:, -1].mean()) for key, each in runs.items()}
    for key, each in runs.items():
        if each.masked.size:
            found[f"masked loss risen, nats, {key}"] = float(each.forgotten.mean())
    return found


def select_runs(runs: dict[str, Measured], settings: FineTuningSettings) -> dict[str, Measured]:
    """Return the stored runs of the three ways with these settings."""
    return {way: runs[key_of(way, settings)] for way in WAYS}


def at_rates(runs: dict[str, Measured]) -> dict[float, Measured]:
    """Return the fine-tuned runs by how many times the body's rate they were trained with."""
    return {rate: runs[key_of(FINE_TUNED, FineTuningSettings(RATES_AT, rate=rate))] for rate in RATES}


def measured_ways(runs: dict[str, list[FineTuningRun]]) -> dict[str, Measured]:
    """Return the ways' runs as measured, of each as many as all have; nothing where a way has none."""
    least = min(len(each) for each in runs.values())
    return {way: Measured.of(each[:least]) for way, each in runs.items()} if least else {}
