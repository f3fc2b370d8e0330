"""Held-out answers of the course's models, for their calibration. No text is stored, only numbers.

Each model's answers are split in two halves: on the first the temperature is chosen, on the second all is measured. Of a
language model only the confidence is stored, for a logit of every token would be too much: it is shown at temperature 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from core.models.documents.calibration import (
    Reliability,
    average_loss,
    bin_answers,
    fit_temperature,
    scale_logits,
)
from core.models.stored import load_weights

STORED = "calibration"
BAYES, REGRESSION, FINE_TUNED, DIGITS, GPT = "bayes", "regression", "fine_tuned", "digits", "gpt"
SCALED = (BAYES, REGRESSION, FINE_TUNED, DIGITS)  # whose logits are stored
ANSWERERS = (*SCALED, GPT)


@dataclass(frozen=True, eq=False)
class HeldOutAnswers:
    """Answers of one model: `logits` (N, K), true classes `y` (N,), and whether an answer is for measuring (N,)."""

    name: str
    logits: np.ndarray
    y: np.ndarray
    measured: np.ndarray

    @property
    def right(self) -> np.ndarray:
        """Return whether each answer of the measured half is right."""
        return (self.logits.argmax(axis=1) == self.y)[self.measured]

    def confidence(self, temperature: float = 1.0, scale: Callable = scale_logits) -> np.ndarray:
        """Return the confidence of each answer of the measured half."""
        return scale(self.logits[self.measured], temperature).max(axis=1)

    def reliability(self, temperature: float = 1.0, scale: Callable = scale_logits) -> Reliability:
        """Return the reliability diagram of the measured half."""
        return bin_answers(self.confidence(temperature, scale), self.right)

    def loss(self, temperature: float = 1.0) -> float:
        """Return the mean loss of the measured half, in nats."""
        return average_loss(self.logits[self.measured], self.y[self.measured], temperature)

    @cached_property
    def temperature(self) -> float:
        """Return the temperature that the other half chooses."""
        return fit_temperature(self.logits[~self.measured], self.y[~self.measured])


@cache
def held_out_answers(name: str) -> HeldOutAnswers:
    """Return the stored answers of one of SCALED by its name. Raises StoredModelError."""
    arrays = load_weights(STORED)
    logits, y = (arrays[f"{name}.{part}"] for part in ("logits", "y"))
    return HeldOutAnswers(name, logits.astype(float), y.astype(int), split_halves(len(y)))


@cache
def held_out_tokens() -> tuple[np.ndarray, np.ndarray]:
    """Return the probability of the GPT's likeliest next tokens (N,), and whether each is right. Raises StoredModelError."""
    arrays = load_weights(STORED)
    return arrays[f"{GPT}.confidence"].astype(float), arrays[f"{GPT}.right"].astype(bool)


def reliability_of(name: str, temperature: float = 1.0) -> Reliability:
    """Return the reliability diagram of one of ANSWERERS; the GPT's is that of temperature 1."""
    if name == GPT:
        return bin_answers(*held_out_tokens())
    return held_out_answers(name).reliability(temperature)


def split_halves(n: int) -> np.ndarray:
    """Return which of n answers are for measuring (n,): a half, drawn with a fixed seed."""
    order = np.random.default_rng(1).permutation(n)
    measured = np.zeros(n, dtype=bool)
    measured[order[n // 2 :]] = True
    return measured


def answers_quality() -> dict[str, float]:
    """Return of each model how many answers are measured, how many are right, and its error before and after scaling."""
    confidence, right = held_out_tokens()
    found = {
        f"{GPT}, answers measured": len(right),
        f"{GPT}, right": float(right.mean()),
        f"{GPT}, calibration error": bin_answers(confidence, right).error,
    }
    for name in SCALED:
        answers = held_out_answers(name)
        T = answers.temperature
        found |= {
            f"{name}, answers measured": len(answers.right),
            f"{name}, right": float(answers.right.mean()),
            f"{name}, calibration error": answers.reliability().error,
            f"{name}, temperature": T,
            f"{name}, calibration error after scaling": answers.reliability(T).error,
        }
    return found
