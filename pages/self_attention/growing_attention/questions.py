"""Exercises on self-attention step by step: scores of queries and keys, the output of a token, and what is learned."""

from __future__ import annotations

import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.attention import (
    attend,
    average_of_all,
    dot_product_attention,
    query_key_value_attention,
    symmetric_attention,
)
from core.models.self_attention.growing_attention import LayerMatrices

TOKENS = ("king", "queen", "saw")


def draw_matrix(draws: Draws, rows: int, columns: int, most: int) -> Tensor:
    """Return a matrix of random whole numbers."""
    drawn = draws.integers(-most, most, rows, columns)
    return torch.tensor(drawn, dtype=torch.float64)


def whole(matrix: Tensor) -> list[list[int]]:
    """Return a matrix's numbers, which are whole, row by row."""
    return matrix.int().tolist()


def draw_scores(draws: Draws, difficulty: int) -> Draw:
    """Scores with two matrices; mistakes: query and key exchanged, one matrix for both, no matrices."""
    tokens = TOKENS[: 2 if difficulty == 1 else 3]
    most = 2 if difficulty < 3 else 3
    x, W_q, W_k = (draw_matrix(draws, rows, 2, most) for rows in (len(tokens), 2, 2))
    right = query_key_value_attention(x, W_q, W_k, W_k)  # whatever the values are
    return Draw(
        given={
            "x": Table(tokens, ("x₁", "x₂"), whole(x)),
            "W_q": whole(W_q),
            "W_k": whole(W_k),
        },
        answer=right.scores.flatten().int(),
        mistakes={
            "exchanged": right.scores.T.flatten().int(),
            "one_matrix": symmetric_attention(x, W_q).scores.flatten().int(),
            "raw": dot_product_attention(x).scores.flatten().int(),
        },
        steps={
            "from": tokens[0],
            "to": tokens[1],
            "q": whole(right.query)[0],
            "k": whole(right.key)[1],
            "score": int(right.scores[0, 1]),
            "back": int(right.scores[1, 0]),
        },
        table=Table(tokens, tokens, [[None] * len(tokens) for _ in tokens]),
    )


def draw_output(draws: Draws, difficulty: int) -> Draw:
    """The output of a token; mistakes: no division, no softmax, a plain average."""
    tokens = TOKENS[: 2 if difficulty == 1 else 3]
    d, most = (9, 1) if difficulty == 3 else (4, 2)
    n = len(tokens)
    q, K, V = draw_matrix(draws, 1, d, most), draw_matrix(draws, n, d, most), draw_matrix(draws, n, 2, 5)
    right = attend(q, K, V, d**-0.5)
    return Draw(
        given={
            "query": whole(q)[0],
            "keys": list(zip(tokens, whole(K), whole(V), strict=True)),
            "d": d,
        },
        answer=right.context[0],
        mistakes={
            "unscaled": attend(q, K, V).context[0],
            "scores": (right.scaled @ V)[0],
            "average": average_of_all(V).context[0],
        },
        steps={
            "root": int(d**0.5),
            "scores": whole(right.scores)[0],
            "scaled": right.scaled[0],
            "weights": right.weights[0],
            "values": whole(V),
            "right": right.context[0],
            "n": n,
        },
        digits=2,
        table=Table(("o",), ("1", "2"), [[None, None]]),
    )


def draw_matrices(draws: Draws, difficulty: int) -> Draw:
    """Weights of a layer's attention; mistakes: full matrices for each head, W_o left out, one head alone."""
    heads = draws.choose(((2, 4), (4, 6, 8), (8, 12, 16))[difficulty - 1])
    d = difficulty * draws.integer(3, 16) * (1, 2, 4)[difficulty - 1]
    C = heads * d
    layer = LayerMatrices(*(torch.empty(C, C, device="meta") for _ in range(4)))
    one = sum(W.numel() for W in layer.of_head(0, heads))
    W_o = layer.W_o.numel()
    return Draw(
        given={"C": C, "heads": heads},
        answer=heads * one + W_o,
        mistakes={
            "full": heads * 3 * C * C + W_o,
            "heads": heads * one,
            "one": one + W_o,
        },
        steps={"d": d, "each": C * d, "one_head": one, "mixing": W_o},
    )


MAKERS = (Maker(draw_scores), Maker(draw_output), Maker(draw_matrices))
