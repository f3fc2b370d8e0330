"""Exercises on word embeddings: a cosine, the nearest word, and what a map keeps."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.word_vectors.projection import project
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.shared.small_vectors import show_vectors

WORDS = ("king", "queen", "bread", "apple", "cow", "spain")


def draw_vectors(draws: Draws, words: int, d: int, most: int = 4) -> WordVectors | None:
    """Return words with vectors of whole numbers, None where one is all 0."""
    X = np.array(draws.integers(-most, most, words, d), dtype=float)
    return WordVectors(list(draws.sample(WORDS, words)), X) if X.any(axis=1).all() else None


def draw_cosine(draws: Draws, difficulty: int) -> Draw | None:
    """A cosine; mistakes: the dot product, one length only, lengths not rooted, signs left out."""
    vectors = draw_vectors(draws, 2, difficulty + 1)
    if vectors is None:
        return None
    x, y = vectors.vectors.astype(float)
    dot, lengths = float(x @ y), np.linalg.norm([x, y], axis=1)
    positive = WordVectors(vectors.words, abs(vectors.vectors))
    if dot == 0 or lengths.min() == 1:
        return None
    return Draw(
        given={"vectors": show_vectors(vectors), "one": vectors.words[0], "other": vectors.words[1]},
        answer=float(vectors.similarity(*vectors.words)),
        mistakes={
            "product": dot,
            "half": dot / lengths[0],
            "squares": dot / (lengths**2).prod(),
            "signs": float(positive.similarity(*vectors.words)),
        },
        steps={
            "products": (x * y).astype(int),
            "dot": int(dot),
            "squared": (lengths.round(6) ** 2).round().astype(int),
            "lengths": lengths,
        },
    )


def draw_nearest(draws: Draws, difficulty: int) -> Draw | None:
    """The nearest word by cosine; mistakes: the largest dot product, the smallest distance."""
    d = 2 if difficulty < 3 else 3
    half = np.array([draws.integer(-3, 3) for _ in range(d)], dtype=float)
    x, beside, aside = (
        2 * half + [draws.integer(-1, 1) for _ in range(d)],
        2 * half + [draws.integer(-2, 2) for _ in range(d)],
        3 * half + [draws.integer(-5, 5) for _ in range(d)],
    )
    more = [np.array([float(draws.integer(-6, 6)) for _ in range(d)]) for _ in range(difficulty - 1)]
    shown = draws.shuffle((half, beside, aside, *more))
    if not all(each.any() for each in (x, *shown)):
        return None
    asked, *rest = draws.sample(WORDS, len(shown) + 1)
    vectors = WordVectors([asked, *rest], np.array([x, *shown]))
    others = vectors.vectors[1:].astype(float)
    cosines = np.array([vectors.similarity(asked, word) for word in rest])
    dots, distances = others @ x, np.linalg.norm(others - x, axis=1)
    if any(np.diff(np.sort(each))[-1] < 0.02 for each in (cosines, dots, -distances)):
        return None
    by_dot, by_distance = int(dots.argmax()), int(distances.argmin())
    return Draw(
        given={"vectors": show_vectors(vectors), "asked": asked},
        answer=vectors.neighbours(asked, 1)[0].word,
        mistakes={"product": rest[by_dot], "distance": rest[by_distance]},
        steps={
            "cosines": list(zip(rest, cosines.tolist(), strict=True)),
            "best": float(cosines.max()),
            "dot": int(dots[by_dot]),
            "dot_cosine": float(cosines[by_dot]),
            "apart": float(distances[by_distance]),
            "apart_cosine": float(cosines[by_distance]),
        },
    )


def draw_kept(draws: Draws, difficulty: int) -> Draw | None:
    """The share of variance that a map keeps; mistakes: the first component, standard deviations, compare with the rest."""
    d = difficulty + 2
    spread = sorted((draws.integer(1, 9) for _ in range(d)), reverse=True)
    corners = np.array([sign * np.eye(d)[i] * spread[i] for i in range(d) for sign in (1, -1)])
    found = project(corners, 2)
    variances = np.array(spread, dtype=float) ** 2
    if len(set(spread)) < d:
        return None
    return Draw(
        given={"variances": Table(("s²",), [f"w{'₁₂₃₄₅'[i]}" for i in range(d)], [variances.astype(int)])},
        answer=float(found.variance_kept),
        mistakes={
            "first": float(project(corners, 1).variance_kept),
            "deviations": sum(spread[:2]) / sum(spread),
            "rest": 1 / (1 / float(found.variance_kept) - 1),
        },
        steps={
            "two": variances[:2].astype(int),
            "total": int(variances.sum()),
            "sum_": int(variances[:2].sum()),
            "roots": spread[:2],
        },
    )


MAKERS = (Maker(draw_cosine), Maker(draw_nearest), Maker(draw_kept))
