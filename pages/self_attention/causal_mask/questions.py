"""Exercises on the causal mask: the weights under it, how many cells it hides, and how much leaks where it holds 0."""

from __future__ import annotations

import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.attention import causal_mask
from core.models.self_attention.peeking import TOO_LATE, ZERO
from core.models.self_attention.score_matrix import (
    BIDIRECTIONAL,
    CAUSAL,
    CAUSAL_AND_PADDING,
    PADDING,
    attend_by_scores,
    mask_of,
)

TEXTS = (("he", "saw"), ("he", "saw", "her"), ("we", "all", "saw"))


def draw_scores(draws: Draws, T: int) -> Tensor:
    """Return random divided scores, (T, T), with one digit after the point."""
    rows = [[draws.decimal(-2, 2) for _ in range(T)] for _ in range(T)]
    return torch.tensor(rows, dtype=torch.float64)


def draw_weights(draws: Draws, difficulty: int) -> Draw:
    """Weights under the mask; mistakes: 0 for −∞, cut after the softmax, hide the past."""
    tokens = TEXTS[difficulty - 1]
    T = len(tokens)
    x, mask = draw_scores(draws, T), causal_mask(T)
    right = attend_by_scores(x, 1, mask)
    visible = right.exponentials[1, :2]
    return Draw(
        given={"scores": Table(tokens, tokens, x.tolist())},
        answer=right.weights.flatten(),
        mistakes={
            "zero": attend_by_scores(x, 1, mask, ZERO).weights.flatten(),
            "late": attend_by_scores(x, 1, mask, TOO_LATE).weights.flatten(),
            "past": attend_by_scores(x, 1, mask.T).weights.flatten(),
        },
        steps={
            "first": tokens[0],
            "second": tokens[1],
            "last": tokens[-1],
            "exponentials": visible,
            "total": float(visible.sum()),
            "row": right.weights[1, :2],
        },
        table=Table(tokens, tokens, [[None] * T for _ in tokens]),
    )


def draw_hidden(draws: Draws, difficulty: int) -> Draw:
    """How many cells a mask hides; mistakes: forget the padding, or the future, count cells twice, hide the diagonal."""
    T = draws.integer(5 * difficulty, 15 * difficulty)
    padding = draws.integer(difficulty, 3 * difficulty)
    future, filling = hidden(CAUSAL, T), hidden(PADDING, T, padding)
    return Draw(
        given={"T": T, "padding": padding},
        answer=hidden(CAUSAL_AND_PADDING, T, padding),
        mistakes={
            "future": future,
            "filling": filling,
            "twice": future + filling,
            "diagonal": hidden(CAUSAL_AND_PADDING, T, padding) + T - padding,
        },
        steps={"tokens": T - padding, "past": padding * (padding + 1) // 2},
    )


def hidden(kind: str, T: int, padding: int = 0) -> int:
    """Return how many cells a mask hides."""
    return int((mask_of(kind, T, padding) < 0).sum())


def draw_leak(draws: Draws, difficulty: int) -> Draw | None:
    """The share that leaks where the mask holds 0; mistakes: no mask at all, count cells alone, the visible share."""
    T = 2 + difficulty
    row = draws.integer(0, T - 2)
    if difficulty > 1 and row == T - 2:
        return None
    x, future = draw_scores(draws, T), torch.arange(T) > row
    filled = attend_by_scores(x, 1, causal_mask(T), ZERO)
    seen, unseen = filled.exponentials[row, ~future].sum(), int(future.sum())
    return Draw(
        given={"scores": x[row, : row + 1].tolist(), "future": x[row, row + 1 :].tolist(), "row": row + 1},
        answer=float(filled.weights[row, future].sum()),
        mistakes={
            "unmasked": float(attend_by_scores(x, 1, mask_of(BIDIRECTIONAL, T)).weights[row, future].sum()),
            "cells": unseen / T,
            "kept": float(seen / (seen + unseen)),
        },
        steps={
            "T": T,
            "unseen": unseen,
            "exponentials": filled.exponentials[row, ~future],
            "seen": float(seen),
            "total": float(seen) + unseen,
        },
    )


MAKERS = (Maker(draw_weights), Maker(draw_hidden), Maker(draw_leak))
