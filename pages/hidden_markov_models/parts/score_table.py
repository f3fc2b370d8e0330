"""Every number of a lattice: each cell's score, where it came from, and its formula filled in."""

from __future__ import annotations

import math

import pandas as pd

from core.figures.hidden_markov_models.hmm import worked_cell
from core.lesson.every_number import every_number
from core.models.hidden_markov_models.hmm import Decoded


def score_table(lesson: str, decoded: Decoded, first: int, most: int) -> None:
    """Show the cells of up to `most` words from word `first` on, under "Every number"."""
    words, states, lattice = decoded.emissions.words, decoded.model.states, decoded.viterbi
    rows = [
        {
            "place": t + 1,
            "word": words[t],
            "state": state,
            "ln score": float(lattice.scores[t, j]),
            "score": f"{math.exp(lattice.scores[t, j]):.6g}",
            "came from": states[lattice.backpointers[t, j]] if t else "",
            "on the best path": lattice.path[t] == j,
        }
        for t in range(first, min(first + most, len(words)))
        for j, state in enumerate(states)
    ]

    def formula(row: int, column: str) -> str | None:
        """Fill in the score of a cell."""
        t, j = divmod(row, len(states))
        return worked_cell(decoded, first + t, j, column == "score") if "score" in column else None

    every_number(lesson, "scores", pd.DataFrame(rows), formula)
