"""What learning in the context draws: probabilities of labels, places, curves, a head's arrows, and orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import STORY_MARGIN, blank, enlarge
from core.figures.figure import Figure, bar, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, GREEN, GREY, VERMILLION
from core.models.transformers.in_context import Read, Recorded
from core.models.transformers.rule_tasks import (
    KINDS,
    LABELS,
    LETTERS,
    WORDS,
    Belief,
    Example,
)
from core.words.numbers import percent
from pages.transformers.in_context import LESSON
from pages.transformers.shared.attention_arrows import attention_arrows

SAY = LESSON.words
COLOURS = {"model": BLUE, "bayes": GREEN, "nearest": VERMILLION}
DASHES = {"model": "solid", "bayes": "dot", "nearest": "dash"}
SHOWN = 5  # labels that have a row of their own, at most
ROOM = 1.3  # of a panel's scale, so that the number at a full bar fits


def shown_labels(examples: Sequence[Example], *found: np.ndarray) -> list[int]:
    """Return the labels that get a row: those of the examples, the most probable first where there are too many."""
    given = sorted({y for _, y in examples})
    most = sorted(given, key=lambda y: -max((float(p[y]) for p in found), default=0.0))[:SHOWN]
    return sorted(most)


def label_rows(name: str, p: np.ndarray, rows: Sequence[int]) -> list[dict]:
    """Return a bar for each of some labels, and one for the mean of all others."""
    best = int(p.argmax())
    found = [
        make_row(
            LABELS[y],
            f"{name}.{LABELS[y]}",
            float(p[y]),
            percent(float(p[y]), 0),
            kind="best" if y == best else "plain",
        )
        for y in rows
    ]
    others = [float(p[y]) for y in range(KINDS) if y not in rows]
    if others:
        mean = float(np.mean(others))
        found.append(
            make_row(
                SAY.label("row.others", n=len(others)), f"{name}.others", mean, percent(mean, 0), hue="grey"
            )
        )
    return found


def draw_answers(examples: Sequence[Example], found: Mapping[str, np.ndarray], word: int | None) -> dict:
    """Return a panel of bars for each predictor, and the prompt below."""
    rows = shown_labels(examples, *found.values())
    panels = [
        make_panel(SAY.label(f"panel.{name}"), ROOM, label_rows(name, p, rows)) for name, p in found.items()
    ]
    return join_panels(*panels, sum_=write_prompt(examples, word))


def write_prompt(examples: Sequence[Example], word: int | None) -> str:
    """Return examples and the word that is asked for on one line."""
    pairs = [f"{WORDS[x]} {LABELS[y]}" for x, y in examples]
    return " · ".join([*pairs, f"{WORDS[word]} ?"] if word is not None else pairs)


def draw_places(belief: Belief, examples: Sequence[Example], word: int) -> dict:
    """Return the posterior of the three places as bars."""
    best = belief.places.max()
    rows = [
        make_row(
            SAY.label(f"place.{a}"),
            f"place.{a}",
            float(p),
            percent(float(p), 0),
            note=" ".join(LETTERS[a]),
            kind="best" if p == best and p > 0 else "plain",
        )
        for a, p in enumerate(belief.places)
    ]
    return join_panels(make_panel(SAY.label("panel.places"), ROOM, rows), sum_=write_prompt(examples, word))


def curve_figure(curves: Mapping[str, Recorded]) -> Figure:
    """Return the mean bits after each number of examples, with 95% intervals."""
    figure = blank(420, SAY.label("axis.examples"), SAY.label("axis.bits"))
    for name, curve in curves.items():
        figure.add_trace(
            scatter(
                x=list(range(len(curve.loss))),
                y=curve.loss,
                error_y={"type": "data", "array": curve.margin, "thickness": 1.5, "width": 4},
                mode="lines+markers",
                line_color=COLOURS[name],
                line_dash=DASHES[name],
                line_width=3,
                name=SAY.label(f"predictor.{name}"),
            )
        )
    figure.update_xaxes(range=[-0.3, 11.3], dtick=1)
    figure.update_yaxes(range=[0, 1.05 * max(float(curve.loss.max()) for curve in curves.values())])
    return figure.update_layout(showlegend=True)


def draw_curves(curves: Mapping[str, Recorded]) -> Figure:
    """Return the curves as a story shows them."""
    return enlarge(curve_figure(curves), margin={**STORY_MARGIN, "t": 40})


def draw_head(examples: Sequence[Example], word: int, read: Read, head: tuple[int, int], place: int) -> dict:
    """Return where a head looks from the word that is asked for; matching words and their labels have a hue."""
    tokens = [part for x, y in examples for part in (WORDS[x], LABELS[y])]
    weights = read.weights[head]
    hues = {2 * len(examples): "ochre"}
    for i, (x, _) in enumerate(examples):
        if WORDS[x][place] == WORDS[word][place]:
            hues |= {2 * i: "ochre", 2 * i + 1: "blue"}
    return attention_arrows([*tokens, WORDS[word]], weights, 2 * len(examples), int(weights.argmax()), hues)


def draw_breaks(whole: Recorded, broken: Recorded) -> dict:
    """Return bits and accuracy after the most examples, as the model is and with one piece broken."""
    panels = []
    for name, values, text, most in (
        ("bits", (whole.loss[-1], broken.loss[-1]), "{:.2f}", 1.2 * max(broken.loss[-1], whole.loss[-1])),
        ("right", (whole.accuracy[-1], broken.accuracy[-1]), "{:.0%}", ROOM),
    ):
        rows = [
            make_row(
                SAY.label(f"row.{which}"),
                f"{name}.{which}",
                float(value),
                text.format(value),
                hue="blue" if which == "intact" else "vermillion",
            )
            for which, value in zip(("intact", "changed"), values, strict=True)
        ]
        panels.append(make_panel(SAY.label(f"panel.{name}"), float(most), rows))
    return join_panels(*panels)


def draw_random(right: float, random: float, told: bool) -> dict:
    """Return the accuracy with the rule's labels and with random ones, which is open until it is told."""
    rows = [
        make_row(SAY.label("row.rule"), "row.rule", right, percent(right, 0)),
        make_row(
            SAY.label("row.random"),
            "row.random",
            random if told else 0,
            percent(random, 0) if told else "?",
            hue="vermillion",
            kind="plain" if told else "open",
        ),
    ]
    return join_panels(make_panel(SAY.label("panel.right"), ROOM, rows))


