"""Backpropagation through time on a small network that reads the learner's word: by hand, and beside autograd."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.generation.sampling import shown
from core.figures.recurrent_models.gradient import (
    matrix,
    unrolled_figure,
    worked_back,
    worked_last,
    worked_weights,
)
from core.figures.worked import number
from core.lesson.break_it import consequence
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.recurrent_models.unrolled_word import Unrolled

WORD, AT_MOST = "hello", 12


def choose_word(lesson: str) -> str:
    """Draw the field for a word and return one of two to twelve characters, saying when the learner's is shorter."""
    word = st.text_input(
        "Word to read", WORD, max_chars=AT_MOST, key=f"{lesson}_word", bind="query-params", live=True
    )
    if len(word) < 2:
        st.info(
            f"A loss needs one character to read and one to foretell. Until there are two, this shows “{WORD}”."
        )
        return WORD
    return word[:AT_MOST]


def steps_back(read: Unrolled) -> list[str]:
    """Return the names of the steps: the loss, one step back after another, the sum."""
    middle = [f"from h{t + 1} back to h{t}" for t in range(read.T - 1, 0, -1)]
    return ["the loss reaches the last hidden state", *middle, "all steps add up in the gradient of W_h"]


def show_unrolled(lesson: str, read: Unrolled, step: int) -> None:
    """Draw the unrolled network with the way back up to a step."""
    reached = max(1, min(step + 1, read.T))
    show_figure(
        unrolled_figure(read.characters, read.target, read.norms, read.factor_norms, reached),
        f"{lesson}_unrolled",
        f"The network unrolled over {read.T} steps; the gradient has come back to h{read.T - reached + 1}",
    )


def formula_of(read: Unrolled, step: int) -> str:
    """Return the step's equation with its numbers."""
    if step == 0:
        return worked_last(
            read.E.numpy(),
            read.automatic.probabilities.numpy(),
            read.automatic.target,
            read.by_hand[-1].numpy(),
            [shown(token) for token in read.tokens],
        )
    if step == read.T:
        return worked_weights(read.parts.numpy())
    t = read.T - step  # counts from 0: the state that the gradient leaves
    hidden, gradients = read.automatic.hidden.numpy(), read.by_hand.numpy()
    return worked_back(read.W_h.numpy(), hidden[t], gradients[t], gradients[t - 1], t + 1)


def compare(read: Unrolled, step: int) -> None:
    """Say what autograd has for the gradient of this step."""
    if step == read.T:
        norm = read.parts.sum(0).norm().item()
        st.text(f"The length of ∂L/∂W_h: {norm:.4g}")
        return
    t = read.T - 1 - step
    automatic = read.automatic.hidden_gradients[t].numpy()
    difference = float(np.abs(automatic - read.by_hand[t].numpy()).max())
    st.latex(
        rf"\begin{{gathered}}\text{{autograd: }} {matrix(automatic)} \\ "
        rf"\text{{largest difference: }} {number(difference, 2)}\end{{gathered}}"
    )


def show_truncated(read: Unrolled, kept: int) -> None:
    """Show what is lost of the gradient of W_h when the way back stops after `kept` steps."""
    whole, part = read.parts.sum(0), read.parts[-kept:].sum(0)
    error = ((part - whole).norm() / whole.norm()).item() if whole.norm() else 0.0
    st.markdown(
        f"Only the last **{min(kept, read.T)}** of {read.T} steps add to the gradient of $W_h$; what the steps before "
        "did goes unpunished. This is **truncated** backpropagation, the usual way for long texts."
    )
    consequence("Error of ∂L/∂W_h, as a share of it", 0.0, error, ".1%", more_is_better=False)


def back_table(lesson: str, read: Unrolled) -> None:
    """Show every gradient by hand and by autograd, under "Every number"."""
    H = read.by_hand.shape[1]
    columns = {
        "step": np.arange(1, read.T + 1),
        "read": [shown(each) for each in read.characters],
        "norm of the factor": read.factor_norms,
        "norm by hand": read.norms,
    }
    for j in range(H):
        columns[f"by hand, unit {j}"] = read.by_hand[:, j].numpy()
        columns[f"autograd, unit {j}"] = read.automatic.hidden_gradients[:, j].numpy()

    def formula(row: int, column: str) -> str | None:
        """Fill in the step that gave this row's gradient."""
        if column == "norm of the factor":
            return (
                rf"\big\lVert W_h^\top \operatorname{{diag}}(1 - h_{{{row + 1}}}^2) \big\rVert_2 = \Big\lVert "
                rf"{matrix(read.factors[row].numpy())} \Big\rVert_2 = {number(read.factor_norms[row])}"
            )
        return formula_of(read, read.T - 1 - row) if "hand" in column or "autograd" in column else None

    every_number(lesson, "gradients", pd.DataFrame(columns), formula)
