"""Exercises on the bottleneck: words that are kept, how far one vector moves, and the contexts of both decoders."""

from __future__ import annotations

import numpy as np
import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.translation.bottleneck import words_kept
from core.models.translation.broken_attention import UniformScore
from core.models.translation.seq2seq import attention_weights

NOUNS, VERBS = ("clé", "lettre", "porte", "fleur"), ("perd", "voit", "ouvre")
WORDS = ("h̄₁", "h̄₂", "h̄₃", "h̄₄")


def draw_clause(draws: Draws) -> list[str]:
    """Return a French clause."""
    person = draws.choose(("le garçon", "la fille", "le roi")).split()
    return [*person, draws.choose(VERBS), "une", draws.choose(NOUNS)]


def draw_kept(draws: Draws, difficulty: int) -> Draw:
    """The share of words kept; mistakes: count at the same places, divide by the output, do not count repeats."""
    clauses = [draw_clause(draws) for _ in range(max(2, difficulty))]
    reference = [word for i, each in enumerate(clauses) for word in (["et", *each] if i else each)]
    output = [draws.choose(NOUNS + VERBS) if draws.integer(0, 4) == 0 else word for word in reference]
    cut = draws.integer(1, 3)
    start = draws.integer(0, len(output) - cut)
    del output[start : start + cut]
    distinct = len(set(output) & set(reference)) / len(set(reference))
    same = sum(a == b for a, b in zip(output, reference, strict=False))
    kept = words_kept(output, reference)
    return Draw(
        given={"output": " ".join(output), "reference": " ".join(reference)},
        answer=kept,
        mistakes={
            "places": same / len(reference),
            "of_output": words_kept(reference, output),
            "distinct": distinct,
        },
        steps={
            "kept": round(kept * len(reference)),
            "words": len(reference),
            "written": len(output),
            "same": same,
            "repeated": sorted(word for word in set(reference) if reference.count(word) > 1),
        },
    )


def draw_movement(draws: Draws, difficulty: int) -> Draw | None:
    """How far the vector moves without a word; mistakes: do not divide, divide by the new length, subtract lengths."""
    H = difficulty + 1
    whole = [draws.integer(-5, 5) / 5 for _ in range(H)]
    without = [round(each + draws.integer(-3, 3) / 10, 1) for each in whole]
    h, moved = np.array(whole), np.array(without)
    length, other, away = (float(np.linalg.norm(each)) for each in (h, moved, moved - h))
    if not length or not other:
        return None
    return Draw(
        given={"whole": whole, "without": without},
        answer=away / length,
        mistakes={"undivided": away, "new_length": away / other, "lengths": abs(other - length) / length},
        steps={"difference": (moved - h).round(4), "away": away, "length": length, "other": other},
    )


def draw_contexts(draws: Draws, difficulty: int) -> Draw:
    """The contexts of both decoders; mistakes: weigh the last state, take the first state, weigh all states equally."""
    S, H = (2, 3, 4)[difficulty - 1], 2
    states = torch.tensor(
        [[draws.signed() for _ in range(H)] for _ in range(S)],
        dtype=torch.float64,
    )
    a = torch.tensor(draws.distribution(S), dtype=torch.float64)
    scores, mask = UniformScore()(a[None, None, None, 0], states[None]), torch.ones(1, S, dtype=torch.bool)
    equal = attention_weights(scores, mask)[1][0, 0].double()

    def cells(without: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        return torch.stack((without, weights @ states), 1).flatten()

    names = WORDS[:S]
    return Draw(
        given={
            "states": Table((*names,), ("1", "2"), states.tolist()),
            "weights": Table(("a",), names, [a.tolist()]),
            "S": S,
        },
        answer=cells(states[-1], a),
        mistakes={
            "weighed_last": cells(a[-1] * states[-1], a),
            "first": cells(states[0], a),
            "equal": cells(states[-1], equal),
        },
        steps={
            "last": states[-1],
            "a": a,
            "column": states[:, 0],
            "mixed": float((a @ states)[0]),
            "last_weight": float(a[-1]),
        },
        table=Table(("c, 1", "c, 2"), ("h̄ last", "Σ a h̄"), [[None, None] for _ in range(H)]),
    )


MAKERS = (Maker(draw_kept), Maker(draw_movement), Maker(draw_contexts))
