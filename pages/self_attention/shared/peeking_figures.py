"""The losses of two small GPTs, one of which could see its answers while it was trained: what two stories show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.palette import BLUE, GREY, VERMILLION
from core.models.self_attention.fit_peeking import PeekProgress

LOW = 0.3  # a loss below which a label has no room below its line


def draw_training(reports: Sequence[PeekProgress], names: Mapping[str, str]) -> Figure:
    """Return the losses of a model that was trained with a leak, and of one that was not, by step.

    `names` holds the labels "training", "honest", "masked", "x" and "y".
    """
    figure = blank(420, names["x"], names["y"])
    steps = [each.step for each in reports]
    lines = {  # the losses, the colour, the width, and whether the label stands below the line's end
        "masked": ([each.honest.honest_loss for each in reports], GREY, 4, True),
        "training": ([each.peeking.training_loss for each in reports], BLUE, 6, True),
        "honest": ([each.peeking.honest_loss for each in reports], VERMILLION, 6, False),
    }
    for name, (losses, colour, width, below) in lines.items():
        line = {"color": colour, "width": width}
        figure.add_trace(scatter(x=steps, y=losses, mode="lines", line=line, showlegend=False))
        figure.add_annotation(
            x=steps[-1],
            y=losses[-1],
            text=f"{names[name]} <b>{losses[-1]:.2f}</b>",
            font={"size": 17},
            showarrow=False,
            xanchor="right",
            yanchor="top" if below and losses[-1] > LOW else "bottom",
            yshift=-4 if below and losses[-1] > LOW else 8,
        )
    figure.update_xaxes(range=[0, steps[-1] * 1.01])
    return figure.update_yaxes(range=[0, 4.6])
