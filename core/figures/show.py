"""A figure in a notebook: the course's figures are plain data, and plotly draws them."""

from __future__ import annotations

from core.figures.figure import Figure


def draw(figure: Figure):
    """Return one of the course's figures as a plotly figure, which a notebook shows."""
    import plotly.graph_objects as go

    return go.Figure(figure.to_dict())
