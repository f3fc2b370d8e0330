"""What vanishing and exploding gradients draw: shares of a gradient against the distance, and losses of a training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, VERMILLION, faded
from pages.recurrent_models.gradient_microscope import LESSON

WORDS = LESSON.words
LOOKS = {  # colour and dash of each curve
    "rnn": (VERMILLION, "solid"),
    "linear": (OCHRE, "dash"),
    "gru": (GREEN, "solid"),
    "lstm": (BLUE, "solid"),
    "bias0": (GREEN, "solid"),
    "bias1": (BLUE, "solid"),
    "power": (GREY, "dash"),
    "clipped": (BLUE, "solid"),
    "free": (VERMILLION, "solid"),
}
HEIGHT, TICKS = 420, 7
LINES = 12  # of two curves with five networks each, and their medians


def curve(key: str, x: Sequence[float], y: Sequence[float], width: float = 4, **more: object) -> dict:
    """Return one line of a figure, named by its key's words."""
    colour, dash = LOOKS[key]
    name = WORDS.label(f"curve.{key}")
    line = {
        "color": colour,
        "width": width,
        "dash": dash,
        "simplify": False,
    }  # every point: a line can swing over
    # three digits: more would only make the document long
    values = [float(f"{each:.3g}") for each in y]
    return scatter(x=list(x), y=values, name=name, mode="lines", line=line, hoverinfo="x+y", **more)


def draw_flow(
    curves: Mapping[str, np.ndarray],
    limits: tuple[int, int],
    length: int,
    power: float | None = None,
    axis: str = "axis.back",
) -> Figure:
    """Return the share of the gradient that is left, {key: (networks, steps)}; thin: each network, thick: the median.

    `limits` are powers of ten, the ends of the axis; `power`: a spectral radius, whose powers are a dashed line.
    """
    figure = blank(HEIGHT, WORDS.label(axis), WORDS.label("axis.left"))
    hidden = {"visible": False, "showlegend": False}  # as many lines in each beat: then they swing over
    for key, shares in curves.items():
        x = np.arange(shares.shape[1])
        colour, _ = LOOKS[key]
        for run in shares if len(shares) > 1 else ():
            thin = curve(key, x, run, 1.5, showlegend=False)
            figure.add_trace({**thin, "line": {**thin["line"], "color": faded(colour, 0.5), "dash": "solid"}})
        figure.add_trace(curve(key, x, np.median(shares, axis=0)))
    for _ in range(LINES - len(figure.data)):
        figure.add_trace({**curve("power", [0], [1]), **hidden})
    x = np.arange(length)
    figure.add_trace(
        curve("power", x, (power or 1) ** x, 2.5) if power else {**curve("power", [0], [1]), **hidden}
    )
    figure.update_xaxes(range=[-0.5, length - 0.5])
    return with_powers(figure, limits)


def with_powers(figure: Figure, limits: tuple[int, int]) -> Figure:
    """Return the figure with a logarithmic axis between two powers of ten, marked at a few of them."""
    least, most = limits
    step = max(1, -(-(most - least) // TICKS))
    powers = [each for each in range(least, most + 1) if each % step == 0]
    texts = [f"10<sup>{each}</sup>".replace("-", "−") if each else "1" for each in powers]
    ticks = {"tickvals": [10.0**each for each in powers], "ticktext": texts}
    return figure.update_yaxes(type="log", range=[least - 0.2, most + 0.2], **ticks)


def draw_training(losses: Mapping[str, Sequence[float]], limits: tuple[int, int]) -> Figure:
    """Return the loss before every step of each training."""
    figure = blank(HEIGHT, WORDS.label("axis.step"), WORDS.label("axis.loss"))
    for key, values in losses.items():
        figure.add_trace(curve(key, range(1, len(values) + 1), values))
    return with_powers(figure, limits)
