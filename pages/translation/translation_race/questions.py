"""Exercises on attention scores: a general score, an additive score, and what the scores of a sentence cost."""

from __future__ import annotations

import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.translation.seq2seq import additive_scores, general_scores
from core.models.translation.translation_race import score_multiplications

INPUT = ("1", "2", "3")


def integers(draws: Draws, *shape: int, most: int = 2) -> Tensor:
    """Return a tensor of small whole numbers."""
    count = torch.Size(shape).numel()
    return torch.tensor([draws.integer(-most, most) for _ in range(count)], dtype=torch.float64).reshape(
        shape
    )


def tenths(draws: Draws, *shape: int) -> Tensor:
    """Return a tensor of tenths, none of them 0."""
    count = torch.Size(shape).numel()
    numbers = [draws.signed() for _ in range(count)]
    return torch.tensor(numbers, dtype=torch.float64).reshape(shape)


def draw_general(draws: Draws, difficulty: int) -> Draw:
    """A general score; mistakes: leave out the matrix (dot), turn it round, use its diagonal only."""
    H = 3 if difficulty == 3 else 2
    most = 2 if difficulty == 1 else 4
    h, state, W_a = (
        integers(draws, H, most=most),
        integers(draws, H, most=most),
        integers(draws, H, H, most=most),
    )

    def score(matrix: Tensor) -> int:
        return int(general_scores(h[None, None], state[None, None], matrix))

    return Draw(
        given={
            "h": h.int().tolist(),
            "state": state.int().tolist(),
            "matrix": Table(tuple(f"row {i + 1}" for i in range(H)), INPUT[:H], W_a.int().tolist(), "W"),
        },
        answer=score(W_a),
        mistakes={
            "dot": score(torch.eye(H, dtype=torch.float64)),
            "transposed": score(W_a.T),
            "diagonal": score(torch.diag(W_a.diag())),
        },
        steps={
            "translated": (W_a @ state).int(),
            "products": (h * (W_a @ state)).int(),
            "row": W_a[0].int(),
            "column": W_a[:, 0].int(),
        },
    )


def draw_additive(draws: Draws, difficulty: int) -> Draw | None:
    """An additive score; mistakes: leave out tanh, squash the sum of all, leave out both matrices."""
    H = 1 if difficulty == 1 else 2
    h, state, v_a = (tenths(draws, H) for _ in range(3))
    whole = difficulty < 3
    W_a, U_a = (integers(draws, H, H) if whole else tenths(draws, H, H) for _ in range(2))
    inside = W_a @ h + U_a @ state
    one = torch.eye(H, dtype=torch.float64)

    def score(W: Tensor, U: Tensor) -> float:
        return float(additive_scores(h[None, None], state[None, None], W, U, v_a))

    if inside.abs().min() < 0.3:
        return None  # tanh hardly changes it
    return Draw(
        given={
            "h": h,
            "state": state,
            "v": v_a,
            "W": (W_a.int() if whole else W_a).tolist(),
            "U": (U_a.int() if whole else U_a).tolist(),
        },
        answer=score(W_a, U_a),
        mistakes={
            "no_tanh": float(inside @ v_a),
            "outside": float(torch.tanh(inside @ v_a)),
            "no_matrices": score(one, one),
        },
        steps={"inside": inside, "squashed": torch.tanh(inside)},
    )


def draw_cost(draws: Draws, difficulty: int) -> Draw:
    """Multiplications for all scores; mistakes: leave out the matrices, the other score, the matrices at every pair."""
    T, S = draws.integer(4, 9), draws.integer(4, 9)
    H = draws.choose(((2, 3, 4, 5), (8, 10, 12, 16), (64, 100, 128, 192))[difficulty - 1])
    score = draws.choose(("general", "additive"))
    other = "additive" if score == "general" else "general"
    matrices = 1 if score == "general" else 2
    return Draw(
        given={"T": T, "S": S, "H": H, "score": score},
        answer=score_multiplications(score, T, S, H),
        mistakes={
            "dot": score_multiplications("dot", T, S, H),
            "other": score_multiplications(other, T, S, H),
            "each_pair": matrices * T * S * H * H + score_multiplications("dot", T, S, H),
        },
        steps={"products": T * S * H, "square": H * H, "states": S if score == "general" else T + S},
    )


MAKERS = (Maker(draw_general), Maker(draw_additive), Maker(draw_cost))
