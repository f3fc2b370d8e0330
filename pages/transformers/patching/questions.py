"""Exercises on activation patching: how much is restored, what one head restores, and how far a copied vector reaches."""

from __future__ import annotations

import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.attention import causal_mask
from core.models.transformers.patching import put

ENOUGH = 1.0  # how far apart the differences of A and B are at least


def restored(patched: float, low: float, high: float) -> float:
    """Return how far a difference has come on the way from B's to A's."""
    return (patched - low) / (high - low)


def draw_restored(draws: Draws, difficulty: int) -> Draw | None:
    """What a copied vector restores; mistakes: the logit of a alone, the share of A's difference, what is missing."""
    digits = 0 if difficulty == 1 else 1
    a_A, b_B = (draws.decimal(4, 9, digits) for _ in range(2))
    b_A, a_B = (draws.decimal(0, 5, digits) for _ in range(2))
    a, b = (draws.decimal(1, 8, digits) for _ in range(2))
    low, high, patched = a_B - b_B, a_A - b_A, a - b
    if high < ENOUGH or low > -ENOUGH or abs(a_A - a_B) < ENOUGH or not low < patched < high + 3:
        return None
    return Draw(
        given={"z": Table("ab", ("A", "B", "B′"), [[a_A, a_B, a], [b_A, b_B, b]])},
        answer=restored(patched, low, high),
        mistakes={
            "one": restored(a, a_B, a_A),
            "share": patched / high,
            "missing": restored(patched, high, low),
        },
        steps={
            "low": round(low, 6),
            "high": round(high, 6),
            "patched": round(patched, 6),
            "a": [a_A, a_B, a],
        },
    )


def draw_head(draws: Draws, difficulty: int) -> Draw | None:
    """What one head restores; mistakes: add it to B's own, its share of A's difference, take all other heads from A."""
    heads = difficulty + 1
    rows = [[draws.decimal(-2, 3), draws.decimal(-3, 2)] for _ in range(heads)]
    head = draws.integer(0, heads - 1)
    A, B = torch.tensor(rows, dtype=torch.float64).T[:, :, None]  # each head a row, so that `put` copies one
    high, low = float(A.sum()), float(B.sum())
    if high - low < ENOUGH or high < ENOUGH / 2:
        return None
    others = [(other, other) for other in range(heads) if other != head]
    patched = float(put(B, A, [(head, head)]).sum())
    return Draw(
        given={"heads": Table([str(i + 1) for i in range(heads)], ("A", "B"), rows), "head": head + 1},
        answer=restored(patched, low, high),
        mistakes={
            "added": restored(low + float(A[head]), low, high),
            "share": float(A[head]) / high,
            "others": restored(float(put(B, A, others).sum()), low, high),
        },
        steps={
            "low": round(low, 6),
            "high": round(high, 6),
            "patched": round(patched, 6),
            "in_A": float(A[head]),
            "in_B": float(B[head]),
            "gain": round(float(A[head] - B[head]), 6),
        },
    )


def draw_reach(draws: Draws, difficulty: int) -> Draw:
    """How many vectors may change; mistakes: tokens before it too, its own token alone, its own layer too."""
    T, layers = (
        draws.integer(3 + difficulty, 7 + 2 * difficulty),
        draws.integer(2 + difficulty, 4 + 2 * difficulty),
    )
    layer, place = draws.integer(0, layers - 1), draws.integer(2, T - 1)

    def reached(seen: torch.Tensor) -> int:
        changed, found = torch.arange(T) == place - 1, 0
        for _ in range(layers - layer):
            changed = (seen & changed).any(1)
            found += int(changed.sum())
        return found

    causal = causal_mask(T) == 0
    answer = reached(causal)
    return Draw(
        given={"T": T, "layers": layers, "layer": layer, "place": place},
        answer=answer,
        mistakes={
            "backwards": reached(torch.ones(T, T, dtype=torch.bool)),
            "column": reached(torch.eye(T, dtype=torch.bool)),
            "layer": answer + T - place + 1,
        },
        steps={"above": layers - layer, "to_the_right": T - place + 1},
    )


MAKERS = (Maker(draw_restored), Maker(draw_head), Maker(draw_reach))
