"""Exercises on contextual embeddings: a cosine of two uses, nearest uses of the same sense, and what chance gets."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.pretraining.uses import cosines, right_by_nearest

NAMES = ("u₁", "u₂", "u₃", "u₄", "u₅", "u₆", "u₇")
SENSES = ("A", "B")


def draw_cosine(draws: Draws, difficulty: int) -> Draw | None:
    """The cosine of two uses; mistakes: the dot product, divide by one length only, divide by squared lengths."""
    most = difficulty + 2
    vectors = np.array([[draws.integer(-most, most) for _ in range(difficulty + 1)] for _ in range(2)], float)
    dot, lengths = float(vectors[0] @ vectors[1]), np.linalg.norm(vectors, axis=1)
    if not lengths.all() or not 0.05 < abs(found := float(cosines(vectors)[0, 1])) < 0.98:
        return None
    return Draw(
        given={"a": vectors[0], "b": vectors[1]},
        answer=found,
        mistakes={
            "dot": dot,
            "one_length": dot / float(lengths[0]),
            "squares": dot / float((lengths**2).prod()),
        },
        steps={
            "products": vectors.prod(axis=0),
            "dot": dot,
            "squared": (vectors**2).sum(axis=1),
            "lengths": lengths,
        },
    )


def draw_nearest(draws: Draws, difficulty: int) -> Draw | None:
    """Uses whose nearest has their sense; mistakes: let a use be its own nearest, take the least, compare the means."""
    n = difficulty + 3
    senses = draws.shuffle([SENSES[i % 2] for i in range(n)])
    similarity = np.eye(n)
    pairs = [(i, j) for i in range(n) for j in range(i)]
    values = draws.sample(range(30, 95), len(pairs))  # all different, so that no two are equally near
    for (i, j), value in zip(pairs, values, strict=True):
        similarity[i, j] = similarity[j, i] = value / 100
    alike = (np.array(senses)[:, None] == np.array(senses)) & ~np.eye(n, dtype=bool)
    apart = np.array(senses)[:, None] != np.array(senses)
    means = [np.where(kind, similarity, 0).sum(axis=1) / kind.sum(axis=1).clip(1) for kind in (alike, apart)]
    right = right_by_nearest(similarity, senses)
    others = similarity - 2 * np.eye(n)
    nearest = others.argmax(axis=1)
    return Draw(
        given={
            "uses": Table(
                [f"{name} ({sense})" for name, sense in zip(NAMES, senses, strict=False)],
                NAMES[:n],
                similarity.round(2).tolist(),
            )
        },
        answer=int(right.sum()),
        mistakes={
            "itself": int(sum(senses[i] == senses[int(similarity[i].argmax())] for i in range(n))),
            "least": int(right_by_nearest(-similarity, senses).sum()),
            "means": int((means[0] > means[1]).sum()),
        },
        steps={
            "n": n,
            "found": [
                (NAMES[i], senses[i], NAMES[j], senses[j], float(similarity[i, j]))
                for i, j in enumerate(nearest)
            ],
        },
    )


def draw_chance(draws: Draws, difficulty: int) -> Draw | None:
    """What equal vectors get right; mistakes: let a use find itself, give the share, always name the larger sense."""
    sizes = [draws.integer(2, 3 * difficulty + 3) for _ in range(2 if difficulty < 3 else 3)]
    n = sum(sizes)
    senses = [sense for sense, size in enumerate(sizes) for _ in range(size)]
    right = right_by_nearest(np.ones((n, n)), senses)
    own = (np.array(senses)[:, None] == np.array(senses)).mean(axis=1)
    return Draw(
        given={"sizes": sizes, "n": n},
        answer=float(right.sum()),
        mistakes={
            "itself": float(own.sum()),
            "share": float(right.mean()),
            "larger": float(max(sizes)),
        },
        steps={
            "others": n - 1,
            "each": [float(right[senses.index(sense)]) for sense in range(len(sizes))],
        },
        digits=2,
    )


MAKERS = (Maker(draw_cosine), Maker(draw_nearest), Maker(draw_chance))
