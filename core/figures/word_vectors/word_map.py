"""Maps of word vectors: points and their names, and neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter, scatter3d
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, PINK, SKY, VERMILLION, faded
from core.figures.word_vectors import WORDS
from core.models.word_vectors.projection import Projection

NAMES_AT_MOST = 130  # more names than this and they cover one another
# Sides of a point on which its name can stand, as a direction; the first that covers the fewest others is taken.
SIDES = {"top center": (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0)}
PLOT_WIDTH, AROUND_PLOT = (
    900,
    110,
)  # pixels at a lecture's width, and those that axes and legend take of the height
LETTER, LINE = 8.5, 18  # pixels of a name's letter and of its height


def axis_titles(projection: Projection) -> list[str]:
    """Return a title for each axis of a map, with the share of variance along it."""
    return [
        WORDS.label("word_map.variance", i=i, share=f"{share:.0%}")
        for i, share in enumerate(projection.variance, 1)
    ]


def map_frame(projection: Projection, height: int) -> Figure:
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
    kind = scatter3d if coordinates.shape[1] == 3 else scatter
    places = dict(zip("xyz", coordinates.T, strict=False))
    position = {} if kind is scatter3d else {"textposition": "top center", "cliponaxis": False}
    style = {**position, **style}
    return kind(
        **places,
        text=list(words),
        customdata=[[word] for word in words],
        mode="markers+text" if named else "markers",
        marker={"color": colour, "size": size if kind is scatter else size / 2},
        textfont={"color": colour},
        hovertemplate="%{text}<extra></extra>",
        **{"showlegend": False, **style},
    )


def name_sides(words: Sequence[str], coordinates: np.ndarray, height: int) -> dict[str, str]:
    """Return for each word, one after the other, the side of its point where its name covers the fewest others.

    >>> name_sides(["cat", "dog", "sun"], np.array([[0, 0], [0, 0.5], [1, 9]]), 300)
    {'cat': 'bottom center', 'dog': 'top center', 'sun': 'top center'}
    """
    spans = np.maximum(np.ptp(coordinates, axis=0), 1e-9)
    places = coordinates * min(PLOT_WIDTH / spans[0], (height - AROUND_PLOT) / spans[1])  # pixels
    taken = np.column_stack(
        [places, np.full((len(words), 2), 5.0)]
    )  # boxes: middle, half of width and height
    sides = {}
    for word, (x, y) in zip(words, places, strict=True):
        w, h = LETTER * len(word) / 2, LINE / 2
        boxes = np.array([(x + dx * (w + 8), y + dy * (h + 8), w, h) for dx, dy in SIDES.values()])
        near = np.abs(boxes[:, None, :2] - taken[:, :2]) < boxes[:, None, 2:] + taken[:, 2:]  # (4, taken, 2)
        best = int(near.all(axis=2).sum(axis=1).argmin())
        sides[word] = list(SIDES)[best]
        taken = np.vstack([taken, boxes[best]])
    return sides


def links(start: np.ndarray, ends: np.ndarray, colour: str, **style):
    """Return the trace of straight lines from one point to each of `ends` (n, 2) or (n, 3)."""
    kind = scatter3d if len(start) == 3 else scatter
    places = {  # None lifts the pen between two lines
        axis: [place for end in ends for place in (float(start[i]), float(end[i]), None)]
        for i, axis in enumerate("xyz"[: len(start)])
    }
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
    theme_of: Callable[[str], str] = lambda word: "",
) -> Figure:
    """Return the map of words; a chosen word is linked to its neighbours, all of which must be on the map.

    Words that were listed under a theme (`theme_of`) have its colour; the others are grey beside a chosen word.
    """
    coordinates = projection.coordinates
    figure = map_frame(projection, height)
    row = dict(zip(words, coordinates, strict=True))
    special = {chosen, *neighbours}
    named = len(words) <= NAMES_AT_MOST
    sides = name_sides(words, coordinates, height) if named and coordinates.shape[1] == 2 else {}

    def beside(group: Sequence[str]) -> dict:
        return {"textposition": [sides[word] for word in group]} if sides else {}

    themes = list(dict.fromkeys(theme_of(word) for word in words if word not in special))
    if neighbours:
        figure.add_trace(
            links(row[chosen], np.array([row[word] for word in neighbours]), faded(VERMILLION, 0.6))
        )
    colours = iter((BLUE, PINK, OCHRE, SKY))
    for theme in themes:
        colour = next(colours, GREY) if theme else GREY if chosen else BLUE
        group = [word for word in words if word not in special and theme_of(word) == theme]
        places = np.array([row[word] for word in group])
        legend = {"name": theme, "showlegend": bool(theme)}
        figure.add_trace(points(group, places, named, colour, 7, **legend, **beside(group)))
    for group, colour, size in ((list(neighbours), VERMILLION, 10), ([chosen] * (chosen in row), GREEN, 14)):
        if group:
            places = np.array([row[word] for word in group])
            figure.add_trace(points(group, places, True, colour, size, **beside(group)))
    return figure
