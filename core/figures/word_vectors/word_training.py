"""Pictures of training word vectors: the window on a sentence, the loss, and the map as it forms."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter
from core.figures.palette import BLUE, GREEN, GREY, VERMILLION, faded
from core.figures.word_vectors.word_map import NAMES_AT_MOST, map_frame, points
from core.models.word_vectors.projection import project
from core.models.word_vectors.training_progress import Progress

AROUND = 7  # words shown to either side of the window's centre


def window_figure(
    tokens: Sequence[str],
    centre: int,
    contexts: Sequence[int],
    left_out: Container[int] = (),
    height: int = 190,
) -> Figure:
    """Return a text with an arc from its centre word to each word of the window; words left out in parentheses."""
    first, last = max(0, centre - AROUND), min(len(tokens), centre + AROUND + 1)
    figure = blank(height)
    for context in contexts:
        left, right = sorted((centre, context))
        bend = 0.25 + 0.16 * (right - left)
        path = f"M {left} 0.12 C {left} {bend}, {right} {bend}, {right} 0.12"
        figure.add_shape(type="path", path=path, line={"color": VERMILLION, "width": 2.5})
    shown = range(first, last)
    colours = {centre: GREEN, **dict.fromkeys(contexts, VERMILLION)}
    figure.add_trace(
        scatter(
            x=list(shown),
            y=[0] * len(shown),
            mode="text",
            text=[f"({tokens[place]})" if place in left_out else tokens[place] for place in shown],
            textfont={"color": [colours.get(place, GREY) for place in shown], "size": FONT_SIZE + 3},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.update_xaxes(visible=False, range=[first - 0.7, last - 0.3])
    figure.update_yaxes(visible=False, range=[-0.2, 1.1])
    return figure


def loss_curve(steps: Sequence[float], losses: Sequence[float], unit: str, height: int = 220) -> Figure:
    """Return the training loss against the work done, given in `unit`."""
    figure = blank(height, unit, "loss")
    figure.add_trace(
        scatter(
            x=list(steps), y=list(losses), mode="lines", line={"color": BLUE, "width": 2.5}, showlegend=False
        )
    )
    return figure


def cosine_spread(spreads: Mapping[str, np.ndarray], height: int = 300) -> Figure:
    """Return for each named training how the cosines of its pairs of words are spread, as shares of all pairs."""
    figure = blank(height, "cosine of two words", "share of pairs")
    for (name, cosines), colour in zip(spreads.items(), (BLUE, VERMILLION), strict=False):
        counts, edges = np.histogram(cosines, 50, (-1, 1))
        figure.add_trace(
            bar(
                x=(edges[:-1] + edges[1:]) / 2,
                y=counts / max(1, len(cosines)),
                marker={"color": faded(colour, 0.6)},
                name=name,
                hovertemplate="%{y:.1%} near %{x:.2f}<extra></extra>",
            )
        )
    figure.update_layout(barmode="overlay", bargap=0)
    figure.update_yaxes(tickformat=".0%")
    return figure


def replay(words: Sequence[str], shots: Sequence[Progress], height: int = 560) -> Figure:
    """Return the map of words at every report that holds a snapshot, replayed by one slider in the browser.

    All snapshots are projected on the principal components of the last, so that what moves is the words alone.
    """
    snapshots = [shot.snapshot.subset(words).vectors for shot in shots]
    labels = [f"{shot.step:,} steps" for shot in shots]
    projection = project(snapshots[-1])
    figure = map_frame(projection, height)
    places = [projection.place(snapshot) for snapshot in snapshots]
    named = len(words) <= NAMES_AT_MOST
    figure.add_trace(points(words, places[-1], named, BLUE, 8))
    figure.frames = [
        {"name": label, "data": [scatter(x=place[:, 0], y=place[:, 1])]}
        for label, place in zip(labels, places, strict=True)
    ]
    reach = 1.12 * max(float(np.abs(place).max()) for place in places)
    figure.update_xaxes(range=[-reach, reach])
    figure.update_yaxes(range=[-reach, reach])
    still = {"frame": {"duration": 0, "redraw": False}, "mode": "immediate", "transition": {"duration": 0}}
    playing = {
        "frame": {"duration": 160, "redraw": False},
        "fromcurrent": False,
        "transition": {"duration": 120},
    }
    steps = [{"label": label, "method": "animate", "args": [[label], still]} for label in labels]
    figure.update_layout(
        sliders=[
            {"steps": steps, "active": len(steps) - 1, "currentvalue": {"prefix": "after "}, "pad": {"t": 40}}
        ],
        updatemenus=[
            {
                "type": "buttons",
                "direction": "left",
                "x": 0,
                "y": 1.0,
                "yanchor": "bottom",
                "bgcolor": faded(BLUE, 0.15),
                "buttons": [
                    {"label": "▶ Play", "method": "animate", "args": [None, playing]},
                    {"label": "❚❚ Pause", "method": "animate", "args": [[None], still]},
                ],
            }
        ],
    )
    return figure
