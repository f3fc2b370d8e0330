"""Words at their places on an axis, with the places of all words behind them: the still of card and notebook."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.palette import BLUE, GREY, VERMILLION, faded
from core.figures.word_vectors import WORDS
from core.models.word_vectors.word_axis import Axis, AxisSpread, Placement

BINS = 60
LEAST_REACH = 3  # standard deviations; a wider picture where a word lies further out


def axis_figure(
    axis: Axis,
    spread: AxisSpread,
    placements: Sequence[Placement],
    ends: Sequence[Placement],
    height: int = 500,
) -> Figure:
    """Return words as bars along an axis, in order, in standard deviations from the mean of all words.

    Behind them stands how many of all words lie where (`spread`); the words of both ends are diamonds below.
    """
    ranked = sorted(placements, key=lambda placement: placement.standard)
    left, right = ", ".join(axis.negative), ", ".join(axis.positive)
    figure = blank(height, WORDS.label("axis.title", left=left, right=right))
    widest = 1.25 * max(2.0, *(abs(placement.standard) for placement in (*placements, *ends)))
    all_words(figure, spread, widest, len(ranked))
    halfway = float(spread.standard(0.0))
    figure.add_vline(x=0, line={"color": GREY})
    figure.add_vline(x=halfway, line={"color": GREY, "dash": "dot"})
    figure.add_annotation(
        x=halfway, y=len(ranked), text=WORDS.label("axis.halfway"), showarrow=False, xanchor="left"
    )
    figure.add_trace(
        bar(
            x=[placement.standard for placement in ranked],
            orientation="h",
            marker={"color": [VERMILLION if placement.standard < 0 else BLUE for placement in ranked]},
            text=[placement.word for placement in ranked],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{text}: %{x:.3f}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_trace(
        scatter(
            x=[end.standard for end in ends],
            y=[-1.2] * len(ends),
            mode="markers",
            marker={"symbol": "diamond", "size": 10, "color": GREY},
            text=[end.word for end in ends],
            hovertemplate="%{text}: %{x:.3f}<extra></extra>",
            name=WORDS.label("axis.ends"),
            showlegend=bool(ends),
        )
    )
    figure.update_xaxes(range=[-widest, widest])
    figure.update_yaxes(visible=False)
    return figure


def all_words(figure: Figure, spread: AxisSpread, widest: float, tall: int) -> None:
    """Draw behind the bars how many of all words lie where, as high as the bars reach together."""
    standard = spread.standard(spread.positions)
    counts, edges = np.histogram(standard, BINS, (-widest, widest))
    figure.add_trace(
        scatter(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts / counts.max() * tall - 0.5,
            customdata=counts,
            mode="lines",
            line={"color": faded(GREY, 0.5), "shape": "hvh"},
            fill="tozeroy",
            fillcolor=faded(GREY, 0.18),
            hovertemplate=f"{WORDS.label('axis.near')}<extra></extra>",
            name=WORDS.label("axis.all", n=len(standard)),
        )
    )
