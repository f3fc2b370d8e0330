"""Exercises on a shared embedding space: a cosine, the contrastive loss of an image, captions that find their image."""

from __future__ import annotations

import torch
from torch.nn.functional import normalize

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.images.contrastive_loss import contrast
from core.models.images.retrieval import recall

IMAGES, CAPTIONS = ("u₁", "u₂", "u₃", "u₄", "u₅"), ("v₁", "v₂", "v₃", "v₄", "v₅")
NAMES = ("red ring", "blue cross", "green circle", "red square")


def draw_cosine(draws: Draws, difficulty: int) -> Draw | None:
    """A cosine; mistakes: do not divide by the lengths, divide by one length, divide by the squares."""
    E = (2, 3, 4)[difficulty - 1]
    image, caption = ([draws.integer(-3, 3) for _ in range(E)] for _ in range(2))
    u, v = (torch.tensor(each, dtype=torch.float64) for each in (image, caption))
    product = float(u @ v)
    if not product or not u.norm() or not v.norm():
        return None
    return Draw(
        given={"image": image, "caption": caption},
        answer=float(normalize(u, dim=0) @ normalize(v, dim=0)),
        mistakes={
            "product": product,
            "one_length": float(normalize(u, dim=0) @ v),
            "squares": product / float((u @ u) * (v @ v)),
        },
        steps={
            "dot": int(product),
            "squared": [int(u @ u), int(v @ v)],
            "lengths": [float(u.norm()), float(v.norm())],
        },
    )


def draw_loss(draws: Draws, difficulty: int) -> Draw | None:
    """The loss of one image; mistakes: read the caption's column, leave out the scale, give the probability."""
    B = (2, 3, 3)[difficulty - 1]
    products = torch.tensor(
        [[draws.decimal(-0.4, 0.9) for _ in range(B)] for _ in range(B)], dtype=torch.float64
    )
    scale = draws.choose((2, 4, 5) if difficulty < 3 else (5, 8, 10))
    i = draws.integer(0, B - 1)
    one = torch.eye(B, dtype=torch.float64)
    found = contrast(products, one, float(scale))
    if found.rows[i] > 5:
        return None
    return Draw(
        given={
            "cosines": Table(IMAGES[:B], CAPTIONS[:B], products.tolist()),
            "scale": scale,
            "image": IMAGES[i],
            "caption": CAPTIONS[i],
        },
        answer=found.rows[i],
        mistakes={
            "column": found.columns[i],
            "unscaled": contrast(products, one, 1.0).rows[i],
            "probability": found.by_picture[i, i],
        },
        steps={
            "row": products[i],
            "scaled": found.similarity[i],
            "own": float(found.similarity[i, i]),
            "powers": found.similarity[i].exp(),
            "p": float(found.by_picture[i, i]),
            "down": products[:, i],
        },
    )


def draw_recall(draws: Draws, difficulty: int) -> Draw | None:
    """How many captions find their image among the first; mistakes: images find captions, one place more, one less."""
    B, k = difficulty + 2, (1 if difficulty == 1 else 2)
    numbers = draws.sample(range(5, 95), B * B)
    products = torch.tensor(numbers, dtype=torch.float64).reshape(B, B) / 100
    for i in range(B):  # a model that knows something: its own pairs are nearer
        if draws.integer(0, 1):
            top = int(products[:, i].argmax())
            products[[i, top], i] = products[[top, i], i]
    other = 2 if k == 1 else 1
    found = recall(products.T, k)
    return Draw(
        given={"cosines": Table(IMAGES[:B], CAPTIONS[:B], products.tolist()), "k": k, "B": B},
        answer=found,
        mistakes={"images": recall(products, k), "other_k": recall(products.T, other)},
        steps={
            "ranks": [
                (CAPTIONS[i], float(products[i, i]), int((products[:, i] >= products[i, i]).sum()))
                for i in range(B)
            ],
            "other": other,
        },
    )


def draw_named(draws: Draws, difficulty: int) -> Draw | None:
    """The probability of a name; mistakes: leave out the scale, divide by it, leave out the powers."""
    names = NAMES[: difficulty + 1]
    cosines = torch.tensor([draws.decimal(0.05, 0.95, 2) for _ in names], dtype=torch.float64)
    scale = draws.choose((2, 4, 5, 10))
    asked = draws.integer(0, len(names) - 1)
    one, u = cosines[:, None], torch.ones(1, 1, dtype=torch.float64)

    def probability(factor: float) -> float:
        return float((factor * (u @ one.T)[0]).softmax(0)[asked])

    if not 0.02 < probability(scale) < 0.98:
        return None
    return Draw(
        given={"cosines": Table(("cos",), names, [cosines.tolist()]), "scale": scale, "name": names[asked]},
        answer=probability(scale),
        mistakes={
            "unscaled": probability(1),
            "divided": probability(1 / scale),
            "shares": cosines[asked] / cosines.sum(),
        },
        steps={
            "powers": (scale * cosines).exp(),
            "scaled": float(scale * cosines[asked]),
            "own": float((scale * cosines[asked]).exp()),
            "cosine": float(cosines[asked]),
        },
    )


MAKERS = (Maker(draw_cosine), Maker(draw_loss), Maker(draw_recall), Maker(draw_named))
