"""What the story of a neural text classifier draws: words as points, probabilities and counts as bars, losses by epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import GREEN, GREY
from core.figures.word_plane import plane_arrow, plane_point, word_plane
from pages.documents.document_network import LESSON

WORDS = LESSON.words
STORY_FONT = 17
HUES = {"positive": "blue", "negative": "vermillion", "both": "grey"}


def draw_words(
    places: Mapping[str, np.ndarray],
    sides: Mapping[str, str],
    extent: float,
    star: np.ndarray | None = None,
    moves: Mapping[str, np.ndarray] | None = None,
) -> dict:
    """Return words as points (their two numbers); `star` is their mean; `moves` are the places that they go to."""
    points = [plane_point(word, place, HUES[sides[word]]) for word, place in places.items()]
    if star is not None:
        points.append(plane_point("mean", star, "green", "star", WORDS.label("mean")))
    arrows = [
        plane_arrow(f"move.{word}", places[word], end, HUES[sides[word]], "strong")
        for word, end in (moves or {}).items()
    ]
    key = [("plain", HUES[side], WORDS.label(f"side.{side}")) for side in dict.fromkeys(sides.values())]
    corners = np.array([[-extent, -extent], [extent, extent]])
    return word_plane(points, arrows, key, corners)


def draw_shares(title: str, values: Mapping[str, float], hues: Mapping[str, str], best: str = "") -> dict:
    """Return shares as bars up to 1."""
    rows = [
        make_row(
            WORDS.label(f"row.{name}"),
            f"row.{name}",
            float(share),
            f"{share:.1%}",
            kind="best" if name == best else "plain",
            hue=hues.get(name, "blue"),
        )
        for name, share in values.items()
    ]
    return join_panels(make_panel(title, 1.25, rows))


def draw_counts(title: str, counts: Mapping[str, tuple[int, int]]) -> dict:
    """Return for each word how many positive documents have it, and how many negative ones, in two panels."""
    panels = []
    for c, side in enumerate(("positive", "negative")):
        rows = [
            make_row(word, f"{side}.{word}", n[c], f"{n[c]}", hue=HUES[side]) for word, n in counts.items()
        ]
        panels.append(make_panel(WORDS.label(f"title.{side}"), 60, rows))
    return join_panels(*panels, sum_=title)


def losses_figure(learned: Sequence[float], held: Sequence[float]) -> Figure:
    """Return the loss after each epoch, on the documents learned from and on held-out ones, large."""
    figure = blank(520, WORDS.label("axis.epoch"), WORDS.label("axis.loss"))
    for losses, name, colour in ((learned, "learned", GREY), (held, "held", GREEN)):
        figure.add_trace(
            scatter(
                x=list(range(len(losses))),
                y=list(losses),
                mode="lines+markers+text",
                text=["" for _ in losses[:-1]] + [f" {WORDS.label(f'curve.{name}')}"],
                textposition="top left" if name == "held" else "bottom left",
                line={"color": colour, "width": 4},
                marker={"size": 9},
            )
        )
    figure.update_yaxes(range=[-0.09, 0.85])
    figure.update_layout(
        font={"size": STORY_FONT}, showlegend=False, margin={"l": 80, "r": 20, "t": 20, "b": 60}
    )
    return figure.update_traces(textfont={"size": STORY_FONT}, hoverinfo="skip")
