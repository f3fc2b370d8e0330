"""A word's neighbours as bars; those that another set shares are filled."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, VERMILLION
from core.figures.word_vectors import WORDS
from core.models.word_vectors.word_vectors import Neighbour


def neighbour_bars(
    neighbours: Sequence[Neighbour],
    shared: set[str],
    colour_name: str,
    metric: str = "cosine",
    height: int = 380,
) -> Figure:
    """Return a word's neighbours as bars, nearest on top; words in `shared` are filled, others outlined."""
    values = [near.similarity if metric == "cosine" else near.distance for near in neighbours]
    colour = {"first": BLUE, "second": VERMILLION}[colour_name]
    figure = blank(height, WORDS.label(f"vector_duel.{metric}"))
    figure.add_trace(
        bar(
            x=values,
            y=[near.word for near in neighbours],
            orientation="h",
            marker={
                "color": [colour if near.word in shared else "rgba(0,0,0,0)" for near in neighbours],
                "line": {"color": colour, "width": 2},
            },
            hovertemplate="%{y}: %{x:.4f}<extra></extra>",
            showlegend=False,
        )
    )
    figure.update_yaxes(autorange="reversed", type="category")
    return figure