def order_figure(found: np.ndarray, bayes: float) -> Figure:
    """Return how many orders give the right label which probability, and Bayes' single value as a line."""
    counts, edges = np.histogram(found, bins=20, range=(0, 1))
    figure = blank(420, SAY.label("axis.probability"), SAY.label("axis.orders"))
    figure.add_trace(
        bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=0.045,
            marker_color=BLUE,
            name=SAY.label("predictor.model"),
        )
    )
    line = scatter(
        x=[bayes, bayes],
        y=[0, int(counts.max())],
        mode="lines",
        line_color=GREEN,
        line_dash="dot",
        line_width=3,
        name=SAY.label("predictor.bayes"),
    )
    figure.add_trace(line)
    figure.update_xaxes(range=[0, 1.02], tickformat=".0%")
    if counts.max() < 10:
        figure.update_yaxes(dtick=1)
    return figure.update_layout(showlegend=True)


def draw_orders(found: np.ndarray, bayes: float) -> Figure:
    """Return the orders as a story shows them."""
    return enlarge(order_figure(found, bayes), margin={**STORY_MARGIN, "t": 40})


def costs_figure(costs: np.ndarray, intact: float) -> Figure:
    """Return the mean bits without each head, and those of the model as it is."""
    layers, heads = costs.shape
    names = [f"{layer + 1}.{head + 1}" for layer in range(layers) for head in range(heads)]
    figure = blank(320, SAY.label("axis.head"), SAY.label("axis.bits"))
    figure.add_trace(bar(x=names, y=costs.ravel(), marker_color=BLUE, name=SAY.label("key.without")))
    line = scatter(x=names, y=[intact] * len(names), mode="lines", line_color=GREY, line_dash="dash")
    figure.add_trace({**line, "name": SAY.label("key.intact")})
    figure.update_xaxes(type="category")
    return figure.update_layout(showlegend=True)


def answers_table(found: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return the probability of every label by every predictor."""
    return pd.DataFrame(
        {
            SAY.label("column.label"): LABELS,
            **{SAY.label(f"predictor.{name}"): p for name, p in found.items()},
        }
    )
