"""Exercises on fine-tuning: a sentence's class from the mean vector, what is trained, and how much is forgotten."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.pretraining.fine_tuning import mean_vectors

LABELS = ("feelings", "things")
HIDDEN = ("Saul", "king", "said", "house", "come")


def tenths(draws: Draws, rows: int, columns: int, most: float = 2.0) -> Tensor:
    """Return a matrix of tenths, none of them 0."""
    found = [[draws.signed(0.1, most) for _ in range(columns)] for _ in range(rows)]
    return torch.tensor(found, dtype=torch.float64)


def draw_classified(draws: Draws, difficulty: int) -> Draw:
    """The probability of a label; mistakes: the last token's vector, the sum of the vectors, no bias."""
    T, C = difficulty + 1, 2
    h, W, b = tenths(draws, T, C), tenths(draws, C, len(LABELS)), tenths(draws, 1, len(LABELS), 0.9)[0]
    k = draws.integer(0, 1)
    mean = mean_vectors(h[None], torch.ones(1, T, dtype=torch.bool))[0]

    def p(vector: Tensor, bias: Tensor = b) -> float:
        return float((vector @ W + bias).softmax(0)[k])

    names = tuple(f"h, {j + 1}" for j in range(C))
    return Draw(
        given={
            "vectors": Table(names, tuple(str(t + 1) for t in range(T)), h.T.tolist()),
            "head": Table(("W, 1", "W, 2", "b"), LABELS, [*W.tolist(), b.tolist()]),
            "label": LABELS[k],
            "T": T,
        },
        answer=p(mean),
        mistakes={"last": p(h[-1]), "sum": p(h.sum(0)), "no_bias": p(mean, 0 * b)},
        steps={
            "mean": mean,
            "logits": mean @ W + b,
            "powers": (mean @ W + b).exp(),
            "bias": b,
            "k": k,
        },
    )


def draw_trained(draws: Draws, difficulty: int) -> Draw:
    """How many parameters learn; mistakes: the other way, no biases, the encoder alone."""
    C = draws.choose(((8, 10, 16, 20), (64, 96, 128), (256, 512, 768))[difficulty - 1])
    K = draws.integer(2, 9)
    body = draws.integer(2, 90) * (100, 1000, 100_000)[difficulty - 1]
    head = torch.nn.Linear(C, K)
    layer, weights = sum(each.numel() for each in head.parameters()), head.weight.numel()
    is_frozen = draws.choose((True, False))
    answer, other = (layer, body + layer) if is_frozen else (body + layer, layer)
    return Draw(
        given={"C": C, "K": K, "body": body, "is_frozen": is_frozen},
        answer=answer,
        mistakes={"other_way": other, "no_bias": answer - K, "encoder": body},
        steps={"layer": layer, "weights": weights},
    )


def draw_forgotten(draws: Draws, difficulty: int) -> Draw | None:
    """How much the masked loss rises; mistakes: the other sign, the loss after alone, logarithms to base 2."""
    words = HIDDEN[: difficulty + 1]
    before, after = (
        np.array([draws.decimal(low, high, 2) for _ in words]) for low, high in ((0.2, 0.9), (0.05, 0.7))
    )
    losses = [-np.log(each).mean() for each in (before, after)]
    rise = losses[1] - losses[0]
    if abs(rise) < 0.05:
        return None
    return Draw(
        given={"p": Table(("p₁", "p₂"), words, [before.tolist(), after.tolist()])},
        answer=rise,
        mistakes={"sign": -rise, "after": losses[1], "bits": rise / np.log(2)},
        steps={"losses": losses, "n": len(words)},
    )


MAKERS = (Maker(draw_classified), Maker(draw_trained), Maker(draw_forgotten))
