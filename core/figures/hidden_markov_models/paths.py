"""Paths through a hidden Markov model's lattice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, scatter
from core.figures.hidden_markov_models import WORDS
from core.figures.label import label
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION

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
    axis: str = "",
) -> Figure:
    """Return up to three paths, named, through one lattice, side by side where they share a node.

    `kept` (n, K) rings the nodes that a search kept; the others it pruned. `axis` says what the words count, such as
    ice creams; it is told, not drawn.
    """
    n, K = len(words), len(states)
    unknown = [False] * n if unknown is None else unknown
    figure = lattice_frame(words, states, unknown, first, lattice_height(states))
    figure.update_layout(meta={"kind": "paths", "axis": axis})
    times, tags = np.divmod(np.arange(n * K), K)
    ring = kept[times, tags] if kept is not None else np.zeros(n * K, dtype=bool)
    for group, kind, marker in (
        (~ring, "pruned", {"color": GREY, "size": 9}),
        (
            ring,
            "kept",
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
                    name=WORDS.label(f"paths.{kind}"),
                    meta=kind,
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
