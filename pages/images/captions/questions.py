"""Exercises on image captioning: attention on a group, the patch a word needs, and temperature."""

from __future__ import annotations

import numpy as np
import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.images.attended_or_needed import rank_of_attended
from core.models.neural_language_model import log_softmax
from core.models.translation.broken_attention import UniformScore
from core.models.translation.seq2seq import attention_weights

WORDS = ("circle", "cross", "ring", "square", "triangle")


def weigh(scores: torch.Tensor) -> torch.Tensor:
    """Return the attention weights (N,) of one step from the patches' scores (N,)."""
    return attention_weights(scores[None, None], torch.ones(1, len(scores), dtype=torch.bool))[1][0, 0]


def draw_group(draws: Draws, difficulty: int) -> Draw | None:
    """The attention on a group of patches; mistakes: even weights, the mean over its patches, shares of the scores."""
    n = difficulty + 3
    names = tuple(str(i + 1) for i in range(n))
    scores = torch.tensor(
        [draws.integer(1, 5) / (1 if difficulty < 3 else 2) for _ in names], dtype=torch.float64
    )
    group = sorted(draws.sample(range(n), draws.integer(2, n - 2)))
    a = weigh(scores)
    even = weigh(UniformScore()(scores[None, None, :1], scores[None, :, None])[0, 0])
    return Draw(
        given={
            "scores": Table(("e",), names, [scores.tolist()]),
            "patches": [names[i] for i in group],
            "n": n,
        },
        answer=a[group].sum(),
        mistakes={
            "even": even[group].sum(),
            "mean": a[group].mean(),
            "scores": scores[group].sum() / scores.sum(),
        },
        steps={
            "powers": scores.exp(),
            "of_group": scores.exp()[group],
            "total": float(scores.exp().sum()),
            "size": len(group),
        },
    )


def draw_needed(draws: Draws, difficulty: int) -> Draw | None:
    """The patch that a word needs most; mistakes: the patch with most attention, the patch without which p is largest."""
    n = difficulty + 3
    names = tuple(str(i + 1) for i in range(n))
    weights = np.array(draws.distribution(n, 20))
    whole = draws.decimal(0.6, 0.9, 2)
    without = np.array([draws.decimal(0.05, 0.95, 2) for _ in names])
    drops = whole - without
    if (
        rank_of_attended(weights, drops) == 1
        or min(np.diff(np.sort(weights))[-1], *np.diff(np.sort(without))) < 0.01
    ):
        return None
    needed = int(drops.argmax())
    return Draw(
        given={
            "maps": Table(("a", "p"), names, [weights.tolist(), without.tolist()]),
            "whole": whole,
            "word": draws.choose(WORDS),
        },
        answer=names[needed],
        mistakes={"attended": names[int(weights.argmax())], "largest": names[int(drops.argmin())]},
        steps={
            "p_needed": float(without[needed]),
            "drop": float(drops[needed]),
            "p_attended": float(without[weights.argmax()]),
            "a_attended": float(weights.max()),
            "p_largest": float(without.max()),
        },
    )


def draw_heat(draws: Draws, difficulty: int) -> Draw | None:
    """A probability at a temperature; mistakes: multiply the logits, leave the temperature out, divide the probability."""
    words = draws.sample(WORDS, difficulty + 1)
    logits = np.array([draws.integer(-4, 8) / 2 for _ in words])
    T = draws.choose((0.5, 2.0, 4.0) if difficulty < 3 else (0.8, 1.25, 1.6, 2.5))
    asked = draws.integer(0, len(words) - 1)

    def p(z: np.ndarray) -> float:
        return float(np.exp(log_softmax(z))[asked])

    if not 0.02 < p(logits / T) < 0.98:
        return None
    return Draw(
        given={"logits": Table(("z",), words, [logits.tolist()]), "T": T, "word": words[asked]},
        answer=p(logits / T),
        mistakes={"multiplied": p(logits * T), "without": p(logits), "after": p(logits) / T},
        steps={
            "divided": logits / T,
            "powers": np.exp(logits / T),
            "own": float(np.exp(logits[asked] / T)),
            "z": float(logits[asked]),
            "cold": p(logits),
        },
    )


MAKERS = (Maker(draw_group), Maker(draw_needed), Maker(draw_heat))
