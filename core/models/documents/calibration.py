r"""Calibration: is a model right as often as it says it is?

A model gives its answer the confidence c = max_k p_k. It is calibrated where, of all answers given with confidence c, the
share c is right. Over N answers sorted into B bins of equal width by their confidence:

    acc(b) = share of the answers in bin b that are right        conf(b) = their mean confidence
    ECE    = sum_b  N_b / N  |acc(b) - conf(b)|                   expected calibration error

Temperature scaling divides the logits z by one number T > 0 before the softmax. The order of the classes stays, so no answer
changes; T is chosen to give held-out answers the largest likelihood:

    p_k = exp(z_k / T) / sum_j exp(z_j / T)                       T* = argmin_T  -1/N sum_n ln p_{y_n}

Pakdaman Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning. Guo, Pleiss,
Sun and Weinberger (2017), On calibration of modern neural networks. Chow (1970), On optimum recognition error and reject
tradeoff.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

COLDEST, HOTTEST = 0.05, 20.0  # temperatures that are searched
BINS = 10


@dataclass(frozen=True)
class Reliability:
    """The bins of a reliability diagram. A bin without answers has NaN for its two means.

    `edges` (B + 1,); `counts` (B,) answers; `confidence` (B,) mean confidence; `accuracy` (B,) share that is right.
    """

    edges: np.ndarray
    counts: np.ndarray
    confidence: np.ndarray
    accuracy: np.ndarray

    @property
    def gaps(self) -> np.ndarray:
        """Return confidence minus accuracy of each bin (B,), 0 where it is empty: above 0 the model is too sure."""
        return np.nan_to_num(self.confidence - self.accuracy)

    @property
    def shares(self) -> np.ndarray:
        """Return each bin's share of all answers (B,)."""
        return self.counts / self.counts.sum()

    @property
    def error(self) -> float:
        """Return the expected calibration error (ECE), between 0 and 1."""
        return float((self.shares * np.abs(self.gaps)).sum())


def bin_answers(confidence: np.ndarray, right: np.ndarray, bins: int = BINS) -> Reliability:
    """Sort answers (N,) into bins of equal width by their confidence, each bin with its upper end.

    >>> found = bin_answers(np.array([0.55, 0.95, 0.95, 0.95]), np.array([1, 1, 1, 0]), 10)
    >>> found.counts.tolist(), round(float(found.accuracy[9]), 3), round(found.error, 4)
    ([0, 0, 0, 0, 0, 1, 0, 0, 0, 3], 0.667, 0.325)
    """
    edges = np.linspace(0, 1, bins + 1)
    place = np.clip(np.digitize(confidence, edges, right=True) - 1, 0, bins - 1)  # (N,)
    counts = np.bincount(place, minlength=bins)
    with np.errstate(invalid="ignore"):
        means = [
            np.bincount(place, weights=np.asarray(values, dtype=float), minlength=bins) / counts
            for values in (confidence, right)
        ]
    return Reliability(edges, counts, *means)


def scale_logits(logits: np.ndarray, temperature: float) -> np.ndarray:
    """Return the probabilities (N, K) of logits (N, K) divided by a temperature.

    >>> scale_logits(np.array([[np.log(9), 0.0]]), 2).round(3).tolist()
    [[0.75, 0.25]]
    """
    return softmax(logits / temperature, axis=1)


def divide_probabilities(logits: np.ndarray, temperature: float) -> np.ndarray:
    """Return what a common mistake gives: the probabilities divided by T and made to sum to 1 again, so T cancels.

    >>> divide_probabilities(np.array([[np.log(9), 0.0]]), 2).round(3).tolist()
    [[0.9, 0.1]]
    """
    divided = softmax(logits, axis=1) / temperature
    return divided / divided.sum(axis=1, keepdims=True)


def average_loss(logits: np.ndarray, y: np.ndarray, temperature: float = 1.0) -> float:
    """Return the mean of -ln p of the true classes y (N,), in nats."""
    return float(-log_softmax(logits / temperature, axis=1)[np.arange(len(y)), y].mean())


def fit_temperature(logits: np.ndarray, y: np.ndarray) -> float:
    """Return the temperature with the smallest mean loss, between COLDEST and HOTTEST.

    The loss has one minimum in 1 / T, because it is convex there.

    >>> logits = np.log(np.array([[0.9, 0.1]] * 4))
    >>> round(fit_temperature(logits, np.array([0, 0, 0, 1])), 2)
    2.0
    """
    found = minimize_scalar(
        lambda cold: average_loss(logits, y, 1 / cold), bounds=(1 / HOTTEST, 1 / COLDEST), method="bounded"
    )
    return float(1 / found.x)


@dataclass(frozen=True)
class Refusal:
    """What is left where a model refuses to answer below a threshold: the share answered, and the share of these right."""

    threshold: float
    coverage: float
    accuracy: float  # NaN where nothing is answered


def refuse_below(confidence: np.ndarray, right: np.ndarray, threshold: float) -> Refusal:
    """Return what answers (N,) with at least the threshold's confidence are like.

    >>> refuse_below(np.array([0.6, 0.8, 0.9]), np.array([0, 1, 1]), 0.7)
    Refusal(threshold=0.7, coverage=0.6666666666666666, accuracy=1.0)
    """
    kept = confidence >= threshold
    return Refusal(threshold, float(kept.mean()), float(right[kept].mean()) if kept.any() else float("nan"))
