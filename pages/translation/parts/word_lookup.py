"""What a soft look-up among words returns, and every number of it: by distance and by dot product, side by side."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.translation.vector_lookup import worked_vector_lookup
from core.lesson.every_number import every_number
from core.models.translation.kernel_smoothing import Lookup
from core.models.word_vectors.word_vectors import WordVectors
from pages.translation.parts.word_entries import WordEntries

NEAREST = 4


def show_results(entries: WordEntries, vectors: WordVectors, found: dict[str, Lookup]) -> None:
    """Show the result of each look-up: a number, or the words whose vectors are nearest to the mean vector."""
    for column, (name, lookup) in zip(st.columns(len(found)), found.items(), strict=True):
        if entries.numbers:
            column.metric(f"Result {name}", f"{float(lookup.result):.4f}")
            continue
        near = vectors.neighbours(lookup.result, NEAREST)
        column.metric(f"Nearest word to the result {name}", near[0].word)
        column.text(", ".join(f"{each.word} {each.similarity:.4f}" for each in near))


def word_lookup_table(lesson: str, entries: WordEntries, bandwidth: float, near: Lookup, dot: Lookup) -> None:
    """Show a row for each key: its length, product and distance with the query, and both weights."""
    q, K = entries.query, entries.keys
    table = pd.DataFrame(
        {
            "key": entries.words,
            "value": entries.named,
            "|k|": np.linalg.norm(K, axis=1),
            "|q − k|²": ((q - K) ** 2).sum(1),
            "−|q − k|² / 2b²": near.scores,
            "a by distance": near.weights,
            "q · k": K @ q,
            "q · k / b²": dot.scores,
            "a by dot product": dot.weights,
        }
    )
    if entries.numbers:
        table["a · v"] = dot.weights * entries.values

    def formula(row: int, column: str) -> str | None:
        """Fill in the formula of one number."""
        return worked_vector_lookup(
            q, K, entries.values, entries.asked, entries.words, bandwidth, near, dot, row, column
        )

    every_number(lesson, "both look-ups", table, formula)
