"""Two sets of vectors on the same words: whose neighbours are shared, and how similarities compare."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.palette import BLUE, VERMILLION
from core.models.word_vectors.word_vectors import Neighbour

PAIRS_AT_MOST = 1000  # points


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
    figure = blank(height, "cosine similarity" if metric == "cosine" else "Euclidean distance")
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


def similarity_scatter(
    pairs: Sequence[tuple[str, str]], first: Sequence[float], second: Sequence[float], names: tuple[str, str]
) -> Figure:
    """Return one point a word pair: its cosine in the first set across, in the second set up.

    Of many pairs so many are drawn, spread evenly over them: each has its name and its place to be sent.
    """
    chosen = np.linspace(0, len(pairs) - 1, min(len(pairs), PAIRS_AT_MOST)).round().astype(int)
    pairs = [pairs[i] for i in chosen]
    first, second = (np.float32(values)[chosen] for values in (first, second))
    figure = blank(420, f"cosine in {names[0]}", f"cosine in {names[1]}")
    figure.add_trace(
        scatter(
            x=first,
            y=second,
            mode="markers",
            marker={"color": BLUE, "size": 6, "opacity": 0.5},
            text=[f"{one} – {other}" for one, other in pairs],
            hovertemplate="%{text}: %{x:.3f}, %{y:.3f}<extra></extra>",
            showlegend=False,
        )
    )
    low, high = float(np.min([first, second])), float(np.max([first, second]))
    figure.add_shape(type="line", x0=low, y0=low, x1=high, y1=high, line={"color": VERMILLION, "dash": "dot"})
    return figure
