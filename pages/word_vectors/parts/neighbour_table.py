"""The words nearest to a vector as a table, each cosine and distance with its numbers filled in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures import worked
from core.lesson.every_number import every_number
from core.models.word_vectors.word_vectors import Neighbour, WordVectors


def neighbour_table(
    lesson: str,
    name: str,
    vectors: WordVectors,
    neighbours: Sequence[Neighbour],
    nearest_to: tuple[str, np.ndarray],
    **columns: str,
) -> None:
    """Show the neighbours of a vector, `nearest_to` = (what it is called, x), under "Every number"."""
    called, x = nearest_to

    def formula(row: int, column: str) -> str | None:
        """Fill in the cosine or the distance of one neighbour."""
        filled = {"similarity": worked.cosine, "distance": worked.distance}.get(column)
        word = neighbours[row].word
        return filled and filled(x, vectors[word], called, word)

    every_number(lesson, name, pd.DataFrame([vars(near) for near in neighbours]).assign(**columns), formula)
