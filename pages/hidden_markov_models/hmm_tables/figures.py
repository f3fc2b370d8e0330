"""Pictures of a best path that flips: two paths in one trellis, curves that cross, and how far each number must move."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import cycle

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.palette import GREEN, GREY, OCHRE, PINK, SKY, VERMILLION
from core.models.hidden_markov_models.decoding import DecodedSentence
from core.models.hidden_markov_models.flips import Stretch
from core.words.numbers import RAISED, plain_number
from pages.hidden_markov_models.shared.trellis import draw_trellis, format_probability

SIZE = 17  # pixels of a text
POINTS = 201  # of a curve
LINES = (GREEN, PINK, OCHRE, GREY)  # of paths; blue and vermillion are the states' hues
FLIP = VERMILLION


def draw_paths(
    decoded: DecodedSentence,
    now: Sequence[int],
    before: Sequence[int] = (),
    changed: Mapping[tuple[int, int], str] | None = None,
    shown: Collection[tuple[int, int, int]] = (),
    total: str = "",
) -> dict:
    """Return the trellis of a sentence with the path `now` thick and the path `before` dotted; either may be empty.

    `changed` {(i, j): text} are transitions whose probability stands at their edges, on the paths and at the edges
    `shown` (t, i, j).
    """
    changed = changed or {}
    kinds = dict.fromkeys(enumerate(now), "best")
    edges = [(t, i, j, "way", changed[i, j]) for t, i, j in shown] + [
        (t, path[t - 1], path[t], kind, changed.get((path[t - 1], path[t]), ""))
        for kind, path in (("dropped", before), ("best", now))
        for t in range(1, len(path))
    ]
    return draw_trellis(decoded, kinds, edges, total=total, faint=True)


def write_curve(curve: Stretch, p: float | None = None) -> str:
    """Return c p^a (1 - p)^b as plain text, with a number for p where one is given.

    >>> one, other = (Stretch(0, 1, (), float(np.log(c)), a, b) for c, a, b in ((0.03, 2, 0), (0.018, 0, 1)))
    >>> write_curve(one), write_curve(other, 0.55)
    ('0.03 · p²', '0.018 · 0.45')
    """
    names = ("p", "(1 − p)") if p is None else (format_factor(p), format_factor(1 - p))
    powers = zip(names, (curve.own, curve.rest), strict=True)
    factors = [name + (str(power).translate(RAISED) if power > 1 else "") for name, power in powers if power]
    return " · ".join([format_factor(float(np.exp(curve.log_constant))), *factors])


def format_factor(p: float) -> str:
    """Return a probability with the digits that it takes to work a product out by hand.

    >>> format_factor(0.55), format_factor(0.6 * 0.5 * 0.5 * 0.5 * 0.5 * 0.5)
    ('0.55', '0.01875')
    """
    return plain_number(p, 4)


def draw_crossing(
    curves: Mapping[str, Stretch], now: float, flip: float | None, names: Mapping[str, str]
) -> Figure:
    """Return ln p of two paths against one probability, each named in the key, and where they cross.

    `names` holds the labels "x", "y", "now" and "flip".
    """
    figure = blank(420, names["x"], names["y"])
    p = np.linspace(0, 1, POINTS)[1:-1]
    for (label, curve), colour in zip(curves.items(), LINES, strict=False):
        line = {"color": colour, "width": 6}
        values = curve.log_probability(p)
        figure.add_trace(scatter(x=p, y=values, mode="lines", name=label, line=line))
    low, high = limits([curve.log_probability(p) for curve in curves.values()])
    mark_now(figure, now, names["now"])
    if flip is not None:
        figure.add_vline(x=flip, line={"color": FLIP, "width": 2})
        height = float(next(iter(curves.values())).log_probability(flip))
        marker = {"size": 16, "color": FLIP}
        figure.add_trace(scatter(x=[flip], y=[height], mode="markers", marker=marker, showlegend=False))
        write_flip(figure, flip, names["flip"])
    return finish(figure, low, high)


def draw_sweep(
    stretches: Sequence[Stretch], labels: Sequence[str], now: float, names: Mapping[str, str]
) -> Figure:
    """Return ln p of the best path against one probability, each path in its colour, and the flips between them."""
    figure = blank(420, names["x"], names["y"])
    drawn = []
    for stretch, label, colour in zip(stretches, labels, cycle(LINES), strict=False):
        p = np.linspace(max(stretch.start, 1 / POINTS), min(stretch.end, 1 - 1 / POINTS), POINTS)
        drawn.append(stretch.log_probability(p))
        line = {"color": colour, "width": 7}
        figure.add_trace(scatter(x=p, y=drawn[-1], mode="lines", name=label, line=line))
    low, high = limits(drawn)
    mark_now(figure, now, names["now"], upright=True)
    for stretch in stretches[1:]:
        figure.add_vline(x=stretch.start, line={"color": FLIP, "width": 2})
        write_flip(figure, stretch.start, format_probability(stretch.start))
    return finish(figure, low, high)


def limits(drawn: Sequence[np.ndarray]) -> tuple[float, float]:
    """Return the ends of an axis on which curves that fall to minus infinity can still be told apart."""
    high = max(float(values.max()) for values in drawn)
    return max(min(float(values.min()) for values in drawn), high - 5) - 0.3, high + 0.5


def mark_now(figure: Figure, now: float, text: str, upright: bool = False) -> None:
    """Mark the number in the table by a dotted line, named at its top; `upright` along the line."""
    figure.add_vline(x=now, line={"color": GREY, "width": 2, "dash": "dot"})
    side = "left" if now < 0.4 else "right"
    look = {"textangle": -90 if upright else 0, "showarrow": False, "font": {"size": SIZE}}
    figure.add_annotation(x=now, y=0.99, yref="paper", yanchor="top", xanchor=side, text=text, **look)


def write_flip(figure: Figure, flip: float, text: str) -> None:
    """Write a text at the foot of a flip's line, to its right."""
    font = {"size": SIZE, "color": FLIP}
    figure.add_annotation(x=flip, y=0.02, yref="paper", xanchor="left", showarrow=False, text=text, font=font)


