"""Maps of word vectors: points and their names, neighbours, sums as arrows, and an axis of meaning."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from core.figures.arrow import arrow
from core.figures.blank import FONT_SIZE, blank
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, PINK, VERMILLION, faded
from core.models.word_vectors.projection import Projection
from core.models.word_vectors.word_arithmetic import Arithmetic
from core.models.word_vectors.word_axis import Axis, Placement
from core.models.word_vectors.word_vectors import WordVectors

NAMES_AT_MOST = 130  # more names than this and they cover one another


def axis_titles(projection: Projection) -> list[str]:
    """Return a title for each axis of a map, with the share of variance along it."""
    return [f"PC {number} · {share:.0%} of variance" for number, share in enumerate(projection.variance, 1)]


def map_frame(projection: Projection, height: int) -> go.Figure:
    """Return an empty map in which both axes have one scale, so that distances are those the eye sees."""
    titles = axis_titles(projection)
    figure = blank(height, titles[0], titles[1])
    figure.update_yaxes(scaleanchor="x", scaleratio=1)
    if len(titles) == 3:
        figure.update_layout(
            scene={f"{name}axis_title": title for name, title in zip("xyz", titles, strict=True)}
        )
    return figure


def points(words: Sequence[str], coordinates: np.ndarray, named: bool, colour: str, size: int = 8, **style):
    """Return the trace of words at coordinates (n, 2) or (n, 3); each point carries its word as customdata."""
    kind = go.Scatter3d if coordinates.shape[1] == 3 else go.Scatter
    places = dict(zip("xyz", coordinates.T, strict=False))
    position = {} if kind is go.Scatter3d else {"textposition": "top center", "cliponaxis": False}
    return kind(
        **places,
        text=list(words),
        customdata=[[word] for word in words],
        mode="markers+text" if named else "markers",
        marker={"color": colour, "size": size if kind is go.Scatter else size / 2},
        textfont={"color": colour},
        hovertemplate="%{text}<extra></extra>",
        showlegend=style.pop("showlegend", False),
        **position,
        **style,
    )


def links(start: np.ndarray, ends: np.ndarray, colour: str, **style):
    """Return the trace of straight lines from one point to each of `ends` (n, 2) or (n, 3)."""
    gap = np.full(len(start), np.nan)
    path = np.concatenate([[start, end, gap] for end in ends]) if len(ends) else np.empty((0, len(start)))
    kind = go.Scatter3d if len(start) == 3 else go.Scatter
    places = dict(zip("xyz", path.T, strict=False))
    return kind(
        **places,
        mode="lines",
        line={"color": colour, "width": 1.5},
        hoverinfo="skip",
        showlegend=False,
        **style,
    )


def word_map(
    words: Sequence[str],
    projection: Projection,
    chosen: str = "",
    neighbours: Sequence[str] = (),
    height: int = 500,
) -> go.Figure:
    """Return the map of words; a chosen word is linked to its neighbours, all of which must be on the map."""
    coordinates = projection.coordinates
    figure = map_frame(projection, height)
    row = dict(zip(words, coordinates, strict=True))
    special = {chosen, *neighbours}
    plain = [word for word in words if word not in special]
    if neighbours:
        figure.add_trace(
            links(row[chosen], np.array([row[word] for word in neighbours]), faded(VERMILLION, 0.6))
        )
    for group, colour, size, named in (
        (plain, BLUE if not chosen else GREY, 7, len(words) <= NAMES_AT_MOST),
        (list(neighbours), VERMILLION, 10, True),
        ([chosen] if chosen in row else [], GREEN, 14, True),
    ):
        if group:
            places = np.array([row[word] for word in group])
            figure.add_trace(points(group, places, named, colour, size))
    return figure


def named_arrow(figure: go.Figure, start: np.ndarray, end: np.ndarray, name: str, colour: str) -> None:
    """Draw an arrow between two points of a figure, with its name at the middle."""
    arrow(figure, start, end, colour, width=2.5)
    x, y = (start + end) / 2
    font = {"size": FONT_SIZE, "color": colour}
    figure.add_annotation(x=x, y=y, text=name, yshift=12, showarrow=False, font=font)


def arithmetic_map(
    vectors: WordVectors, sum_: Arithmetic, projection: Projection, height: int = 520
) -> go.Figure:
    """Return a sum of words as arrows from the origin through its partial sums, among the words it comes near.

    `projection` is a map of `vectors`, the words of the question and its answers.
    """
    figure = map_frame(projection, height)
    asked = list(dict.fromkeys(term.word for term in sum_.terms))
    answers = [word for word in vectors.words if word not in asked]
    for group, colour, name in ((asked, BLUE, "the question's words"), (answers, VERMILLION, "answers")):
        if group:
            places = projection.place(vectors.subset(group).vectors)
            figure.add_trace(points(group, places, True, colour, 9, name=name, showlegend=True))
    stops = projection.place(np.vstack([np.zeros(vectors.dimension), sum_.partial_sums]))
    for term, (start, end) in zip(sum_.terms, pairwise(stops), strict=True):
        sign, colour = ("+", GREEN) if term.weight > 0 else ("−", PINK)
        weight = "" if abs(term.weight) == 1 else f"{abs(term.weight):g} "
        named_arrow(figure, start, end, f"{sign} {weight}{term.word}", colour)
    figure.add_trace(points(["0"], stops[:1], True, GREY, 8))
    figure.add_trace(points(["the sum"], stops[-1:], True, OCHRE, 16, marker_symbol="star"))
    return figure


def axis_figure(
    axis: Axis, placements: Sequence[Placement], ends: Sequence[Placement], height: int = 500
) -> go.Figure:
    """Return words as bars along an axis of meaning, in order; the words of both ends are diamonds below."""
    ranked = sorted(placements, key=lambda placement: placement.position)
    figure = blank(height, f"← {', '.join(axis.negative)}      0      {', '.join(axis.positive)} →")
    for position in (-axis.half_width, axis.half_width):
        figure.add_vline(x=position, line={"color": GREY, "dash": "dot"})
    figure.add_vline(x=0, line={"color": GREY})
    hover = "%{text}: %{x:.3f}<extra></extra>"
    figure.add_trace(
        go.Bar(
            x=[placement.position for placement in ranked],
            orientation="h",
            marker={"color": [VERMILLION if placement.position < 0 else BLUE for placement in ranked]},
            text=[placement.word for placement in ranked],
            textposition="outside",
            cliponaxis=False,
            hovertemplate=hover,
            showlegend=False,
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[end.position for end in ends],
            y=[-1.2] * len(ends),
            mode="markers",
            marker={"symbol": "diamond", "size": 10, "color": GREY},
            text=[end.word for end in ends],
            hovertemplate=hover,
            name="words of the two ends (dotted: their means)",
            showlegend=bool(ends),
        )
    )
    widest = max(abs(placement.position) for placement in (*placements, *ends))
    figure.update_xaxes(range=[-1.25 * widest, 1.25 * widest])
    figure.update_yaxes(visible=False)
    return figure
