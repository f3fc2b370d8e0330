r"""A power law through a few points: the loss of models against how many numbers they have learned.

    L(N) = c + a N^-b            c = 0 unless it is given

ln (L - c) = ln a - b ln N is a straight line, fitted by least squares. How far to trust b is asked in three ways: other
held-out pieces (a bootstrap, all models measured on the same pieces), each model left out in turn, and another c.

Sources: Kaplan et al. (2020), Scaling Laws for Neural Language Models; Hoffmann et al. (2022), Training
Compute-Optimal Large Language Models (whose E is the c here); Efron and Tibshirani (1993), An Introduction to the
Bootstrap, chapter 13.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

DRAWS = 2000  # bootstrap samples
CENTRAL = (2.5, 97.5)  # per cent: the ends of a 95% interval


@dataclass(frozen=True)
class PowerLaw:
    """L(N) = c + a N^-b."""

    a: float
    b: float
    c: float = 0.0

    def __call__(self, sizes: Sequence[float] | float) -> np.ndarray:
        """Return the loss that the law gives models of these sizes."""
        return self.c + self.a * np.asarray(sizes, dtype=float) ** -self.b


def fit_power_law(sizes: Sequence[float], losses: Sequence[float], c: float = 0.0) -> PowerLaw:
    """Return the law whose line through (ln N, ln (L - c)) has the least squares; every loss is above c.

    >>> law = fit_power_law([100, 10_000], [2.0, 1.0])
    >>> round(law.b, 4), law([1_000_000]).round(4).tolist()
    (0.1505, [0.5])
    """
    slope, height = np.polyfit(np.log(sizes), np.log(np.asarray(losses) - c), 1)
    return PowerLaw(float(np.exp(height)), float(-slope), c)


def resampled_losses(by_piece: np.ndarray, draws: int = DRAWS, seed: int = 0) -> np.ndarray:
    """Return the mean losses (draws, models) on pieces drawn again; `by_piece` (models, pieces) in nats.

    Every draw takes the same pieces for all models: a hard piece is hard for all.
    """
    pieces = by_piece.shape[1]
    drawn = np.random.default_rng(seed).integers(0, pieces, (draws, pieces))
    return by_piece[:, drawn].mean(axis=2).T


def loss_intervals(by_piece: np.ndarray) -> np.ndarray:
    """Return the ends of the 95% interval of each model's mean loss, (models, 2)."""
    return np.percentile(resampled_losses(by_piece), CENTRAL, axis=0).T


def exponent_interval(sizes: Sequence[float], by_piece: np.ndarray) -> tuple[float, float]:
    """Return the ends of the 95% interval of b over other pieces: it knows nothing of other seeds or other shapes.

    >>> exponent_interval([10, 100], np.array([[2.0, 2.0], [1.0, 1.0]]))  # all pieces alike
    (0.3010..., 0.3010...)
    """
    losses = np.log(resampled_losses(by_piece))  # (draws, models)
    slopes = np.polyfit(np.log(sizes), losses.T, 1)[0]
    low, high = np.percentile(-slopes, CENTRAL)
    return float(low), float(high)


def exponents_without_one(sizes: Sequence[float], losses: Sequence[float]) -> list[float]:
    """Return b fitted without each model in turn."""
    rows = [[j for j in range(len(sizes)) if j != i] for i in range(len(sizes))]
    return [fit_power_law(np.take(sizes, row), np.take(losses, row)).b for row in rows]


def worst_miss(law: PowerLaw, sizes: Sequence[float], losses: Sequence[float]) -> float:
    """Return how far the law is from the loss it misses most, in nats."""
    return float(np.abs(law(sizes) - losses).max())


def floors_that_fit(
    sizes: Sequence[float], losses: Sequence[float], within: float, steps: int = 200
) -> list[PowerLaw]:
    """Return the laws, by their floor c from 0 up, that miss no loss by more than `within`; none if there is none.

    A few points leave c open: several laws that lie on them all part ways beyond the last.

    >>> laws = floors_that_fit([1, 10, 100], [3.0, 2.0, 1.5], within=0.05)
    >>> round(laws[0].c, 2), round(laws[-1].c, 2)  # 1 + 2 N^-0.301 goes through all three
    (0.55, 1.19)
    """
    floors = np.linspace(0, min(losses), steps, endpoint=False)
    laws = [fit_power_law(sizes, losses, float(c)) for c in floors]
    return [law for law in laws if worst_miss(law, sizes, losses) <= within]
