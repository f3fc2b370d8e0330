"""Exercises on attention heads: the output as an average, a score by its parts, and where an induction head attends."""

from __future__ import annotations

import numpy as np
import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.head_habits import equal_tokens, followers, token_before
from core.models.self_attention.score_parts import ScoreParts

LETTERS = "abcdefgh"
OUTPUT = Table(("o",), ("1", "2"), [[None, None]])


def draw_output(draws: Draws, difficulty: int) -> Draw | None:
    """The output of a head; mistakes: a plain average, the value of the best key alone, an average of the keys."""
    tokens = draws.sample(LETTERS, difficulty + 1)
    weights = draws.distribution(len(tokens))
    keys, values = ([[draws.integer(-5, 5) for _ in range(2)] for _ in tokens] for _ in range(2))
    best = max(range(len(tokens)), key=weights.__getitem__)
    if weights.count(weights[best]) > 1:
        return None
    w, K, V = (torch.tensor(each, dtype=torch.float64) for each in (weights, keys, values))
    rows = [[w, *k, *v] for w, k, v in zip(weights, keys, values, strict=True)]
    return Draw(
        given={"head": Table(tokens, ("w", "k₁", "k₂", "v₁", "v₂"), rows), "n": len(tokens)},
        answer=w @ V,
        mistakes={"equal": V.mean(0), "largest": V[best], "keys": w @ K},
        steps={
            "weights": weights,
            "first": [value[0] for value in values],
            "best": tokens[best],
            "share": weights[best],
            "right": w @ V,
        },
        digits=2,
        table=OUTPUT,
    )


def draw_lead(draws: Draws, difficulty: int) -> Draw:
    """How far a part of the score lifts a key; mistakes: no comparison, the key in its own mean, the other part."""
    n = difficulty + 2
    letter, position = ([draws.decimal(-3, 3) for _ in range(n)] for _ in range(2))
    which, key = draws.integer(0, 1), draws.integer(0, n - 1)
    parts = ScoreParts(np.array([letter, position, [0.0] * n]), 0.0)
    lead, seen = parts.lead(key, range(n)), (letter, position)[which]
    others = [each for s, each in enumerate(seen) if s != key]
    return Draw(
        given={
            "parts": Table("ep", [f"k{'₁₂₃₄₅'[s]}" for s in range(n)], [letter, position]),
            "which": "ep"[which],
            "key": key + 1,
        },
        answer=float(lead[which]),
        mistakes={
            "raw": seen[key],
            "itself": seen[key] - float(np.mean(seen)),
            "part": float(lead[1 - which]),
        },
        steps={
            "own": seen[key],
            "others": others,
            "mean": float(np.mean(others)),
            "all": float(np.mean(seen)),
            "other_part": "pe"[which],
        },
        digits=2,
    )


def draw_induction(draws: Draws, difficulty: int) -> Draw | None:
    """The token that an induction head attends to; mistakes: the equal letter, the one before it, the newest before."""
    n = 5 + 2 * difficulty
    text = [draws.choose(LETTERS[: 3 + difficulty]) for _ in range(n)]
    if text.count(text[-1]) != 2 or text[0] == text[-1]:
        return None
    ids = torch.tensor([LETTERS.index(each) for each in text])
    place = int(followers(ids)[-1].nonzero()[0])
    equal = int(equal_tokens(ids)[-1].nonzero()[0])
    return Draw(
        given={"text": Table("x", [str(t + 1) for t in range(n)], [text]), "last": text[-1]},
        answer=place + 1,
        mistakes={
            "equal": equal + 1,
            "before": int(token_before(ids)[equal].nonzero()[0]) + 1,
            "previous": int(token_before(ids)[-1].nonzero()[0]) + 1,
        },
        steps={"earlier": equal + 1, "follower": text[place], "newest": text[-2]},
    )


MAKERS = (Maker(draw_output), Maker(draw_lead), Maker(draw_induction))
