"""Vanishing and exploding gradients: a story of what arrives sixty steps back, and a lab on random and trained networks."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.recurrent_models.gradient import flow_figure
from core.lesson.lesson import Lesson
from core.models.recurrent_models.gradient_flow import gradient_flow

LESSON = Lesson(__name__, icon="microscope")


def picture() -> Figure:
    """What reaches 30 steps back in a random RNN and in an LSTM."""
    rnn, lstm = (gradient_flow(cell, 0.8, 30, width=16) for cell in ("rnn", "lstm"))
    norms = {"RNN, h": rnn.hidden_norms, "LSTM, c": lstm.cell_norms}
    return small(flow_figure({name: each.flip(0).numpy()[None] for name, each in norms.items()}))
