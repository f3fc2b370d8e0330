"""Exercises on word order: outputs of a shuffled sentence, what a causal mask sees of a swap, and a score with positions."""

from __future__ import annotations

import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.attention import attend, causal_mask

SENTENCES = (
    ("the", "man", "saw", "her"),
    ("the", "man", "loved", "a", "king"),
    ("the", "old", "man", "loved", "a", "king"),
)
STILL = 1e-6  # an output that moved by less is as it was


def draw_shuffled(draws: Draws, difficulty: int) -> Draw | None:
    """Outputs without positions; mistakes: they stay at their places, they are shuffled back, all are the mean."""
    words = SENTENCES[difficulty - 1]
    n = len(words)
    outputs = [draws.decimal(-3, 3) for _ in words]
    order = draws.shuffle(range(n))
    if len(set(outputs)) < n:
        return None
    f = torch.tensor(outputs, dtype=torch.float64)
    P = torch.eye(n, dtype=torch.float64)[list(order)]
    shuffled = [words[i] for i in order]
    return Draw(
        given={"outputs": Table(("f",), words, [outputs]), "shuffled": shuffled},
        answer=P @ f,
        mistakes={
            "stayed": f,
            "inverse": P.T @ f,
            "mean": f.mean().repeat(n),
        },
        steps={
            "first": shuffled[0],
            "value": outputs[order[0]],
            "at": order[0] + 1,
            "before": outputs[0],
            "opening": words[0],
        },
        digits=1,
        table=Table(("f",), shuffled, [[None] * n]),
    )


def draw_swap(draws: Draws, difficulty: int) -> Draw:
    """How many outputs move under a causal mask; mistakes: the two words alone, all, the other number of layers."""
    n = draws.integer(4 + 2 * difficulty, 6 + 3 * difficulty)
    i = draws.integer(1, n - 4)
    j = draws.integer(i + 2, n - 2)
    layers = draws.choose((1, 1, 2, 2 + difficulty))
    x = torch.tensor([[draws.decimal(-1, 1, 3) for _ in range(3)] for _ in range(n)], dtype=torch.float64)
    return Draw(
        given={"n": n, "i": i + 1, "j": j + 1, "layers": layers},
        answer=moved(x, i, j, layers),
        mistakes={
            "two": moved(x, i, j, 0, seen=False),
            "all": n,
            "depth": moved(x, i, j, 2 if layers == 1 else 1),
        },
        steps={"between": j - i + 1, "still": i},
    )


def moved(x: Tensor, i: int, j: int, layers: int, seen: bool = True) -> int:
    """Return how many outputs of causal attention move when the words at i and j are swapped; unseen, only they do."""
    order = list(range(len(x)))
    order[i], order[j] = j, i
    if not seen:
        return sum(place != word for place, word in enumerate(order))
    before, after = causal_layers(x, layers), causal_layers(x[order], layers)[order]
    return int(((before - after).norm(dim=1) > STILL).sum())


def causal_layers(x: Tensor, layers: int) -> Tensor:
    """Return the outputs of some layers of causal attention without positions, each added to its input."""
    for _ in range(layers):
        x = x + attend(x, x, x, mask=causal_mask(len(x))).context
    return x


def draw_score(draws: Draws, difficulty: int) -> Draw:
    """A score of two words with positions; mistakes: no positions, positions from 1, positions of the first sentence."""
    words = SENTENCES[difficulty - 1][1:]
    n = len(words)
    order = draws.shuffle(range(n))
    E, P = (draws.integers(-3, 3, size, 2) for size in (n, n + 1))
    t, s = draws.sample(range(n), 2)
    e, p = torch.tensor(E), torch.tensor(P)
    new, first = [order.index(t), order.index(s)], [t, s]
    inputs = e[first] + p[new]

    def score(positions: Tensor | int) -> int:
        query, key = e[first] + positions
        return int(query @ key)

    return Draw(
        given={
            "embeddings": Table(words, ("1", "2"), E),
            "positions": Table([f"p{'₀₁₂₃₄₅'[i]}" for i in range(n + 1)], ("1", "2"), P),
            "sentence": words,
            "shuffled": [words[i] for i in order],
            "from": words[t],
            "to": words[s],
        },
        answer=score(p[new]),
        mistakes={
            "alone": score(0 * p[new]),
            "from_one": score(p[[place + 1 for place in new]]),
            "before": score(p[first]),
        },
        steps={
            "x": inputs[0],
            "y": inputs[1],
            "t": new[0],
            "s": new[1],
            "old_t": t,
            "old_s": s,
        },
    )


MAKERS = (Maker(draw_shuffled), Maker(draw_swap), Maker(draw_score))
