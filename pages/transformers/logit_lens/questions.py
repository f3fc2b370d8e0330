"""Exercises on the logit lens: reading a stream early, when predictions are settled, and which token a stream is read as."""

from __future__ import annotations

import math

import torch
from torch.nn import functional

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.transformers.logit_lens import rank_of, settled_after
from core.models.transformers.residual_stream import cosine

TOKENS = ("of", "God", "the", "Egypt")
STREAMS = "x₀x₁x₂x₃x₄"
TRIES = 60  # of vectors in a draw: few have three winners


def names(count: int) -> list[str]:
    """Return the names of the streams before any layer and after each of `count` layers."""
    return [STREAMS[2 * layer : 2 * layer + 2] for layer in range(count + 1)]


def draw_read(draws: Draws, difficulty: int) -> Draw | None:
    """p of a token after a layer; mistakes: no norm, the layer's addition alone, the stream before the layer."""
    C, tokens = (2, 3, 3)[difficulty - 1] + 1, TOKENS[: 2 if difficulty == 1 else 3]
    layers, token = difficulty + 1, draws.integer(0, len(tokens) - 1)
    layer = draws.integer(1, layers)
    rows = [[draws.integer(-2, 2) for _ in range(C)] for _ in range(layers + 1)]
    E = torch.tensor([[draws.integer(-1, 1) for _ in range(C)] for _ in tokens], dtype=torch.float64)
    added = torch.tensor(rows, dtype=torch.float64)
    stream = added[: layer + 1].sum(0)
    if min(stream.var(), added[layer].var(), (stream - added[layer]).var()) == 0:
        return None

    def read(x: torch.Tensor) -> torch.Tensor:
        return functional.layer_norm(x, x.shape, eps=0.0) @ E.T

    logits = read(stream)
    return Draw(
        given={
            "added": Table(
                ("x₀", *[f"+{i}" for i in range(1, layers + 1)]), [str(i + 1) for i in range(C)], rows
            ),
            "E": Table(tokens, [str(i + 1) for i in range(C)], E.int().tolist()),
            "layer": layer,
            "token": tokens[token],
        },
        answer=float(logits.softmax(0)[token]),
        mistakes={
            "unnormed": float((stream @ E.T).softmax(0)[token]),
            "alone": float(read(added[layer]).softmax(0)[token]),
            "early": float(read(stream - added[layer]).softmax(0)[token]),
        },
        steps={
            "stream": stream.int(),
            "mean": float(stream.mean()),
            "sigma": float(stream.std(unbiased=False)),
            "copy": functional.layer_norm(stream, stream.shape, eps=0.0),
            "logits": logits,
            "power": float(logits.exp()[token]),
            "total": float(logits.exp().sum()),
            "last": added[layer].int(),
        },
    )


def draw_settled(draws: Draws, difficulty: int) -> Draw | None:
    """When predictions are settled; mistakes: the first time the answer is read, the last other one, count the layers."""
    layers, places = difficulty + 1, difficulty + 1
    rows = [[draws.choose(TOKENS[: 2 + (difficulty > 1)]) for _ in range(places)] for _ in range(layers + 1)]
    says = torch.tensor([[TOKENS.index(each) for each in row] for row in rows])
    same = says == says[-1]
    settled = settled_after(says, says[-1])
    if len({tuple(column) for column in says.T.tolist()}) < places:
        return None
    first = same.int().argmax(0)
    if (first == settled).all() or (settled == 0).all():
        return None
    place = int((first != settled).int().argmax())
    return Draw(
        given={
            "reads": Table(names(layers), [f"t{'₁₂₃₄'[i]}" for i in range(places)], rows),
            "layers": layers,
        },
        answer=settled,
        mistakes={
            "first": first,
            "before": (settled - 1).clamp(min=0),
            "count": same.sum(0) - 1,
        },
        steps={
            "place": f"t{'₁₂₃₄'[place]}",
            "token": rows[-1][place],
            "at": int(settled[place]),
            "earlier": int(first[place]),
            "other": rows[int(settled[place]) - 1][place],
        },
        table=Table(("l",), [f"t{'₁₂₃₄'[i]}" for i in range(places)], [[None] * places]),
    )


def draw_wins(draws: Draws, difficulty: int) -> Draw | None:
    """The token that a stream is read as; mistakes: the most similar one, the one with the longest embedding."""
    C = 2 if difficulty == 1 else 3
    tokens = TOKENS if difficulty == 3 else TOKENS[:3]
    for _ in range(TRIES):
        vector = [draws.integer(-3, 3) for _ in range(C)]
        rows = [[draws.integer(-4, 4) for _ in range(C)] for _ in tokens]
        logits = [sum(a * b for a, b in zip(vector, row, strict=True)) for row in rows]
        lengths = [math.hypot(*row) for row in rows]
        if not any(vector) or not all(lengths):
            continue
        similar = [z / length for z, length in zip(logits, lengths, strict=True)]
        if len({each.index(max(each)) for each in (logits, lengths, similar)}) == 3:
            break
    else:
        return None
    x, E = (torch.tensor(each, dtype=torch.float64) for each in (vector, rows))
    found = E @ x, cosine(E, x), E.norm(dim=1)
    best = [tokens[int(each.argmax())] for each in found]
    if len(set(best)) < len(found) or any(-each.topk(2).values.diff() < 0.02 for each in found):
        return None
    return Draw(
        given={"x": x.int(), "E": Table(tokens, [str(i + 1) for i in range(C)], E.int().tolist())},
        answer=best[0],
        mistakes={"similar": best[1], "longest": best[2]},
        steps={
            "logits": Table(
                tokens,
                ("z", "‖E‖", "cos"),
                [
                    [int(z), round(float(length), 2), round(float(c), 2)]
                    for z, c, length in zip(*found, strict=True)
                ],
            ),
            "logit": int(found[0].max()),
            "similar_logit": int(found[0][tokens.index(best[1])]),
            "longest_logit": int(found[0][tokens.index(best[2])]),
            "similar_cos": float(found[1].max()),
            "length": float(found[2].max()),
        },
    )


def draw_rank(draws: Draws, difficulty: int) -> Draw:
    """A token's rank after a layer; mistakes: rank from the lowest logit, count those above it, the stream before."""
    n, layers = 4 + 2 * difficulty, 1 + difficulty
    tokens = "ABCDEFGHIJ"[:n]
    rows = [draws.sample([i / 10 for i in range(-40, 60)], n) for _ in range(layers + 1)]
    layer, token = draws.integer(1, layers), draws.integer(0, n - 1)
    log_p = torch.tensor(rows, dtype=torch.float64).log_softmax(-1)[:, None]
    asked = torch.tensor([token])
    rank = int(rank_of(log_p, asked)[layer, 0])
    return Draw(
        given={"logits": Table(names(layers), list(tokens), rows), "layer": layer, "token": tokens[token]},
        answer=rank,
        mistakes={
            "lowest": int(rank_of(-log_p, asked)[layer, 0]),
            "above": rank - 1,
            "before": int(rank_of(log_p, asked)[layer - 1, 0]),
        },
        steps={
            "own": rows[layer][token],
            "larger": [tokens[i] for i in range(n) if rows[layer][i] > rows[layer][token]],
            "n": n,
        },
    )


MAKERS = (Maker(draw_read), Maker(draw_settled), Maker(draw_wins), Maker(draw_rank))
