"""Exercises on the vision transformer: count the tokens, embed a patch, roll attention out, attended or needed."""

from __future__ import annotations

import numpy as np
import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.images.attended_or_needed import rank_of_attended
from core.models.images.rollout import rollout
from core.models.images.vision_transformer import VisionConfig, patches_of

SHAPES = (  # (side, patch) in pixels, of each difficulty
    ((12, 3), (16, 4), (15, 3), (20, 5), (18, 3), (24, 4), (24, 6), (30, 5)),
    ((32, 4), (32, 8), (28, 7), (28, 4), (48, 8), (40, 5), (64, 8)),
    ((224, 16), (224, 32), (256, 16), (384, 32), (224, 14)),
)
NAMES = ("class", "patch 1", "patch 2")


def draw_tokens(draws: Draws, difficulty: int) -> Draw:
    """How many tokens are read; mistakes: forget the class token, count hidden patches too, count one side only."""
    side, patch = draws.choose(SHAPES[difficulty - 1])
    config = VisionConfig(side, patch, channels=3, classes=2)
    hidden = draws.integer(1, config.patches // 2)
    return Draw(
        given={"side": side, "patch": patch, "hidden": hidden},
        answer=config.patches - hidden + 1,
        mistakes={
            "no_class": config.patches - hidden,
            "hidden": config.patches + 1,
            "one_side": config.across + 1,
        },
        steps={"across": config.across, "patches": config.patches},
    )


def draw_embedded(draws: Draws, difficulty: int) -> Draw | None:
    """One number of a token; mistakes: count the patches column by column, leave out position, leave out the bias."""
    across = 3 if difficulty == 3 else 2
    side = 2 * across
    picture = [[draws.integer(0, 9) / 10 for _ in range(side)] for _ in range(side)]
    place = draws.integer(0, across**2 - 1)
    w = [draws.integer(-2, 2) if difficulty == 1 else draws.integer(-9, 9) / 10 for _ in range(4)]
    bias, position = (draws.signed() for _ in range(2))
    image = torch.tensor(picture, dtype=torch.float64)
    W = torch.tensor(w, dtype=torch.float64)
    found = patches_of(image[None], 2)[place]
    beside = patches_of(image.T[None], 2)[place]  # the patch that is counted down the columns
    beside = beside.view(2, 2).T.flatten()
    if not any(w):
        return None
    lines = tuple(str(i + 1) for i in range(side))
    return Draw(
        given={
            "picture": Table(lines, lines, picture),
            "place": place + 1,
            "w": w,
            "bias": bias,
            "position": position,
        },
        answer=W @ found + bias + position,
        mistakes={
            "by_columns": W @ beside + bias + position,
            "no_position": W @ found + bias,
            "no_bias": W @ found + position,
        },
        steps={"numbers": found, "product": float(W @ found), "other": beside},
        digits=2,
    )


def draw_rollout(draws: Draws, difficulty: int) -> Draw:
    """The class token's row of the rollout; mistakes: no residual, multiply the other way round, the last layer alone."""
    T, layers = (2 if difficulty == 1 else 3), (3 if difficulty == 3 else 2)
    rows = [[draws.distribution(T) for _ in range(T)] for _ in range(layers)]
    weights = torch.tensor(rows)[:, None]  # layers, one head, T, T
    bare = torch.eye(T)
    for layer in weights[:, 0]:
        bare = layer @ bare
    names = NAMES[:T]
    first, last = (0.5 * weights[i, 0] + 0.5 * torch.eye(T) for i in (0, -1))
    return Draw(
        given={
            "layers": [
                Table(names, names, [list(row) for row in each], f"w{'₁₂₃'[i]}")
                for i, each in enumerate(rows)
            ],
            "L": layers,
        },
        answer=rollout(weights)[0],
        mistakes={
            "no_residual": bare[0],
            "turned": rollout(weights.flip(0))[0],
            "last": rollout(weights[-1:])[0],
        },
        steps={
            "first": Table(names, names, [[round(float(x), 2) for x in row] for row in first], "A₁"),
            "last_row": [round(float(x), 2) for x in last[0]],
            "column": [round(float(x), 2) for x in first[:, 0]],
            "two": float(last[0] @ first[:, 0]),
        },
        table=Table(("class",), names, [[None] * T]),
    )


def draw_needed(draws: Draws, difficulty: int) -> Draw | None:
    """The rank of the most attended patch; mistakes: count from the other end, rank the other map, count from 0."""
    n = difficulty + 4
    weights = np.array(draws.sample(range(1, 14), n)) / 100  # the class token keeps the rest for itself
    drops = np.array([draws.integer(-10, 40) for _ in range(n)])
    if len(set(drops.tolist())) < n:
        return None
    rank = rank_of_attended(weights, drops)
    names = tuple(str(i + 1) for i in range(n))
    return Draw(
        given={"maps": Table(("a", "drop"), names, [weights.tolist(), drops.tolist()]), "n": n},
        answer=rank,
        mistakes={
            "other_end": rank_of_attended(weights, -drops),
            "other_map": rank_of_attended(drops, weights),
            "from_zero": rank - 1,
        },
        steps={
            "patch": int(weights.argmax()) + 1,
            "drop": int(drops[weights.argmax()]),
            "larger": sorted((int(each) for each in drops if each > drops[weights.argmax()]), reverse=True),
            "needed": int(drops.argmax()) + 1,
        },
    )


MAKERS = (Maker(draw_tokens), Maker(draw_embedded), Maker(draw_rollout), Maker(draw_needed))
