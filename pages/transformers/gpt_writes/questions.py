"""Exercises on writing with a cache: how much it keeps, what it saves, what a new token takes, and an induction head."""

from __future__ import annotations

import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.attention import attend
from core.models.transformers.transformer_size import Shape, cached_numbers

LETTERS = "bdkmpt"


def draw_cache(draws: Draws, difficulty: int) -> Draw:
    """The numbers in a cache; mistakes: keep the last token too, keys alone, one layer, the prompt alone."""
    C = draws.choose(((4, 6, 8, 10), (32, 64, 128), (256, 512, 768))[difficulty - 1])
    L = draws.integer(2, 4 * difficulty)
    prompt, written = draws.integer(2, 6 * difficulty), draws.integer(2, 5 * difficulty)
    shape = Shape(vocabulary_size=1, context=1, layers=L, heads=1, width=C)
    read = prompt + written - 1
    return Draw(
        given={"C": C, "L": L, "prompt": prompt, "written": written},
        answer=cached_numbers(shape, read),
        mistakes={
            "last": cached_numbers(shape, read + 1),
            "keys": cached_numbers(shape, read) // 2,
            "layer": cached_numbers(Shape(1, 1, 1, 1, C), read),
            "prompt": cached_numbers(shape, prompt),
        },
        steps={"read": read, "token": cached_numbers(shape, 1)},
    )


def draw_readings(draws: Draws, difficulty: int) -> Draw:
    """Tokens read without a cache; mistakes: with the cache, the prompt alone each time, the last token read too."""
    prompt, written = draws.integer(2, 10 * difficulty), draws.integer(3, 8 * difficulty)
    lengths = [prompt + i for i in range(written)]
    return Draw(
        given={"prompt": prompt, "written": written},
        answer=sum(lengths),
        mistakes={
            "cached": lengths[-1],
            "prompt": prompt * written,
            "late": sum(lengths) + written,
        },
        steps={"last": lengths[-1], "second": prompt + 1},
    )


def draw_gathered(draws: Draws, difficulty: int) -> Draw:
    """What a new token gathers; mistakes: without the cache, without its own pair, without the division."""
    past, d = difficulty, 4
    q, *K = ([draws.integer(-2, 2) for _ in range(d)] for _ in range(past + 2))
    V = [[draws.integer(-6, 6)] for _ in range(past + 1)]
    query, keys, values = (torch.tensor(each, dtype=torch.float64) for each in ([q], K, V))
    right = attend(query, keys, values, d**-0.5)
    rows = [
        [", ".join(f"{x}".replace("-", "−") for x in key), value[0]] for key, value in zip(K, V, strict=True)
    ]
    return Draw(
        given={
            "cache": Table([str(t + 1) for t in range(past)], ("k", "v"), rows[:-1]),
            "query": q,
            "keyed": K[-1],
            "value": V[-1][0],
        },
        answer=float(right.context),
        mistakes={
            "forgotten": float(attend(query, keys[-1:], values[-1:], d**-0.5).context),
            "without_own": float(attend(query, keys[:-1], values[:-1], d**-0.5).context),
            "unscaled": float(attend(query, keys, values).context),
        },
        steps={"scores": right.scores[0].int(), "weights": right.weights[0], "values": [v[0] for v in V]},
        digits=2,
    )


def draw_score(draws: Draws, difficulty: int) -> Draw:
    """An induction head's score; mistakes: on the equal token, on the token before, divided by T."""
    T = 3 if difficulty < 3 else 4
    letters = draws.sample(LETTERS, T)
    queries = range(T, 2 * T - 1)  # of the second half all but the last, from 0
    rows = []
    for t in queries:
        row = [0.0] * (2 * T)
        row[: t + 1] = draws.distribution(t + 1, 10 if difficulty == 1 else 20)
        rows.append(row)
    w = torch.tensor(rows, dtype=torch.float64)
    at = torch.arange(len(w))
    seen = w[at, torch.tensor(queries) - T + 1]
    return Draw(
        given={
            "weights": Table(
                [f"{t + 1}: {letters[t - T]}" for t in queries],
                [f"{s + 1}: {(letters * 2)[s]}" for s in range(2 * T)],
                rows,
            ),
            "text": "".join(letters) * 2,
            "T": T,
        },
        answer=float(seen.mean()),
        mistakes={
            "equal": float(w[at, torch.tensor(queries) - T].mean()),
            "previous": float(w[at, torch.tensor(queries) - 1].mean()),
            "divided": float(seen.sum() / T),
        },
        steps={
            "seen": seen,
            "query": letters[0],
            "follower": letters[1],
            "total": float(seen.sum()),
            "n": T - 1,
        },
    )


MAKERS = (Maker(draw_cache), Maker(draw_readings), Maker(draw_gathered), Maker(draw_score))
