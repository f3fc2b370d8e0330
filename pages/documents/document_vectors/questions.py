"""Exercises on document vectors: tf-idf, the cosine, and which document a search finds first."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.documents.document_vectors import Parts, cosine_terms, divided_by_length
from core.models.documents.nearest_documents import products
from core.models.documents.tf_idf import document_frequencies, inverse_document_frequencies, tf_idf

WORDS = ("the", "king", "skull", "sea", "storm", "crown")
SUBSCRIPTS = "₁₂₃₄₅"


def names(count: int) -> list[str]:
    """Return documents' names."""
    return [f"d{SUBSCRIPTS[i]}" for i in range(count)]


def draw_counts(draws: Draws, documents: int, words: int, most: int = 4) -> np.ndarray:
    """Return counts (N, V): the first word is in every document, the others in some."""
    rows = [
        [draws.integer(1, most), *(draws.choose((0, 0, 1, 2, most)) for _ in range(words - 1))]
        for _ in range(documents)
    ]
    return np.array(rows, dtype=float)


def draw_weight(draws: Draws, difficulty: int) -> Draw | None:
    """tf-idf of a word in a document; mistakes: no 1 behind the logarithm, count uses, no smoothing, idf alone."""
    N, V = 2 + difficulty, 2 + difficulty
    counts = draw_counts(draws, N, V)
    d, w = draws.integer(0, N - 1), draws.integer(1, V - 1)
    X = csr_matrix(counts)
    df, n = int(document_frequencies(X)[w]), counts[d, w]
    uses = int(counts[:, w].sum())
    idf = float(inverse_document_frequencies(np.array([df]), N)[0])
    if n < 2 or df == N:
        return None
    return Draw(
        given={
            "counts": Table(names(N), WORDS[:V], counts.astype(int), "c(w, d)"),
            "word": WORDS[w],
            "document": names(N)[d],
        },
        answer=tf_idf(X)[d, w],
        mistakes={
            "one": n * (idf - 1),
            "uses": n * float(inverse_document_frequencies(np.array([uses]), N)[0]),
            "unsmoothed": n * (np.log(N / df) + 1),
            "alone": idf,
        },
        steps={"N": N, "df": df, "uses": uses, "n": int(n), "idf": idf},
        digits=2,
    )


def draw_cosine(draws: Draws, difficulty: int) -> Draw | None:
    """The cosine of two documents; mistakes: the dot product, one length only, lengths not rooted, each word once."""
    V = difficulty + 2
    X = draw_counts(draws, 2, V)
    x, y = (Parts(WORDS[:V], row, np.diag(row)) for row in X)
    once = [Parts(WORDS[:V], np.minimum(row, 1), np.diag(np.minimum(row, 1))) for row in X]
    product = float(x.vector @ y.vector)
    cosine = float(cosine_terms(x, y.vector).sum())
    if product == 0 or cosine > 0.97:
        return None
    return Draw(
        given={"counts": Table(("x", "y"), WORDS[:V], X.astype(int))},
        answer=cosine,
        mistakes={
            "product": float(cosine_terms(x, y.vector, divide=False).sum()),
            "half": product / x.length,
            "squares": product / (x.length * y.length) ** 2,
            "once": float(cosine_terms(once[0], once[1].vector).sum()),
        },
        steps={
            "products": (X[0] * X[1]).astype(int),
            "dot": int(product),
            "squared": [int((row**2).sum()) for row in X],
            "lengths": [x.length, y.length],
        },
    )


def draw_first(draws: Draws, difficulty: int) -> Draw | None:
    """The document a search finds first; mistakes: the dot product, the smallest distance."""
    N, V = 2 + difficulty, 3 + difficulty // 2
    ranges = [((2, 5), (0, 2)), ((4, 9), (4, 9)), ((0, 1), (0, 1)), ((0, 3), (0, 6)), ((0, 3), (0, 6))]
    query = np.array([0.0, 1.0, *(float(draws.integer(0, 1)) for _ in range(V - 2))])
    X = np.array(
        [
            [draws.integer(*(asked if each else other)) for each in query]
            for asked, other in draws.shuffle(ranges[:N])
        ],
        dtype=float,
    )
    rows = csr_matrix(X)
    found = {
        "answer": products(divided_by_length(rows), query),
        "dot": products(rows, query),
        "distance": -np.linalg.norm(X - query, axis=1),
    }
    if not X.any(axis=1).all():
        return None
    if any(np.sort(each)[-1] - np.sort(each)[-2] < 0.02 for each in found.values()):
        return None
    best = {name: int(each.argmax()) for name, each in found.items()}
    length = float(np.linalg.norm(query))
    return Draw(
        given={
            "counts": Table(names(N), WORDS[:V], X.astype(int), "c(w, d)"),
            "query": [word for word, asked in zip(WORDS, query, strict=False) if asked],
        },
        answer=names(N)[best["answer"]],
        mistakes={name: names(N)[best[name]] for name in ("dot", "distance")},
        steps={
            "rows": [
                (name, int(dot), float(np.linalg.norm(row)), float(cosine) / length)
                for name, dot, row, cosine in zip(names(N), found["dot"], X, found["answer"], strict=True)
            ],
            "length": length,
            "most": int(found["dot"].max()),
            "most_cosine": float(found["answer"][best["dot"]]) / length,
            "nearest": -float(found["distance"].max()),
            "nearest_cosine": float(found["answer"][best["distance"]]) / length,
            "best_cosine": float(found["answer"].max()) / length,
        },
    )


MAKERS = (Maker(draw_weight), Maker(draw_cosine), Maker(draw_first))
