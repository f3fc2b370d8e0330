"""Word vectors of a few whole numbers for exercises: shown as a table, and the cosine of two."""

from __future__ import annotations

import numpy as np

from core.exercises.maker import Table
from core.models.word_vectors.word_vectors import WordVectors

SUBSCRIPTS = "₁₂₃₄₅"


def show_vectors(vectors: WordVectors) -> Table:
    """Return the vectors as a table, a word a row."""
    columns = [f"x{SUBSCRIPTS[i]}" for i in range(vectors.dimension)]
    return Table(vectors.words, columns, vectors.vectors.astype(int))


def cosine_of(x: np.ndarray, y: np.ndarray) -> float:
    """Return the cosine of two vectors.

    >>> cosine_of(np.array([3, 4]), np.array([6, 8]))
    1.0
    """
    return float(WordVectors(["x", "y"], np.array([x, y], dtype=float)).similarity("x", "y"))
