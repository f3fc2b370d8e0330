"""Exercises on parallel training: the loss of a line, the tokens that passes read, and the multiplications they take."""

from __future__ import annotations

import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.gpt import GPTConfig
from core.models.self_attention.parallel_training import Losses, multiplications, times_by_prefixes

LETTERS = ("a", "b", "e", "t")


def draw_loss(draws: Draws, difficulty: int) -> Draw:
    """The loss of a line; mistakes: targets not moved, the sum instead of the mean, bits instead of nats."""
    T = 2 + difficulty
    tokens = LETTERS[: 2 if difficulty == 1 else 3]
    line = [draws.choose(tokens) for _ in range(T + 1)]
    rows = [draws.distribution(len(tokens), 20) for _ in range(T)]
    ln_p = torch.tensor(rows, dtype=torch.float64).log()
    x, y = (torch.tensor([tokens.index(each) for each in part]) for part in (line[:-1], line[1:]))
    right, unmoved = (Losses(-ln_p.gather(1, part[:, None])[:, 0], (T,)) for part in (y, x))
    return Draw(
        given={
            "line": line,
            "T": T,
            "rows": Table([f"{t + 1}: {''.join(line[: t + 1])}" for t in range(T)], tokens, rows),
        },
        answer=right.mean,
        mistakes={
            "unmoved": unmoved.mean,
            "sum": float(right.losses.sum()),
            "bits": right.mean / torch.log(torch.tensor(2.0)).item(),
        },
        steps={
            "p": right.losses.neg().exp(),
            "losses": right.losses,
            "total": float(right.losses.sum()),
            "targets": line[1:],
            "wrong_p": float(unmoved.losses.neg().exp()[0]),
        },
    )


def draw_read(draws: Draws, difficulty: int) -> Draw:
    """Tokens read by a pass over each prefix; mistakes: one pass, full windows, read the last token, predict the first."""
    n = draws.integer((5, 30, 130)[difficulty - 1], (29, 99, 999)[difficulty - 1])
    T = n - 1
    return Draw(
        given={"n": n},
        answer=Losses(torch.zeros(T), tuple(range(1, n))).tokens_read,
        mistakes={
            "pass": Losses(torch.zeros(T), (T,)).tokens_read,
            "full": Losses(torch.zeros(T), (T,) * T).tokens_read,
            "last": Losses(torch.zeros(n), tuple(range(1, n + 1))).tokens_read,
        },
        steps={"T": T},
    )


def draw_times(draws: Draws, difficulty: int) -> Draw:
    """How much cheaper one pass is; mistakes: compare tokens alone, compute every pass in full, compare with one prefix."""
    C = draws.choose(((2, 4), (8, 16), (32, 64))[difficulty - 1])
    V = draws.choose(((5, 10, 20), (30, 60, 90), (100, 200, 500))[difficulty - 1])
    L, T = (
        draws.integer(1, difficulty + 1),
        draws.integer((3, 10, 50)[difficulty - 1], (9, 40, 200)[difficulty - 1]),
    )
    config = GPTConfig(vocabulary_size=V, layers=L, heads=1, width=C)
    return Draw(
        given={"C": C, "V": V, "L": L, "T": T},
        answer=times_by_prefixes(config, T),
        mistakes={
            "tokens": (T + 1) / 2,
            "full": float(T),
            "linear": sum(t * (L * (12 * C * C + 2 * C) + C * V) for t in range(1, T + 1))
            / multiplications(config, T),
        },
        steps={
            "one": multiplications(config, T),
            "each": L * 12 * C * C + C * V,
            "scores": 2 * L * C,
            "all": sum(multiplications(config, t) for t in range(1, T + 1)),
            "read": T * (T + 1) // 2,
            "squares": T * (T + 1) * (2 * T + 1) // 6,
        },
        digits=2,
    )


MAKERS = (Maker(draw_loss), Maker(draw_read), Maker(draw_times))
