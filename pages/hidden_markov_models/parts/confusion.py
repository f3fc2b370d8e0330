"""What the stored tagger mistakes for what, on text it was not counted on."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.hidden_markov_models.hmm import confusion_figure, worked_share
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.predict_first import predict_first
from core.models.stored import load_json


def confusions(lesson: str) -> None:
    """Draw the confusion matrix, after a guess if the learner wants one, and its numbers."""
    st.header("What does it mistake for what?", anchor=False)
    confusion, states = np.array(load_json("tagger", "confusion")), load_json("tagger", "states")
    wrong = confusion - np.diag(np.diag(confusion))
    mistaken = states[int(wrong[states.index("ADJ")].argmax())]
    question = "What does it most often mistake an adjective (ADJ) for?"
    if predict_first(lesson, question, ["NOUN", "VERB", "ADV", "DET"], mistaken):
        share = np.trace(confusion) / confusion.sum()
        show_figure(
            confusion_figure(confusion, states),
            f"{lesson}_confusion",
            f"Confusion matrix on held-out text; {share:.1%} of the words lie on the diagonal",
        )
        _numbers(lesson, confusion, states)


def _numbers(lesson: str, confusion: np.ndarray, states: list[str]) -> None:
    cells = [(i, j) for i in range(len(states)) for j in range(len(states)) if confusion[i, j]]
    table = pd.DataFrame(
        [
            {
                "true": states[i],
                "given": states[j],
                "words": int(confusion[i, j]),
                "share of the true tag": confusion[i, j] / confusion[i].sum(),
            }
            for i, j in cells
        ]
    )

    def formula(row: int, column: str) -> str | None:
        """Divide a cell of the confusion matrix by its row's total."""
        return worked_share(confusion, states, *cells[row]) if column.startswith("share") else None

    every_number(lesson, "confusion matrix", table, formula)
