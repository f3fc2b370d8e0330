"""Words placed on an axis as a table, each position and cosine with its numbers filled in."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.figures import worked
from core.lesson.every_number import every_number
from core.models.word_vectors.word_axis import Axis, Placement
from core.models.word_vectors.word_vectors import WordVectors


def placement_table(lesson: str, vectors: WordVectors, line: Axis, placements: Sequence[Placement]) -> None:
    """Show the words from the left end to the right one, under "Every number"."""
    table = pd.DataFrame([vars(placement) for placement in placements])
    table = table.sort_values("position", ignore_index=True)

    def formula(row: int, column: str) -> str | None:
        """Fill in a word's position on the axis, or its cosine with it."""
        word = table.word[row]
        if column == "position":
            return worked.projection(vectors[word], line.midpoint, line.direction, word)
        return worked.cosine(vectors[word], line.direction, word, "u") if column == "cosine" else None

    every_number(lesson, "positions", table, formula)
