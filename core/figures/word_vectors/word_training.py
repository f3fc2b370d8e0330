"""Pictures of training word vectors: the window on a sentence, the loss, and how cosines are spread."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter
from core.figures.palette import BLUE, GREEN, GREY, VERMILLION, faded

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
    figure, highest = blank(height), 0.5
    for context in contexts:
        left, right = sorted((centre, context))
        bend = 0.25 + 0.16 * (right - left)
        highest = max(highest, 0.25 * 0.12 + 0.75 * bend)  # of the arc: a cubic curve's middle
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
    figure.update_yaxes(visible=False, range=[-0.2 * highest, 1.05 * highest])
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
