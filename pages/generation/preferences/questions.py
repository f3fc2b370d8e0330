"""Exercises on preferences: the probability of a vote, the optimum of DPO over three sentences, and the loss of a vote."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.generation.direct_preference import best_policy, dpo_loss
from core.models.generation.preferences import Votes

ONE_VOTE = Votes(((0, 1),), (1,), (1,))
BETAS = {1: (0.8, 2), 2: (0.5, 2), 3: (0.2, 0.4, 0.5)}  # by difficulty


def draw_vote(draws: Draws, difficulty: int) -> Draw | None:
    """The probability that a wins; mistakes: that b wins, one reward alone, the sum of both."""
    weights = np.array([draws.decimal(0.1, 1.5), -draws.decimal(0.2, 2.0)])
    counts = np.array(draws.integers(0, 1 + difficulty, 2, 2))
    a, b = (float(each) for each in counts @ weights)
    if min(abs(a - b), abs(a), abs(b)) < 0.1 or abs(a - b) > 5:
        return None
    return Draw(
        given={
            "glad_weight": float(weights[0]),
            "harm_weight": float(weights[1]),
            "counted": Table(("a", "b"), ("glad", "harm"), counts.tolist()),
        },
        answer=float(expit(a - b)),
        mistakes={
            "reversed": float(expit(b - a)),
            "alone": float(expit(a)),
            "added": float(expit(a + b)),
        },
        steps={"reward_a": a, "reward_b": b, "difference": a - b},
    )


def draw_optimum(draws: Draws, difficulty: int) -> Draw | None:
    """The best policy; mistakes: leave out the reference, multiply by β, forget to normalize."""
    start = np.array(draws.distribution(3))
    rewards = np.array([draws.signed() for _ in range(3)])
    beta = draws.choose(BETAS[difficulty])
    weights = start * np.exp(rewards / beta)
    exact, untied, multiplied = (
        np.exp(best_policy(*each)).tolist()
        for each in (
            (np.log(start), rewards, beta),
            (np.zeros(3), rewards, beta),
            (np.log(start), rewards, 1 / beta),
        )
    )
    names, columns = ("y₁", "y₂", "y₃"), ("p_ref", "r")
    return Draw(
        given={
            "beta": beta,
            "given_table": Table(names, columns, list(zip(start.tolist(), rewards.tolist(), strict=True))),
        },
        answer=exact,
        mistakes={"untied": untied, "multiplied": multiplied, "unnormalized": weights.tolist()},
        steps={"weights": weights.tolist(), "total": float(weights.sum())},
        table=Table(names, ("π*",), [[None]] * 3),
    )


def draw_loss(draws: Draws, difficulty: int) -> Draw | None:
    """The DPO loss of a vote; mistakes: swap winner and loser, leave out the reference, leave out β."""
    start, now = (np.array([draws.decimal(0.05, 0.45, 2) for _ in range(2)]) for _ in range(2))
    beta = 0.5 if difficulty == 1 else draws.choose((0.1, 0.2, 0.4) if difficulty == 2 else (0.3, 0.6, 2))
    ratios = np.log(now / start)
    margin = float(beta * (ratios[0] - ratios[1]))
    if abs(margin) < 0.03:
        return None
    loss = {
        "answer": dpo_loss(np.log(now), np.log(start), ONE_VOTE, beta),
        "swapped": dpo_loss(np.log(now[::-1]), np.log(start[::-1]), ONE_VOTE, beta),
        "untied": dpo_loss(np.log(now), np.zeros(2), ONE_VOTE, beta),
        "unscaled": dpo_loss(np.log(now), np.log(start), ONE_VOTE, 1.0),
    }
    rows = list(zip(start.tolist(), now.tolist(), strict=True))
    return Draw(
        given={"beta": beta, "given_table": Table(("a", "b"), ("p_ref", "π"), rows)},
        answer=loss.pop("answer")[0],
        mistakes={name: each[0] for name, each in loss.items()},
        steps={"ratio_a": float(ratios[0]), "ratio_b": float(ratios[1]), "margin": margin},
    )


MAKERS = (Maker(draw_vote), Maker(draw_optimum), Maker(draw_loss))
