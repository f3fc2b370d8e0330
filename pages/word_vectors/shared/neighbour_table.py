"""The words nearest to a vector as a table, each cosine and distance with its numbers filled in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures import worked
from core.lesson.lesson import Lesson
from core.models.word_vectors.word_vectors import Neighbour, WordVectors


def neighbour_table(
    lesson: Lesson,
    name: str,
    vectors: WordVectors,
    neighbours: Sequence[Neighbour],
    nearest_to: tuple[str, np.ndarray],
    **columns: str,
) -> None:
    """Show the neighbours of a vector, `nearest_to` = (what it is called, x), under "Every number"."""
    called, x = nearest_to

    def formula(row: int, column: str) -> str | None:
        filled = {"similarity": worked.write_cosine, "distance": worked.distance}.get(column)
        word = neighbours[row].word
        return filled and filled(x, vectors[word], called, word)

    lesson.every_number(
        name, lambda: (pd.DataFrame([vars(near) for near in neighbours]).assign(**columns), formula)
    )
