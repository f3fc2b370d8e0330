"""Causal masking: a story of one sentence and one head, and a lab for any scores and any mask."""

from math import inf, nan

import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.causal_mask import matrix_figure
from core.lesson.lesson import Lesson
from core.models.self_attention.attention import average_of_the_past

LESSON = Lesson(__name__, icon="eye-off")


def picture() -> Figure:
    """Three characters and no scores: each row shares its weight among those it may see."""
    trace = average_of_the_past(torch.zeros(3, 1))
    weights = trace.weights.masked_fill(trace.masked == -inf, nan).double().numpy()
    return small(matrix_figure(weights, ["c", "a", "t"]))
