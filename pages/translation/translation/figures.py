"""What the story of the translator draws besides its columns: the encoder, a softmax, a context, and tables of weights."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, heatmap
from core.figures.figure import scatter as plotted
from core.figures.heat_map import write_in_cells
from core.figures.label import label
from core.figures.machine import arrow, machine, node, point, share_bar, vector
from core.figures.palette import OCHRE, SEQUENTIAL
from core.figures.translation.decoder_step import DecoderStep
from core.words.numbers import short_percent, signed
from pages.translation.shared.translator_columns import LOOKED, TOP, WRITTEN, Say, weight_said

HALF = 2  # numbers shown of each half of a state
FIRST = 2  # numbers 3 and 4 of a state: the first of those that the context beat shows, counted from 0
HEAVY = 3  # states that the context beat shows


def draw_encoder(say: Say, inputs: Sequence[str], states: np.ndarray, same: Sequence[int]) -> dict:
    """Return the encoder: a state in each direction for every word, and numbers of both; `same` words have a hue."""
    n, width = len(inputs), states.shape[1] // 2
    pitch = (100 - TOP) / n
    columns = {"in": ((0, 16), (0, 22)), "forward": ((24, 7), (25, 9)), "backward": ((39, 7), (44, 9))}
    columns["state"] = ((54, 46), (57, 43))
    nodes = [
        node(f"head.{key}", "text", *((x - 4, 0, w + 8, 5.5) for x, w in places), title=say(f"head.{key}"))
        for key, places in columns.items()
        if key != "in"
    ]
    arrows = []
    for s, word in enumerate(inputs):
        y, height, hue = TOP + pitch * (s + 0.14), pitch * 0.72, LOOKED if s in same else ""
        at = {key: [(x, y, w, height) for x, w in places] for key, places in columns.items()}
        halves = np.concatenate([states[s, :HALF], states[s, width : width + HALF]])
        nodes += [
            node(f"in.{s}", "token", *at["in"], title=word, hue=hue),
            node(f"forward.{s}", "box", *at["forward"]),
            node(f"backward.{s}", "box", *at["backward"]),
            node(f"state.{s}", "cells", *at["state"], hue=hue, cells=vector(halves, 1.0, 2 * HALF)),
        ]
        arrows += [arrow(f"in.{s}", f"forward.{s}"), arrow(f"forward.{s}", f"backward.{s}", "away")]
        arrows.append(arrow(f"backward.{s}", f"state.{s}"))
        if s:
            arrows.append(arrow(f"forward.{s - 1}", f"forward.{s}", hue="green", weight=0.2))
            arrows.append(arrow(f"backward.{s}", f"backward.{s - 1}", hue="pink", weight=0.2))
    return machine(nodes, arrows)


def draw_softmax(say: Say, inputs: Sequence[str], step: DecoderStep, read: str) -> dict:
    """Return the scores of all input words at one step, and the weights that a softmax makes of them."""
    best, most = int(step.scores.argmax()), float(step.scores.max())
    pairs = list(zip(inputs, step.scores.tolist(), step.weights.tolist(), strict=True))
    scores = [share_bar(w, e / most, signed(e, 1), LOOKED, s == best) for s, (w, e, _) in enumerate(pairs)]
    weights = [
        share_bar(w, a, weight_said(a) or "0.00", LOOKED, s == best) for s, (w, _, a) in enumerate(pairs)
    ]
    nodes = [
        node("h", "box", (0, 0, 43, 11), (0, 0, 43, 12), title=say("box.state", word=read), hue=WRITTEN),
        node("scores", "bars", (0, 18, 43, 82), (0, 18, 43, 82), title=say("bars.scores"), bars=scores),
        node("weights", "bars", (57, 18, 43, 82), (57, 18, 43, 82), title=say("bars.weights"), bars=weights),
    ]
    softmax = arrow("scores", "weights", text=say("box.softmax"), weight=0.3)
    return machine(nodes, [arrow("h", "scores", hue=WRITTEN, weight=0.3), softmax])


def draw_context(say: Say, inputs: Sequence[str], step: DecoderStep, vocabulary: Sequence[str]) -> dict:
    """Return the states with the largest weights, their weighted sum, and the output words that it makes probable."""
    shown = slice(FIRST, FIRST + HALF)
    nodes, arrows = [], []
    for i, s in enumerate(np.argsort(-step.weights)[:HEAVY].tolist()):
        y, weight = 7 + 17 * i, float(step.weights[s])
        title, hue = f"{weight:.3f} × {inputs[s]}", LOOKED if i == 0 else ""
        cells = vector(step.states[s, shown], 1.0, HALF, 3)
        nodes += [
            node(f"in.{i}", "token", (0, y, 18, 11), (0, y, 30, 11), title=title, hue=hue),
            node(f"state.{i}", "cells", (21, y, 25, 11), (32, y, 27, 11), hue=hue, cells=cells),
        ]
        arrows.append(arrow(f"state.{i}", "plus", hue=LOOKED, weight=max(0.15, weight)))
    context, h = (vector(each[shown], 1.0, HALF, 3) for each in (step.context, step.state))
    order = np.argsort(-step.probabilities)[:3].tolist()
    chances = [
        share_bar(
            vocabulary[i],
            p,
            short_percent(p),
            WRITTEN,
            i == order[0],
        )
        for i, p in zip(order, step.probabilities[order].tolist(), strict=True)
    ]
    nodes += [
        node("head.states", "text", (21, 0, 25, 5.5), (25, 0, 40, 5.5), title=say("head.states")),
        point("plus", "plus", (58, 29.5), (66.5, 29.5)),
        node(
            "c",
            "cells",
            (70, 20, 30, 17),
            (72, 18, 28, 19),
            title=say("cells.context"),
            hue=LOOKED,
            cells=context,
        ),
        node("h", "cells", (21, 58, 25, 16), (6, 58, 44, 17), title=say("cells.state"), hue=WRITTEN, cells=h),
        node(
            "join",
            "box",
            (65, 58, 35, 17),
            (62, 58, 38, 18),
            title=say("box.join"),
            note=say("box.join.note"),
        ),
        node("next", "bars", (14, 81, 86, 19), (0, 81, 100, 19), bars=chances),
    ]
    ways = [("plus", "c", LOOKED), ("c", "join", LOOKED), ("h", "join", WRITTEN), ("join", "next", WRITTEN)]
    return machine(nodes, arrows + [arrow(a, b, hue=hue, weight=0.25) for a, b, hue in ways])


def draw_weights(
    say: Say,
    weights: np.ndarray,
    outputs: Sequence[str],
    inputs: Sequence[str],
    framed: Sequence[tuple[int, int]] = (),
    texts: Mapping[str, tuple[float, float]] | None = None,
) -> Figure:
    """Return weights (T, S) as a heat map; `framed` cells (output, input) have an outline.

    Numbers stand in the cells, or else `texts` left of a place (input, output).
    """
    figure, angle = blank(560, say("axis.input"), say("axis.output")), 0 if texts else -50
    figure.add_trace(
        heatmap(
            z=weights,
            x=list(range(len(inputs))),
            y=list(range(len(outputs))),
            zmin=0,
            zmax=1,
            colorscale=SEQUENTIAL,
            showscale=False,
            xgap=1,
            ygap=1,
            text=[[number_in_cell(float(a)) for a in row] for row in weights],
            hovertemplate="%{z:.3f}<extra></extra>",
        )
    )
    if not texts:
        write_in_cells(figure)
    for text, (x, y) in (texts or {}).items():
        figure.add_annotation(x=x, y=y, text=text, xanchor="right", showarrow=False, font={"size": 18})
    rows, columns = ([label(each) for each in names] for names in (outputs, inputs))
    figure.update_xaxes(tickvals=list(range(len(inputs))), ticktext=columns, side="top", tickangle=angle)
    figure.update_yaxes(tickvals=list(range(len(outputs))), ticktext=rows, range=[len(outputs) - 0.5, -0.5])
    figure.update_xaxes(showgrid=False, zeroline=False, range=[-0.5, len(inputs) - 0.5])
    figure.update_yaxes(showgrid=False, zeroline=False, title={"standoff": 12})
    for t, s in framed:
        x, y = [s + d for d in (-0.5, 0.5, 0.5, -0.5, -0.5)], [t + d for d in (-0.5, -0.5, 0.5, 0.5, -0.5)]
        line = {"color": OCHRE, "width": 3}
        figure.add_trace(plotted(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False))
    return figure


def number_in_cell(weight: float) -> str:
    """Return a weight without its 0, as it stands in a small cell.

    >>> number_in_cell(0.786), number_in_cell(0.999), number_in_cell(0.01)
    ('.79', '>.99', '')
    """
    return weight_said(weight).replace("0.", ".") if weight >= 0.05 else ""


def by_length(quality: Mapping[str, float], measure: str) -> dict[str, float]:
    """Return a measure for each range of input lengths that a card tells.

    >>> by_length({"exact_match": 0.9, "exact_match_3_to_7_words": 1.0}, "exact_match")
    {'3–7': 1.0}
    """
    found = {}
    for name, value in quality.items():
        if lengths := re.fullmatch(rf"{measure}_(\d+)_to_(\d+)_words", name):
            found[f"{lengths[1]}–{lengths[2]}"] = value
    return found


def quality_figure(quality: Mapping[str, float], measure: str, x: str, y: str) -> Figure:
    """Return a measure of a model's card against the length of the sentence, without a line where it is not told."""
    figure, values = blank(280, x, y), by_length(quality, measure)
    if values:
        look = {"mode": "lines+markers", "marker": {"size": 10}, "line": {"width": 3}}
        hover = "%{x}: %{y:.1%}<extra></extra>"
        figure.add_trace(plotted(x=list(values), y=list(values.values()), hovertemplate=hover, **look))
    figure.update_xaxes(type="category")
    return figure.update_yaxes(tickformat=".0%", rangemode="tozero")
