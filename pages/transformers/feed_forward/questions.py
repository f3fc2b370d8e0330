"""Exercises on the feed-forward layer: what its neurons add, which tokens a value promotes, and a neuron switched off."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table, write

TOKENS = ("go", "king", "be", "the", "say")
SUMS = (-3, -2, -1, 0, 1, 2, 3)  # of which the question has the GELU


def gelu(sums: Tensor) -> Tensor:
    """Return the activations of sums as our GPTs compute them."""
    return functional.gelu(sums, approximate="tanh")


def draw_whole(draws: Draws, rows: int, columns: int, most: int) -> Tensor:
    """Return a matrix of random whole numbers."""
    drawn = draws.integers(-most, most, rows, columns)
    return torch.tensor(drawn, dtype=torch.float64)


def draw_output(draws: Draws, difficulty: int) -> Draw | None:
    """What a layer adds; mistakes: no GELU, keys and values exchanged, only the neuron with the largest activation."""
    n, C = difficulty + 1, 2
    x, keys, values = draw_whole(draws, 1, C, 2)[0], draw_whole(draws, n, C, 1), draw_whole(draws, n, C, 4)
    sums = keys @ x
    if sums.abs().max() > max(SUMS) or sums.min() >= 0 or (values @ x).abs().max() == 0:
        return None
    a = gelu(sums)
    best = int(a.argmax())
    curve = [round(each, 3) for each in gelu(torch.tensor(SUMS, dtype=torch.float64)).tolist()]
    return Draw(
        given={
            "x": x.int(),
            "neurons": list(zip(range(1, n + 1), keys.int().tolist(), values.int().tolist(), strict=True)),
            "curve": Table(("gelu(z)",), list(map(write, SUMS)), [curve], "z"),
        },
        answer=a @ values,
        mistakes={
            "straight": sums @ values,
            "exchanged": gelu(values @ x) @ keys,
            "largest": a[best] * values[best],
        },
        steps={
            "sums": sums.int(),
            "activations": a,
            "values": values.int(),
            "best": best + 1,
            "least": int(sums.argmin()) + 1,
            "low": int(sums.min()),
            "lowest": float(gelu(sums.min())),
            "right": a @ values,
        },
        digits=2,
        table=Table(("o",), ("1", "2"), [[None, None]]),
    )


def draw_promoted(draws: Draws, difficulty: int) -> Draw | None:
    """How far a value promotes each token; mistakes: no comparison with the mean, the key, the mean of the others."""
    tokens, C = TOKENS[: difficulty + 2], 2 if difficulty < 3 else 3
    E, key, value = (
        draw_whole(draws, len(tokens), C, 4),
        draw_whole(draws, 1, C, 3)[0],
        draw_whole(draws, 1, C, 3)[0],
    )
    fit = E @ value
    promoted, by_key = ((E - E.mean(0)) @ each for each in (value, key))
    return Draw(
        given={
            "embeddings": Table(tokens, [str(i + 1) for i in range(C)], E.int().tolist()),
            "k": key.int(),
            "v": value.int(),
        },
        answer=promoted,
        mistakes={
            "raw": fit,
            "key": by_key,
            "others": fit - (fit.sum() - fit) / (len(tokens) - 1),
        },
        steps={
            "fits": fit.int(),
            "mean": float(fit.mean()),
            "first": tokens[0],
            "right": promoted,
            "n": len(tokens),
        },
        digits=2,
        table=Table(tokens, ("(E − Ē)·v",), [[None] for _ in tokens]),
    )


def draw_silent(draws: Draws, difficulty: int) -> Draw:
    """p of a token without a neuron; mistakes: all on, only this one on, its share taken from this token alone."""
    n, tokens = difficulty + 1, TOKENS[: 2 if difficulty == 1 else 3]
    pushes = [[draws.decimal(-2, 2) for _ in tokens] for _ in range(n)]
    neuron, token = draws.integer(0, n - 1), draws.integer(0, len(tokens) - 1)
    added = torch.tensor(pushes, dtype=torch.float64)
    logits, own = added.sum(0), added[neuron]
    alone = torch.zeros(len(tokens), dtype=torch.float64)
    alone[token] = own[token]
    without = logits - own
    return Draw(
        given={
            "pushes": Table([str(i + 1) for i in range(n)], tokens, pushes),
            "neuron": neuron + 1,
            "token": tokens[token],
        },
        answer=float(without.softmax(0)[token]),
        mistakes={
            "on": float(logits.softmax(0)[token]),
            "only": float(own.softmax(0)[token]),
            "alone": float((logits - alone).softmax(0)[token]),
        },
        steps={
            "logits": without,
            "total": float(without.exp().sum()),
            "own": own,
            "power": float(without.exp()[token]),
        },
    )


MAKERS = (Maker(draw_output), Maker(draw_promoted), Maker(draw_silent))
