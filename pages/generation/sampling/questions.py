"""Exercises on sampling: the softmax at a temperature, what top-p leaves, and the token that a random number picks."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.generation.sampling import SamplingSettings, distribution, draw_next_token, softmax

TOKENS = ("the", "my", "a", "our", "this")
NEAR = 0.015  # from the end of a part, or of a probability from p


def draw_temperature(draws: Draws, difficulty: int) -> Draw:
    """Probabilities at a temperature; mistakes: leave out T, multiply by T, divide the probabilities by T."""
    tokens = TOKENS[: 2 if difficulty == 1 else 3]
    T = draws.choose((0.5, 2.0)) if difficulty < 3 else draws.choose((0.4, 0.8, 1.25, 2.5))
    z = np.array([draws.integer(-2, 4) for _ in tokens], dtype=float)
    p = softmax(z, T)
    return Draw(
        given={"table": Table(("z",), tokens, [[int(each) for each in z]]), "T": T},
        answer=p,
        mistakes={"plain": softmax(z), "multiplied": softmax(z, 1 / T), "after": softmax(z) / T},
        steps={
            "scaled": z / T,
            "exponentials": np.exp(z / T),
            "total": float(np.exp(z / T).sum()),
            "first": float(p[0]),
            "z": int(z[0]),
            "name": tokens[0],
            "wrong_sum": 1 / T,
        },
        table=Table(("p",), tokens, [[None] * len(tokens)]),
    )


def draw_top_p(draws: Draws, difficulty: int) -> Draw | None:
    """A token's probability after top-p; mistakes: do not renormalize, stop before p is reached, share out equally."""
    size = difficulty + 2
    p = np.sort(draws.distribution(size, 50))[::-1]
    at_least = draws.choose((0.6, 0.7, 0.8, 0.9))
    trace = distribution(np.log(p), SamplingSettings(top_p=at_least))
    kept = int(trace.kept.sum())
    ends = np.cumsum(p)
    if kept < 2 or kept == size or np.abs(ends - at_least).min() < NEAR or len(set(p)) < size:
        return None
    i = draws.integer(0, kept - 2)
    return Draw(
        given={"table": Table(("p",), TOKENS[:size], [p.tolist()]), "at_least": at_least, "token": TOKENS[i]},
        answer=trace.probabilities[i],
        mistakes={
            "lost": p[i],
            "short": distribution(np.log(p), SamplingSettings(top_k=kept - 1)).probabilities[i],
            "equal": p[i] + (1 - ends[kept - 1]) / kept,
        },
        steps={
            "before": float(ends[kept - 2]),
            "mass": float(ends[kept - 1]),
            "kept": TOKENS[:kept],
            "p": float(p[i]),
            "cut": float(1 - ends[kept - 1]),
        },
    )


def draw_pick(draws: Draws, difficulty: int) -> Draw | None:
    """The token that u picks after top-k; mistakes: draw from all, take the favourite."""
    p = np.array(draws.distribution(5, 50))
    k, u = draws.integer(2, 3), draws.decimal(0.05, 0.95, 2)
    order = np.argsort(-p)
    trace = distribution(np.log(p), SamplingSettings(top_k=k))
    everything = distribution(np.log(p), SamplingSettings())
    ends = np.cumsum(trace.probabilities[order][:k])
    if len(set(p)) < len(p) or np.abs(ends - u).min() < NEAR or np.abs(np.cumsum(p[order]) - u).min() < NEAR:
        return None
    hit = draw_next_token(trace, u)
    place = order.tolist().index(hit)
    return Draw(
        given={"table": Table(("p",), TOKENS, [p.tolist()]), "k": k, "u": u},
        answer=TOKENS[hit],
        mistakes={"all": TOKENS[draw_next_token(everything, u)], "greedy": TOKENS[order[0]]},
        steps={
            "kept": [(TOKENS[i], float(p[i]), float(end)) for i, end in zip(order[:k], ends, strict=True)],
            "mass": float(p[order[:k]].sum()),
            "begin": float(ends[place - 1]) if place else 0.0,
            "end": float(ends[place]),
            "top": float(ends[0]),
        },
    )


MAKERS = (Maker(draw_temperature), Maker(draw_top_p), Maker(draw_pick))
