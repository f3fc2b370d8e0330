"""What the story of fine-tuning draws: three networks, shares as bars, sentences as points, curves by step and by labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import STORY_MARGIN, blank, enlarge
from core.figures.figure import Figure, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node
from core.figures.palette import BLUE, GREEN, GREY, VERMILLION
from core.figures.word_plane import plane_point, word_plane
from core.words.numbers import percent
from pages.pretraining.fine_tuning import LESSON

WORDS = LESSON.words
COLOURS = {"fine": BLUE, "frozen": GREEN, "scratch": VERMILLION, "counting": GREY}
HUES = {
    "fine": "blue",
    "frozen": "green",
    "scratch": "vermillion",
    "counting": "grey",
    "counting_again": "grey",
}
LABEL_HUES = ("blue", "vermillion")


def draw_ways() -> dict:
    """Return the three ways: a body, pretrained or random, trained or not, and a new classification layer on it."""
    nodes, arrows = [], []
    for k, way in enumerate(("fine", "frozen", "scratch")):
        x, wide = 2 + 33 * k, 30
        for key, y, height in (("head", 6, 20), ("body", 40, 34), ("text", 84, 13)):
            hue = "" if key == "text" else HUES[way] if (key, way) != ("body", "frozen") else ""
            title, note = (WORDS.label(f"{key}.{way}{end}") for end in ("", ".note"))
            place = (x, y, wide, height)
            nodes.append(node(f"{key}.{way}", "box", place, place, title=title, note=note, hue=hue))
        arrows += [arrow(f"text.{way}", f"body.{way}"), arrow(f"body.{way}", f"head.{way}")]
    return machine(nodes, arrows)


def draw_shares(title: str, shares: Mapping[str, float], told: bool = True, best: str = "") -> dict:
    """Return a bar for each way; not `told`, the names stand without their bars."""
    rows = [
        make_row(
            WORDS.label(f"row.{key}"),
            f"row.{key}",
            float(share) if told else 0,
            percent(float(share), 0) if told else "?",
            kind="best" if told and key == best else "plain",
            hue=HUES.get(key, "blue"),
        )
        for key, share in shares.items()
    ]
    return join_panels(make_panel(title, 1.25, rows))


def draw_sentences(places: np.ndarray, labels: Sequence[str], extent: np.ndarray) -> dict:
    """Return held-out sentences as points without names, in the hue of their label."""
    kinds = sorted(set(labels))
    points = [
        plane_point(f"{i}", place, LABEL_HUES[kinds.index(label)], "bare", "")
        for i, (place, label) in enumerate(zip(places, labels, strict=True))
    ]
    key = [("plain", hue, kind) for hue, kind in zip(LABEL_HUES, kinds, strict=False)]
    return word_plane(points, (), key, extent)


def sizes_figure(ends: Mapping[str, Mapping[int, float]]) -> Figure:
    """Return the share of held-out sentences that is right by the number of labels, for each way, large."""
    figure = blank(520, WORDS.label("axis.labels"), WORDS.label("axis.right"))
    for way, by_n in ends.items():
        figure.add_trace(
            scatter(
                x=list(by_n),
                y=list(by_n.values()),
                mode="lines+markers+text",
                text=["" for _ in list(by_n)[1:]] + [f"  {WORDS.label(f'row.{way}')}"],
                textposition="bottom right" if way in ("counting", "frozen") else "top right",
                line={"color": COLOURS[way], "width": 4},
                marker={"size": 10},
            )
        )
    sizes = list(next(iter(ends.values())))
    figure.update_xaxes(type="log", tickvals=sizes, ticktext=[f"{n}" for n in sizes], range=[1.1, 3.2])
    figure.update_yaxes(tickformat=".0%", range=[0.4, 1.02])
    return enlarge(figure, showlegend=False, margin=STORY_MARGIN)


def forgetting_figure(losses: Mapping[str, Sequence[float]], steps: Sequence[int]) -> Figure:
    """Return the masked loss by step of fine-tuning for each learning rate, large."""
    figure = blank(520, WORDS.label("axis.step"), WORDS.label("axis.loss"))
    places = ("bottom right", "top right", "middle right")
    for (name, loss), colour, at in zip(losses.items(), (GREEN, BLUE, VERMILLION), places, strict=True):
        figure.add_trace(
            scatter(
                x=list(steps),
                y=list(loss),
                mode="lines+markers+text",
                text=["" for _ in loss[:-1]] + [f"  {name}"],
                textposition=at,
                line={"color": colour, "width": 4},
                marker={"size": 9},
            )
        )
    figure.update_xaxes(range=[-1, 1.35 * steps[-1]])
    figure.update_yaxes(range=[0, 12.5])
    return enlarge(figure, showlegend=False, margin=STORY_MARGIN)
