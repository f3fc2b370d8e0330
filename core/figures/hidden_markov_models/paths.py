"""Paths through a hidden Markov model's lattice, and the table that a student fills in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.arrow import arrow
from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, scatter
from core.figures.label import label
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION, faded
from core.models.hidden_markov_models.decoding import Decoded
from core.models.hidden_markov_models.viterbi import Lattice

STYLES = ((BLUE, "solid", "circle"), (OCHRE, "dash", "diamond"), (VERMILLION, "dot", "square"))


def lattice_frame(
    words: Sequence[str], states: Sequence[str], unknown: Sequence[bool], first: int, height: int
) -> Figure:
    """Return an empty lattice: words across, numbered from `first`, and states down."""
    figure = blank(height)
    places = list(range(first, first + len(words)))
    names = [label(*pair) for pair in zip(words, unknown, strict=True)]
    figure.update_xaxes(
        tickvals=places,
        ticktext=names,
        side="top",
        range=[first - 0.5, places[-1] + 0.5],
        showgrid=False,
        zeroline=False,
        tickangle=0 if len(words) <= 12 else -60,
        tickfont={"size": FONT_SIZE + 2},
    )
    figure.update_yaxes(
        tickvals=list(range(len(states))),
        ticktext=[label(state) for state in states],
        range=[len(states) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        tickfont={"size": FONT_SIZE + 1},
    )
    figure.update_layout(legend={"y": 0, "yanchor": "top"})
    return figure


def lattice_height(states: Sequence[str]) -> int:
    """Return a height in pixels at which every state of a lattice can be told from the next."""
    return max(330, 110 + (38 if len(states) <= 13 else 22) * len(states))


def paths_figure(
    words: Sequence[str],
    states: Sequence[str],
    paths: Mapping[str, Sequence[int]],
    unknown: Sequence[bool] | None = None,
    kept: np.ndarray | None = None,
    first: int = 0,
) -> Figure:
    """Return up to three paths, named, through one lattice, side by side where they share a node.

    `kept` (n, K) rings the nodes that a search kept; the others it pruned.
    """
    n, K = len(words), len(states)
    unknown = [False] * n if unknown is None else unknown
    figure = lattice_frame(words, states, unknown, first, lattice_height(states))
    times, tags = np.divmod(np.arange(n * K), K)
    ring = kept[times, tags] if kept is not None else np.zeros(n * K, dtype=bool)
    for group, name, marker in (
        (~ring, "not kept by the beam", {"color": GREY, "size": 9}),
        (
            ring,
            "kept by the beam",
            {"color": "rgba(0,0,0,0)", "size": 20, "line": {"color": OCHRE, "width": 2}},
        ),
    ):
        if group.any():
            figure.add_trace(
                scatter(
                    x=times[group] + first,
                    y=tags[group],
                    mode="markers",
                    marker=marker,
                    name=name,
                    hoverinfo="skip",
                    showlegend=kept is not None,
                )
            )
    for i, (name, path) in enumerate(paths.items()):
        add_path(figure, name, path, words, states, first, i, 0.14 * (i - (len(paths) - 1) / 2))
    return figure


def add_path(
    figure: Figure,
    name: str,
    path: Sequence[int],
    words: Sequence[str],
    states: Sequence[str],
    first: int,
    style: int,
    shift: float,
) -> None:
    """Draw one path; `shift` moves it up or down by part of a row, so that it hides no other."""
    colour, dash, symbol = STYLES[style]
    figure.add_trace(
        scatter(
            x=list(range(first, first + len(path))),
            y=[state + shift for state in path],
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 3.5},
            marker={"symbol": symbol, "size": 11},
            name=name,
            text=[f"{label(words[t])}: {label(states[state])}" for t, state in enumerate(path)],
            hovertemplate="%{text}<extra></extra>",
        )
    )


def hand_figure(
    decoded: Decoded,
    lattice: Lattice,
    column: int,
    right: Sequence[bool | None],
    came: Sequence[bool | None],
    revealed: bool,
) -> Figure:
    """Return the table of scores up to a column that the student fills in: right, wrong or still to do.

    Columns before it are filled, with an arrow from each cell to the one it came from; in it stand the right answers
    only; what comes after is empty. Past the last column the path is drawn once it is right, or revealed.
    """
    n, K = lattice.scores.shape
    words, states = decoded.emissions.words, decoded.model.states
    figure = lattice_frame(words, states, decoded.emissions.unknown, 0, max(220, 90 + 60 * K))
    edge = {"type": "line", "line": {"color": faded(GREY, 0.5), "width": 1}, "layer": "below"}
    for t in range(n + 1):
        figure.add_shape(x0=t - 0.5, x1=t - 0.5, y0=-0.5, y1=K - 0.5, **edge)
    for j in range(K + 1):
        figure.add_shape(x0=-0.5, x1=n - 0.5, y0=j - 0.5, y1=j - 0.5, **edge)
    figure.add_vrect(
        x0=column - 0.5, x1=column + 0.5, fillcolor=faded(OCHRE, 0.18), line={"color": OCHRE}, layer="below"
    )
    filled = [(t, j) for t in range(min(column, n)) for j in range(K)]
    write_cells(figure, filled, [f"{lattice.scores[place]:.4g}" for place in filled], GREY)
    pointing = [place for place in filled if place[0]]
    if column < n:
        groups = ("answer", "✗", "?")
        shown = ["answer" if revealed or mark else "?" if mark is None else "✗" for mark in right]
        for text in groups:
            places = [(column, j) for j in range(K) if shown[j] == text]
            answers = [f"{lattice.scores[place]:.4g}" if text == "answer" else text for place in places]
            write_cells(figure, places, answers)
        if column:
            pointing += [(column, j) for j in range(K) if revealed or (came and came[j])]
    elif revealed or (right and all(right)):
        add_path(figure, "best path", lattice.path, words, states, 0, 0, 0.28)
    for t, j in pointing:
        before = int(lattice.backpointers[t, j])
        arrow(figure, (t - 0.25, j), (t - 0.75, before), GREY)
    return figure


def write_cells(
    figure: Figure, places: Sequence[tuple[int, int]], texts: Sequence[str], colour: str = ""
) -> None:
    """Write texts at places (word, state) of a lattice, in a colour or in the page's ink."""
    if places:
        figure.add_trace(
            scatter(
                x=[t for t, _ in places],
                y=[j for _, j in places],
                mode="text",
                text=list(texts),
                textfont={"size": 17, **({"color": colour} if colour else {})},
                hoverinfo="skip",
                showlegend=False,
            )
        )