def finish(figure: Figure, low: float, high: float) -> Figure:
    """Set the axes of a picture over one probability."""
    figure.update_xaxes(range=[0, 1], dtick=0.25).update_yaxes(range=[low, high])
    return figure.update_layout(showlegend=True, legend={"font": {"size": SIZE}})


def draw_distances(rows: Sequence[tuple[str, float, float | None]], names: Mapping[str, str]) -> Figure:
    """Return for each probability (name, now, nearest flip) a line from the one to the other, with its length.

    `names` holds the labels "x", "now", "flip" and "never".
    """
    figure = blank(420, names["x"], "")
    places = list(range(len(rows)))
    for place, (_, now, flip) in zip(places, rows, strict=True):
        if flip is not None:
            line = {"color": FLIP, "width": 5}
            figure.add_trace(
                scatter(x=[now, flip], y=[place, place], mode="lines", line=line, showlegend=False)
            )
    open_ = {"size": 15, "color": "rgba(0,0,0,0)", "line": {"color": SKY, "width": 4}}
    nows = [now for _, now, _ in rows]
    figure.add_trace(scatter(x=nows, y=places, mode="markers", name=names["now"], marker=open_))
    flips = [(flip, place) for place, (_, _, flip) in zip(places, rows, strict=True) if flip is not None]
    if flips:
        x, y = zip(*flips, strict=True)
        filled = {"size": 15, "color": FLIP}
        figure.add_trace(scatter(x=list(x), y=list(y), mode="markers", name=names["flip"], marker=filled))
    for place, (_, now, flip) in zip(places, rows, strict=True):
        text = names["never"] if flip is None else format_probability(round(abs(flip - now), 3))
        figure.add_annotation(
            x=max(now, now if flip is None else flip),
            y=place,
            xanchor="left",
            xshift=14,
            text=text,
            showarrow=False,
            font={"size": SIZE},
        )
    figure.update_xaxes(range=[0, 0.8], dtick=0.25)
    figure.update_yaxes(
        tickvals=places,
        ticktext=[name for name, _, _ in rows],
        range=[len(rows) - 0.5, -0.5],
        zeroline=False,
        tickfont={"size": SIZE},
    )
    return figure.update_layout(showlegend=True, legend={"font": {"size": SIZE}})
