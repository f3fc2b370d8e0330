"""Exercises on bidirectional RNNs: both chains of states, the label of a document, and the distance of two answers."""

from __future__ import annotations

import numpy as np
import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.documents.recurrent_reader import RecurrentReading, states
from core.models.documents.three_taggers import total_variation
from core.models.recurrent_language_model import StepWeights

WORDS = ("we", "heard", "her", "play", "the", "piano")
TAGS = ("NOUN", "VERB", "ADJ", "ADV", "PRON", "DET")
SUBSCRIPTS = "₁₂₃₄₅"
# Gates that are always half open, and a state that comes in with weight 1: h_t = (h_{t-1} + tanh(x_t)) / 2.
HALF_OPEN = StepWeights(
    *(torch.tensor(each) for each in ([[0.0], [0.0], [1.0]], [[0.0]] * 3, [0.0] * 3, [0.0] * 3))
)


def read_from_left(x: list[float]) -> np.ndarray:
    """Return the states (n,) of reading numbers from the first one on."""
    return states(torch.tensor(x)[:, None], HALF_OPEN).numpy().ravel().astype(float)


def draw_states(draws: Draws, difficulty: int) -> Draw:
    """Both chains; mistakes: the second chain from the left too, its states not turned back, no state passed on."""
    n = difficulty + 2
    x = [draws.integer(-4, 4) / 2 for _ in range(n)]
    ahead, back = read_from_left(x), read_from_left(x[::-1])
    alone = np.tanh(x) / 2
    columns = [f"x{SUBSCRIPTS[t]} = {write_half(each)}" for t, each in enumerate(x)]
    return Draw(
        given={"x": x},
        answer=[*ahead, *back[::-1]],
        mistakes={"left": [*ahead, *ahead], "unturned": [*ahead, *back], "alone": [*alone, *alone]},
        steps={
            "ahead": ahead,
            "last": float(back[0]),
            "before": float(back[1]),
            "first": float(back[-1]),
        },
        table=Table(("→h", "←h"), columns, [[None] * n, [None] * n]),
    )


def write_half(x: float) -> str:
    """Return a number with a true minus sign.

    >>> write_half(-1.5)
    '−1.5'
    """
    return f"{x:g}".replace("-", "−")


def draw_label(draws: Draws, difficulty: int) -> Draw:
    """p(positive) of a document; mistakes: the last word's column, the chain from the left alone, all states added."""
    n = difficulty + 2
    ahead, back = (np.array([[draws.decimal(-1.5, 1.5)] for _ in range(n)]) for _ in range(2))
    b = draws.decimal(-0.5, 0.5)

    def positive(ahead: np.ndarray, back: np.ndarray) -> float:
        W = np.array([[0.0, 0.0], [1.0, 1.0]])
        return float(RecurrentReading(ahead, ahead, back, W, np.array([0.0, b])).class_probabilities[1])

    zeros = np.zeros_like(back)
    z = float(ahead[-1, 0] + back[0, 0] + b)
    return Draw(
        given={
            "evidence": Table(("→", "←"), WORDS[:n], [ahead.ravel(), back.ravel()]),
            "b": b,
            "words": WORDS[:n],
        },
        answer=positive(ahead, back),
        mistakes={
            "column": positive(ahead, back[::-1]),
            "left": positive(ahead, zeros),
            "added": positive(ahead.sum(0, keepdims=True), back.sum(0, keepdims=True)),
        },
        steps={
            "last": float(ahead[-1, 0]),
            "first": float(back[0, 0]),
            "wrong_state": float(back[-1, 0]),
            "z": z,
            "total": float(ahead.sum() + back.sum() + b),
        },
    )


def draw_distance(draws: Draws, difficulty: int) -> Draw:
    """The distance D of two answers; mistakes: no half, the largest difference, the differences squared."""
    K = difficulty + 3
    p, q = (np.array(draws.distribution(K, 20)) for _ in range(2))
    return Draw(
        given={"answers": Table(("p", "q"), TAGS[:K], [p, q])},
        answer=total_variation(p, q),
        mistakes={
            "twice": 2 * float(total_variation(p, q)),
            "largest": abs(p - q).max(),
            "squares": ((p - q) ** 2).sum() / 2,
        },
        steps={"gaps": abs(p - q), "total": float(abs(p - q).sum())},
    )


MAKERS = (Maker(draw_states), Maker(draw_label), Maker(draw_distance))
