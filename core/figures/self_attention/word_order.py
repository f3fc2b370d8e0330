"""How far a shuffle moves each output, and positions themselves: pure functions, numbers in, figure out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar, heatmap
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import DIVERGING, GREY, VERMILLION
from core.figures.self_attention import WORDS
from core.figures.self_attention.heads import names_of

DRAWN = 128  # positions along an axis at most: a screen's pixels tell no more
NUMBERED = 24  # tokens up to which each bar has its number
LEAST_SCALE = 0.75  # the scale of the bars reaches at least so far, so that they can be compared
DEEPEST = 0.98  # the share of numbers up to which a heat map's colours go


def moved_tokens(moved: np.ndarray, tokens: Sequence[str], axis: str = "", height: int = 330) -> Figure:
    """Return how far each token's output moved, as a share of its length, as bars; a few have their numbers."""
    figure = blank(height, y=axis)
    texts = [f"{each:.0%}" for each in moved] if len(moved) <= NUMBERED else None
    figure.add_trace(bar(x=list(range(len(tokens))), y=moved, marker_color=VERMILLION, text=texts))
    names = [escape_label(name) for name in names_of(tokens)]
    hover = "%{customdata}: %{y:.2%}<extra></extra>"
    figure.update_traces(customdata=names, hovertemplate=hover, textposition="outside")
    figure.update_xaxes(tickvals=list(range(len(tokens))), ticktext=names, tickangle=-60)
    most = max(LEAST_SCALE, 1.15 * float(max(moved)))
    return figure.update_yaxes(tickformat=".0%", rangemode="tozero", range=[0, most])


def every_so_many(T: int) -> tuple[int, str]:
    """Return every which of T positions is drawn, at most DRAWN of them, and what an axis of them is called.

    >>> every_so_many(128), every_so_many(300)
    ((1, 'position'), (3, 'position (every 3rd)'))
    """
    step = -(-T // DRAWN)
    return step, WORDS.label("word_order.position", step=step)


def position_heatmap(positions: np.ndarray, marked: int, height: int = 360) -> Figure:
    """Return positions (T, C) as a heat map: a row a position, a column a dimension, one row marked.

    The deepest colour is that of all but the largest numbers, so that one long row does not leave the others pale.
    """
    step, name = every_so_many(len(positions))
    figure = blank(height, WORDS.label("word_order.dimension"), name)
    most = float(np.quantile(np.abs(positions), DEEPEST)) or float(np.abs(positions).max()) or 1.0
    figure.add_trace(
        heatmap(
            z=positions[::step].astype(np.float32),
            dy=step,
            colorscale=DIVERGING,
            zmin=-most,
            zmax=most,
            colorbar={"title": WORDS.label("word_order.number"), "thickness": 12, "nticks": 5},
            name=WORDS.label("word_order.number"),
            hovertemplate=WORDS.label("word_order.hover") + "<extra></extra>",
        )
    )
    figure.add_hline(y=marked, line={"color": GREY, "width": 2})
    return from_above(figure)


def from_above(figure: Figure) -> Figure:
    """Return a heat map with its first row on top, and room above it for the row's number."""
    figure.update_layout(margin={"t": 16})
    return figure.update_yaxes(autorange="reversed", ticklabeloverflow="allow")
