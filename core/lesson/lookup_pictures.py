"""The small pictures of the lessons on looking up softly, each drawn by its lesson's own figure function."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.soft_lookup import curves_figure
from core.lesson.lookup_points import TEMPERATURES
from core.lesson.pictures import small
from core.text.entries import read_points


def soft_lookup() -> go.Figure:
    """Six points and the curves of three kernels."""
    return small(curves_figure(*read_points(TEMPERATURES), bandwidth=1.5))
