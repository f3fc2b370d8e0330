"""A hidden Markov model drawn as a machine: its states, the arrows between them, and the words of each."""

from __future__ import annotations

import numpy as np

from core.figures.arrow import add_arrow
from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, scatter
from core.figures.hidden_markov_models import WORDS
from core.figures.label import label
from core.figures.palette import GREY, OCHRE, faded
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.speaking import Draw

GAP = 4.0  # between the two states' middles
LEVELS = {"start": 2.0, "state": 0.0, "word": -2.5}  # heights in the picture of the machine
CIRCLE, SQUARE = (
    38,
    20,
)  # pixels from the middle of a state, or of the start or a word, to where its arrows end
WIDTH, NOW_WIDTH = 1.5, 5.0  # of an arrow, in pixels


def machine_figure(model: HiddenMarkovModel, draw: Draw | None = None) -> Figure:
    """Return a model of two states: circles, an arrow for every probability, and the words below each state.

    The arrows that a draw chose among are coloured, and the one that it took is thick.
    """
    figure = blank(350)
    figure.update_xaxes(visible=False, range=[-2.4, GAP + 2.4], fixedrange=True)
    figure.update_yaxes(visible=False, range=[-3.1, 2.5], fixedrange=True)
    for row in range(-1, len(model.states)):  # -1: the start
        kind_rows = [("state", model.log_initial if row < 0 else model.log_transition[row])]
        if row >= 0:
            kind_rows.append(("word", model.log_emission[row]))
        for kind, logs in kind_rows:
            here = draw is not None and (draw.kind, draw.row) == (kind, row)
            for j, probability in enumerate(np.exp(logs)):
                took = here and draw.chosen == j
                colour = OCHRE if here else GREY
                _edge(figure, model, kind, row, j, probability, colour, NOW_WIDTH if took else WIDTH)
    _nodes(figure, model, draw)
    return figure


def _place(model: HiddenMarkovModel, kind: str, state: int, word: int = 0) -> tuple[float, float]:
    """Return the middle of a state, or of a word below a state, or of the start."""
    if kind == "start":
        return GAP / 2, LEVELS["start"]
    spread = 2.8 / max(1, len(model.vocabulary) - 1)
    shift = 0.0 if kind == "state" else spread * (word - (len(model.vocabulary) - 1) / 2)
    return GAP * state + shift, LEVELS[kind]


def _edge(figure, model, kind, row, j, probability, colour, width) -> None:
    """Draw one arrow with its probability: from the start, between states, round to itself, or down to a word."""
    if row < 0:
        start, end, bend = _place(model, "start", 0), _place(model, "state", j), 0.0
    elif kind == "word":
        start, end, bend = _place(model, "state", row), _place(model, "word", row, j), 0.0
    elif row == j:
        return _loop(figure, _place(model, "state", j), -1 if j == 0 else 1, probability, colour, width)
    else:  # the two arrows between the states run side by side
        start, end, bend = _place(model, "state", row), _place(model, "state", j), 0.22 if row < j else -0.22
    tail, head = (start[0], start[1] + bend), (end[0], end[1] + bend)
    ends = {"startstandoff": SQUARE if row < 0 else CIRCLE, "standoff": SQUARE if kind == "word" else CIRCLE}
    add_arrow(figure, tail, head, colour, width).layout.annotations[-1].update(ends)
    side = float(np.sign(round(head[0] - tail[0], 6)))
    along = (
        0.45 if kind == "state" else 0.58 if side else 0.72
    )  # between its neighbours is most room at the end
    middle = (tail[0] + along * (head[0] - tail[0]), tail[1] + along * (head[1] - tail[1]))
    shift = (0, 14 if bend > 0 else -14) if bend else (17 * side, 14) if side else (17, 0)
    return _number(figure, *middle, probability, colour, *shift)


def _loop(figure, middle, side, probability, colour, width) -> None:
    """Draw the arrow from a state round to itself, on the left (-1) or the right (1) of its circle."""
    x, y = middle
    turn = np.linspace(-0.75 * np.pi, 0.75 * np.pi, 30)
    line = np.stack([CIRCLE + 8 + 16 * np.cos(turn), 16 * np.sin(turn)], axis=1)  # pixels from the middle
    ahead, across = np.array([-1, -1]) / 2**0.5, np.array([1, -1]) / 2**0.5
    base, wide = line[-1] - (4 + 2 * width) * ahead, (3 + width) * across
    for points, closed in ((line, ""), ((line[-1], base + wide, base - wide), "Z")):
        figure.add_shape(
            type="path",
            path="M" + "L".join(f"{side * right:.1f},{up:.1f}" for right, up in points) + closed,
            line={"color": colour, "width": 0 if closed else width},
            fillcolor=colour if closed else "rgba(0, 0, 0, 0)",
            xsizemode="pixel",
            ysizemode="pixel",
            xanchor=x,
            yanchor=y,
        )
    _number(figure, x, y, probability, colour, side * (CIRCLE + 40), 0)


def _number(
    figure, x: float, y: float, probability: float, colour: str, xshift: float, yshift: float
) -> None:
    """Write a probability beside a place of an arrow, so many pixels from it: the arrow is not under it."""
    figure.add_annotation(
        x=x,
        y=y,
        text=f"<b>{probability:.3g}</b>" if colour == OCHRE else f"{probability:.3g}",
        showarrow=False,
        font={"size": FONT_SIZE},
        xshift=xshift,
        yshift=yshift,
    )


def _nodes(figure: Figure, model: HiddenMarkovModel, draw: Draw | None) -> None:
    """Draw the start, the states and the words; what was drawn is filled."""
    groups = [[("start", 0, 0, WORDS.label("machine.start"))]]
    groups.append([("state", i, 0, state) for i, state in enumerate(model.states)])
    words = enumerate(model.vocabulary)
    groups.append([("word", i, j, word) for j, word in words for i in range(len(model.states))])
    for nodes, (size, symbol) in zip(groups, ((40, "square"), (72, "circle"), (34, "square")), strict=True):
        filled = [
            draw is not None
            and draw.kind == kind
            and (draw.chosen == i if kind == "state" else (draw.row, draw.chosen) == (i, j))
            for kind, i, j, _ in nodes
        ]
        figure.add_trace(
            scatter(
                x=[_place(model, kind, i, j)[0] for kind, i, j, _ in nodes],
                y=[_place(model, kind, i, j)[1] for kind, i, j, _ in nodes],
                mode="markers+text",
                marker={
                    "size": size,
                    "symbol": symbol,
                    "color": [faded(OCHRE, 0.45) if on else faded(GREY, 0.15) for on in filled],
                    "line": {"color": GREY, "width": 1.5},
                },
                text=[label(text) for *_, text in nodes],
                textfont={"size": FONT_SIZE + (3 if symbol == "circle" else 0)},
                hoverinfo="skip",
                showlegend=False,
            )
        )
