"""Exercises on speculative decoding: one round, the overlap, the residual, and the tokens per call."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.generation.speculative_decoding import (
    REDRAW,
    acceptance,
    agreement,
    residual,
    tokens_per_call,
    written_distribution,
)

TOKENS = ("the", "my", "her", "no", "all")
DRAFTED = ("and", "so", "the", "king", "will", "go")
NEAR = 0.02  # a random number so near its limit is not asked for
LEAST = 0.05  # two numbers that differ by less are not compared by hand


def draw_models(draws: Draws, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return p and q over so many tokens."""
    return np.array(draws.distribution(size)), np.array(draws.distribution(size))


def models_table(tokens: tuple[str, ...], p: np.ndarray, q: np.ndarray) -> Table:
    """Return the probabilities of both models, a row for each token."""
    return Table(tokens, ("p", "q"), np.stack([p, q], axis=1).tolist(), "x")


def draw_written(draws: Draws, difficulty: int) -> Draw | None:
    """How many tokens a call writes; mistakes: leave out the target's own, go on after a rejection, keep the draft."""
    k = 2 + difficulty
    p, q, u = ([draws.decimal(0.1, 0.9, 2) for _ in range(k)] for _ in range(3))
    ratios = [min(1.0, a / b) for a, b in zip(p, q, strict=True)]
    passed = [a > b for a, b in zip(ratios, u, strict=True)]
    if all(passed) or any(abs(a - b) < NEAR for a, b in zip(ratios, u, strict=True)):
        return None
    accepted = passed.index(False)
    tokens = draws.sample(DRAFTED, k)
    return Draw(
        given={"drafted": Table(tokens, ("q", "p", "u"), list(zip(q, p, u, strict=True)), "x"), "k": k},
        answer=accepted + 1,
        mistakes={"own": accepted, "on": sum(passed) + 1, "draft": k + 1},
        steps={
            "accepted": accepted,
            "tokens": tokens,
            "ratios": ratios,
            "u": u,
            "passed": sum(passed),
            "last": tokens[accepted],
        },
    )


def draw_overlap(draws: Draws, difficulty: int) -> Draw | None:
    """The probability of accepting a drafted token; mistakes: both draw the same one, 1 less it, the plain mean."""
    size = 2 + difficulty
    tokens = draws.sample(TOKENS, size)
    p, q = draw_models(draws, size)
    alpha = agreement(p, q)
    if alpha > 1 - LEAST:
        return None
    return Draw(
        given={"models": models_table(tokens, p, q)},
        answer=alpha,
        mistakes={
            "same": float(p @ q),
            "rejected": 1 - alpha,
            "mean": float(acceptance(p, q).mean()),
        },
        steps={"smaller": np.minimum(p, q), "n": size},
        digits=2,
    )


def draw_residual(draws: Draws, difficulty: int) -> Draw | None:
    """The distribution of a redrawn token; mistakes: do not normalize, redraw from p, take q - p."""
    size = 2 + difficulty
    tokens = draws.sample(TOKENS, size)
    p, q = draw_models(draws, size)
    missing = np.maximum(0, p - q)
    if missing.sum() < LEAST or (missing > 0).sum() < min(2, size - 1):
        return None
    table = Table(tokens, ("r",), [[None]] * size, "x")
    return Draw(
        given={"models": models_table(tokens, p, q)},
        answer=residual(p, q),
        mistakes={"bare": missing, "target": p, "reversed": residual(q, p)},
        steps={
            "missing": missing,
            "total": missing.sum(),
            "one": tokens[int(missing.argmax())],
            "most": missing.max(),
            "largest": residual(p, q).max(),
        },
        digits=3,
        table=table,
    )


def draw_biased(draws: Draws, difficulty: int) -> Draw | None:
    """A token's probability where rejected ones are redrawn from p; mistakes: p, the accepted part alone, all of p added."""
    size = 2 + difficulty
    tokens = draws.sample(TOKENS, size)
    p, q = draw_models(draws, size)
    x = draws.integer(0, size - 1)
    alpha, accepted = agreement(p, q), min(p[x], q[x])
    written = float(written_distribution(p, q, REDRAW)[x])
    if abs(written - p[x]) < NEAR or alpha > 1 - LEAST:
        return None
    return Draw(
        given={"models": models_table(tokens, p, q), "token": tokens[x]},
        answer=written,
        mistakes={"target": float(p[x]), "accepted": float(accepted), "twice": float(accepted + p[x])},
        steps={"kept": float(accepted), "p": float(p[x]), "rejected": 1 - alpha},
        digits=3,
    )


def draw_calls(draws: Draws, difficulty: int) -> Draw | None:
    """The tokens per call; mistakes: leave out the target's own, go on after a rejection, count whole drafts alone."""
    alpha, k = draws.decimal(0.3, 0.9, 2), draws.integer(1, 2) + difficulty
    powers = [alpha**i for i in range(k + 1)]
    return Draw(
        given={"alpha": alpha, "k": k},
        answer=tokens_per_call(alpha, k),
        mistakes={
            "own": tokens_per_call(alpha, k) - 1,
            "on": 1 + k * alpha,
            "all": (k + 1) * powers[-1],
        },
        steps={"powers": powers},
        digits=2,
    )


MAKERS = (
    Maker(draw_written),
    Maker(draw_overlap),
    Maker(draw_residual),
    Maker(draw_biased),
    Maker(draw_calls),
)
