"""Exercises on editing attention: a row after an edit, how far a prediction moves, and whether weights rank tokens."""

from __future__ import annotations

import numpy as np
import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.ablation import rank_correlation, total_variation
from core.models.self_attention.attention_edits import with_weight

ROWS = (("God", "saw", "light"), ("God", "saw", "the", "light"), ("and", "God", "saw", "the", "light"))
NEXT = ("Egypt", "Israel", "Judah", "the", "it")


def draw_row(draws: Draws, difficulty: int) -> Draw | None:
    """A row after one weight is set; mistakes: leave the others, subtract equally, divide all by the new sum."""
    tokens = ROWS[difficulty - 1]
    weights = draws.distribution(len(tokens), 20)
    key, value = draws.integer(0, len(tokens) - 1), draws.integer(0, 9) / 10
    w = torch.tensor([weights], dtype=torch.float64)
    kept = w[0].clone()
    kept[key] = value
    equally = w[0] - (value - weights[key]) / (len(tokens) - 1)
    equally[key] = value
    rest = 1 - weights[key]
    other = 0 if key else 1
    return Draw(
        given={"row": Table("w", tokens, [weights]), "key": tokens[key], "value": value},
        answer=with_weight(w, 0, key, value)[0],
        mistakes={"kept": kept, "equally": equally, "divided": kept / kept.sum()},
        steps={
            "before": weights[key],
            "rest": rest,
            "now": round(1 - value, 1),
            "factor": (1 - value) / rest,
            "other": tokens[other],
            "other_before": weights[other],
            "other_after": weights[other] * (1 - value) / rest,
            "total": float(kept.sum()),
        },
        table=Table("w", tokens, [[None] * len(tokens)]),
    )


def draw_change(draws: Draws, difficulty: int) -> Draw | None:
    """How much probability moves; mistakes: not halved, the first token alone, the length of the difference."""
    tokens = NEXT[: difficulty + 2]
    before, after = (np.array(draws.distribution(len(tokens), 20)) for _ in range(2))
    first = int(before.argmax())
    if (before == before[first]).sum() > 1:
        return None
    differences = np.abs(before - after)
    return Draw(
        given={"p": Table(("p", "p′"), tokens, [before.tolist(), after.tolist()])},
        answer=float(total_variation(before, after)),
        mistakes={
            "unhalved": float(differences.sum()),
            "first": float(differences[first]),
            "length": float(np.linalg.norm(before - after)),
        },
        steps={"differences": differences, "total": float(differences.sum()), "leader": tokens[first]},
    )


def draw_rank(draws: Draws, difficulty: int) -> Draw | None:
    """A rank correlation; mistakes: correlate the numbers, rank one list the other way, do not square."""
    n = 3 + difficulty
    tokens = "ABCDEF"[:n]
    weights, changes = draws.distribution(n, 50), draws.sample([i / 50 for i in range(1, 41)], n)
    if len(set(weights)) < n:
        return None
    w, c = np.array(weights), np.array(changes)
    ranks = [[sorted(each, reverse=True).index(x) + 1 for x in each] for each in (weights, changes)]
    gaps = [a - b for a, b in zip(*ranks, strict=True)]
    scale = 6 / (n * (n * n - 1))
    if not any(gaps):
        return None
    return Draw(
        given={"pairs": Table("wc", tokens, [weights, changes]), "n": n},
        answer=rank_correlation(w, c),
        mistakes={
            "numbers": float(np.corrcoef(w, c)[0, 1]),
            "opposite": rank_correlation(w, -c),
            "unsquared": 1 - scale * sum(map(abs, gaps)),
        },
        steps={
            "ranks": Table(("w", "c", "g"), tokens, [*ranks, gaps]),
            "squares": sum(gap * gap for gap in gaps),
            "gaps": sum(map(abs, gaps)),
            "below": n * (n * n - 1),
        },
    )


MAKERS = (Maker(draw_row), Maker(draw_change), Maker(draw_rank))
