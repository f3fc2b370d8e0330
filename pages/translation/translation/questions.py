"""Exercises on attention in translation: from scores to a context, two weights compared, and lines that cross."""

from __future__ import annotations

import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.translation.alignment import crossings, heaviest
from core.models.translation.broken_attention import UniformScore
from core.models.translation.seq2seq import attention_weights
from core.models.translation.translate import onto

WORDS = (
    ("the", "king", "sings"),
    ("a", "rich", "queen"),
    ("she", "sells", "cars"),
    ("the", "white", "cat", "sleeps"),
)


def weigh(scores: Tensor) -> Tensor:
    """Return the attention weights (S,) of one step from its scores (S,)."""
    return attention_weights(scores[None, None], torch.ones(1, len(scores), dtype=torch.bool))[1][0, 0]


def draw_context(draws: Draws, difficulty: int) -> Draw | None:
    """One number of the context; mistakes: weigh all equally, take the heaviest alone, weigh with the scores."""
    words = draws.choose([each for each in WORDS if len(each) == 3]) if difficulty < 3 else WORDS[3]
    scores = torch.tensor([draws.integer(-1, 3) for _ in words], dtype=torch.float64)
    states = torch.tensor(
        [[draws.signed() for _ in range(2)] for _ in words],
        dtype=torch.float64,
    )
    j = draws.integer(0, 1)
    a = weigh(scores)
    if difficulty == 1:
        a = torch.tensor(draws.distribution(len(words)), dtype=torch.float64)
        scores = a.log()
    if int((a > a.max() - 1e-9).sum()) > 1:  # two words are attended to most
        return None
    equal = weigh(UniformScore()(scores[None, None, :1], states[None])[0, 0])
    shown = [a.tolist()] if difficulty == 1 else [scores.int().tolist()]
    return Draw(
        given={
            "words": words,
            "step": Table(("a",) if difficulty == 1 else ("e",), words, shown),
            "states": Table(("h̄, 1", "h̄, 2"), words, states.T.tolist()),
            "j": j + 1,
            "has_weights": difficulty == 1,
        },
        answer=(a @ states)[j],
        mistakes={
            "equal": (equal @ states)[j],
            "heaviest": (onto(int(a.argmax()), len(a)).double() @ states)[j],
            "sum": states.sum(0)[j],
        },
        steps={
            "weights": a,
            "column": states[:, j],
            "best": words[int(a.argmax())],
            "largest": float(a.max()),
            "n": len(words),
        },
    )


def draw_ratio(draws: Draws, difficulty: int) -> Draw | None:
    """How many times a weight is another; mistakes: divide the scores, subtract them, turn the quotient round."""
    words = draws.choose(WORDS)
    span = (30, 15, 10)[difficulty - 1]
    scores = [draws.integer(10, 10 + span) / (10 if difficulty < 3 else 5) for _ in words]
    i, j = draws.sample(range(len(words)), 2)
    weights = weigh(torch.tensor(scores, dtype=torch.float64))
    if abs(scores[i] - scores[j]) < 0.25 or not scores[j]:
        return None
    return Draw(
        given={"scores": Table(("e",), words, [scores]), "one": words[i], "other": words[j]},
        answer=weights[i] / weights[j],
        mistakes={
            "scores": scores[i] / scores[j],
            "difference": weights[i] - weights[j],
            "inverse": weights[j] / weights[i],
        },
        steps={
            "first": scores[i],
            "second": scores[j],
            "apart": scores[i] - scores[j],
            "weight": float(weights[i]),
            "against": float(weights[j]),
        },
    )


def draw_crossings(draws: Draws, difficulty: int) -> Draw | None:
    """How many pairs of lines cross; mistakes: neighbours only, lines that meet too, words off the diagonal."""
    size = difficulty + 3
    source = tuple("ABCDEF"[:size])
    chosen = [draws.integer(0, size - 1) for _ in range(size)]
    rows = []
    for at in chosen:
        rest = list(draws.distribution(size, 20))
        top = max(range(size), key=rest.__getitem__)
        rest[at], rest[top] = rest[top], rest[at]
        if sorted(rest)[-1] == sorted(rest)[-2]:
            return None
        rows.append(rest)
    weights = torch.tensor(rows, dtype=torch.float64).numpy()
    found, at = crossings(weights), heaviest(weights)
    if not found:
        return None
    pairs = [(t, u) for u in range(size) for t in range(u)]
    names = tuple("abcdef"[:size])
    return Draw(
        given={"weights": Table(names, source, weights.tolist())},
        answer=len(found),
        mistakes={
            "neighbours": sum(u == t + 1 for t, u in found),
            "meeting": sum(at[t] >= at[u] for t, u in pairs),
            "moved": sum(s != t for t, s in enumerate(at)),
        },
        steps={
            "lines": [f"{name}–{source[s]}" for name, s in zip(names, at, strict=True)],
            "crossing": [f"{names[t]} {names[u]}" for t, u in found],
            "equal": [f"{names[t]} {names[u]}" for t, u in pairs if at[t] == at[u]],
        },
    )


MAKERS = (Maker(draw_context), Maker(draw_ratio), Maker(draw_crossings))
