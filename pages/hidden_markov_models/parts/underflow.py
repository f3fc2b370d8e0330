"""Why logarithms: the same lattice of products in 64 and 32 bits, and the word at which its scores become nought."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.figures.hidden_markov_models.hmm import best_scores_figure
from core.lesson.figure import show_figure
from core.models.hidden_markov_models.hmm import Decoded, underflow


def why_logarithms(lesson: str, decoded: Decoded, words: Sequence[str]) -> None:
    """Draw each word's best score as logarithms keep it and as products lose it."""
    st.header("Why logarithms?", anchor=False)
    st.markdown(
        "Every word multiplies the score by numbers below 1. A computer's number cannot be arbitrarily small: below "
        "its limit it becomes 0, every candidate ties at 0, and the path is lost. Sums of logarithms never get there."
    )
    rounded = {
        "products, 64 bits": underflow(decoded.model, words),
        "products, 32 bits": underflow(decoded.model, words, np.float32),
    }
    ends = {
        name: "never 0" if lattice.underflow is None else f"0 from word {lattice.underflow + 1}"
        for name, lattice in rounded.items()
    }
    show_figure(
        best_scores_figure(decoded.viterbi, rounded),
        f"{lesson}_underflow",
        "Best score of each word; " + "; ".join(f"{name}: {end}" for name, end in ends.items()),
    )
