"""The small pictures of the lessons on self-attention, each drawn by its lesson's own figure function."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.attention_scaling import scores_and_weights
from core.lesson.pictures import small
from core.models.attention_scaling import random_scores


def attention_scaling() -> go.Figure:
    """The spread of random scores of 64 dimensions, and one query's weights, with and without the root."""
    figure = small(scores_and_weights(random_scores(64).numpy(), 64))
    figure.layout.annotations = ()
    return figure
