"""The size of the small picture on a lesson's card."""

from __future__ import annotations

from core.figures.figure import Figure

HEIGHT = 190
NUMBERS = 13  # pixels of the numbers at bars


def card(figure: Figure) -> Figure:
    """Return a figure at the size of a card; the labels of its axes stay."""
    figure.update_layout(height=HEIGHT, showlegend=False, margin={"l": 4, "r": 4, "t": 4, "b": 4})
    figure.update_xaxes(tickfont={"size": 13})
    figure.update_yaxes(tickfont={"size": 13})
    return figure


def small(figure: Figure) -> Figure:
    """Return the figure at the size of a card, without axes' titles and legend."""
    figure.update_layout(
        height=HEIGHT, showlegend=False, font={"size": 12}, margin={"l": 4, "r": 4, "t": 4, "b": 4}
    )
    for each in figure.select_traces({"type": "bar"}):
        if each.textfont:
            each.textfont["size"] = NUMBERS
    figure.update_xaxes(title="", showticklabels=False)
    figure.update_yaxes(title="", showticklabels=False)
    return figure
