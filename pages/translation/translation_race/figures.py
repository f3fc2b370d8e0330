"""Pictures of attention scores: each score as a machine, bars, weights in a grid; the lab's heat maps, losses, sums."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap, scatter
from core.figures.label import label
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node, vector
from core.figures.palette import BLUE, GREEN, OCHRE, PINK, SEQUENTIAL, VERMILLION
from core.figures.translation.decoder_step import DecoderStep, decoder_step, worked_score, worked_weight
from core.models.translation.translate import Translator
from core.models.translation.translation_race import GreedyTranslation, score_multiplications
from core.words.numbers import signed
from pages.translation.translation_race import LESSON

WORDS = LESSON.words
HUES = {"additive": "blue", "dot": "vermillion", "general": "green", "none": "pink"}
COLOURS = {"additive": BLUE, "dot": VERMILLION, "general": GREEN, "none": PINK}
DASHES = {"additive": "solid", "dot": "dash", "general": "dot", "none": "dashdot"}
QUERY, KEY = "ochre", "sky"  # the decoder's state, and an input word's
GOLD = {"color": OCHRE, "width": 1.5}
ROW, TALL = 15, 540  # pixels: a word of a heat map, and all of them at most
SMALL, ACROSS = 12, 320  # pixels: the smallest word; what all columns have together
LABELS_AT_MOST = 30  # words named along an axis; the hover label names each


# The story.


def draw_score(score: str, step: DecoderStep, s: int, output: str, word: str, parameters: int) -> dict:
    """Return a score as a machine (view "machine"): two states, what is learned between them, and one number."""
    say = WORDS.label
    most = float(max(np.abs(step.state[:3]).max(), np.abs(step.states[s][:3]).max()))
    H = len(step.state)
    places = {
        "query": ((1, 12, 31, 17), (2, 8, 46, 14)),
        "key": ((1, 70, 31, 17), (52, 8, 46, 14)),
        "query.matrix": ((36, 11, 16, 20), (11, 31, 28, 14)),
        "key.matrix": ((36, 69, 16, 20), (61, 31, 28, 14)),
        "sum": ((55, 37, 22, 25), (22, 55, 56, 15)),
        "score": ((81, 37, 18, 25), (22, 82, 56, 15)),
    }
    learned = {"dot": (), "general": ("key",), "additive": ("query", "key")}[score]
    nodes = [
        node(
            name,
            "cells",
            *places[name],
            title=say(f"machine.{name}", word=named),
            hue=hue,
            cells=vector(values, most),
        )
        for name, named, hue, values in (
            ("query", output, QUERY, step.state),
            ("key", word, KEY, step.states[s]),
        )
    ]
    nodes += [
        node(
            f"{name}.matrix",
            "box",
            *places[f"{name}.matrix"],
            title=say(f"machine.{score}.{name}"),
            note=say("machine.size", H=H),
            hue=HUES[score],
            state="now",
        )
        for name in learned
    ]
    nodes += [
        node(
            "sum",
            "box",
            *places["sum"],
            title=say(f"machine.{score}"),
            note=say(f"machine.{score}.note", H=H),
        ),
        node(
            "score",
            "box",
            *places["score"],
            title=say("machine.score", score=signed(float(step.scores[s]), 1)),
            hue=HUES[score],
            state="now",
        ),
    ]
    arrows = []
    for name, hue in (("query", QUERY), ("key", KEY)):
        path = (name, f"{name}.matrix", "sum") if name in learned else (name, "sum")
        arrows += [arrow(one, other, hue=hue) for one, other in pairwise(path)]
    arrows.append(arrow("sum", "score", hue=HUES[score], weight=0.3))
    return machine(nodes, arrows, say("machine.learned", name=say(f"score.{score}"), n=parameters))


def draw_bars(panels: Sequence[tuple[str, float, float, Sequence[Mapping[str, object]]]]) -> dict:
    """Return the data of the view "layer_bars": panels with their title, the ends of the scale, and bars from 0."""
    return join_panels(
        *(
            make_panel(
                title,
                most,
                [make_row(**row) for row in rows],
                least=least,
            )
            for title, least, most, rows in panels
        )
    )


def draw_grid(words: Sequence[str], output: str, weights: Mapping[str, np.ndarray | None]) -> dict:
    """Return the data of the view "token_grid": a row of weights for each score, None for one that is still hidden."""

    def cell(weight: float) -> dict:
        text = f"{weight:.2f}" if weight >= 0.005 else ""
        return {"kind": "level", "text": text, "share": round(float(min(1.0, weight)), 3)}

    hidden = [{"kind": "open", "text": "?", "share": 0.0}] * len(words)
    rows = [
        {
            "name": WORDS.label(f"score.{score}"),
            "total": "",
            "cells": hidden if row is None else [cell(float(weight)) for weight in row],
        }
        for score, row in weights.items()
    ]
    return {
        "columns": [{"text": word, "hue": None} for word in words],
        "gap": 0,
        "corner": WORDS.label("grid.corner"),
        "end": "",
        "rows": rows,
        "key": [{"kind": "level", "text": WORDS.label("grid.key")}],
        "sum": WORDS.label("grid.sum", word=output),
    }


# The lab.


def heat_figure(
    weights: np.ndarray | None,
    outputs: Sequence[str],
    inputs: Sequence[str],
    gold: Iterable[tuple[int, int]] = (),
) -> Figure:
    """Return weights (T, S) as a heat map, outputs down and inputs across, on the scale 0 to 1; `gold` is outlined.

    Without attention (None) there is one column: the context of every step is the encoder's last state, whole.
    """
    if weights is None:
        inputs, weights = ["h̄_last"], np.ones((len(outputs), 1))
    size = max(SMALL, min(FONT_SIZE, ACROSS // max(len(inputs), len(outputs))))
    figure = blank(80 + min(TALL, (ROW + size - SMALL) * len(outputs)))
    hover = [[f"{label(out)} ← {label(word)}" for word in inputs] for out in outputs]
    figure.add_trace(
        heatmap(
            z=weights, zmin=0, zmax=1, colorscale=SEQUENTIAL, showscale=False, xgap=1, ygap=1,
            customdata=hover, hovertemplate=WORDS.label("heat.hover") + "<extra></extra>",
        )
    )  # fmt: skip
    squares = [
        {"type": "rect", "x0": s - 0.5, "x1": s + 0.5, "y0": t - 0.5, "y1": t + 0.5, "line": GOLD}
        for t, s in gold
    ]
    return figure.update_layout(
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        shapes=squares,
        xaxis={
            "side": "top",
            "tickangle": -90,
            "range": [-0.5, len(inputs) - 0.5],
            **name_axis(inputs, size),
        },
        yaxis={"range": [len(outputs) - 0.5, -0.5], **name_axis(outputs, size)},
    )


def name_axis(words: Sequence[str], size: int) -> dict:
    """Return an axis with a word at each place, or at every so manieth where there are very many."""
    places = list(range(0, len(words), 1 + len(words) // LABELS_AT_MOST))
    return {
        "tickvals": places, "ticktext": [label(words[place]) for place in places],
        "title": {"text": "", "standoff": 0},
        "tickfont": {"size": size}, "showgrid": False, "zeroline": False,
    }  # fmt: skip


def loss_curves(losses: Mapping[str, Sequence[tuple[int, float]]], height: int = 340) -> Figure:
    """Return training losses, {score: [(step, loss)]}, on a logarithmic axis."""
    figure = blank(height, WORDS.label("axis.step"), WORDS.label("axis.loss"))
    for score, points in losses.items():
        steps, values = zip(*points, strict=True)
        line = {"color": COLOURS[score], "width": 2.5, "dash": DASHES[score]}
        figure.add_trace(
            scatter(x=steps, y=values, mode="lines", name=WORDS.label(f"score.{score}"), line=line)
        )
    return figure.update_yaxes(type="log", dtick=1)


def worked_multiplications(score: str, T: int, S: int, H: int, total: int) -> str:
    r"""Return LaTeX of how many multiplications all scores of a sentence take.

    >>> worked_multiplications("dot", 2, 3, 4, 24)
    'T S H = 2 \\cdot 3 \\cdot 4 = 24'
    """
    product = rf"{T} \cdot {S} \cdot {H}"
    rule, filled = {
        "none": ("0", "0"),
        "dot": ("T S H", product),
        "general": ("S H^2 + T S H", rf"{S} \cdot {H}^2 + {product}"),
        "additive": ("(T + S) H^2 + T S H", rf"({T} + {S}) \cdot {H}^2 + {product}"),
    }[score]
    return f"{rule} = {filled} = {total}"


def worked_step(
    score: str, translator: Translator, made: GreedyTranslation, words: Sequence[str], t: int
) -> tuple[str, list[str]]:
    """Return a score's formulas with its numbers at output word t, or its last, and the input word that weighs most."""
    own = min(t, len(made.translation.words) - 1)
    step = decoder_step(made.translation, own)
    s = int(step.weights.argmax())
    T, S, H = len(made.translation.words), len(words), translator.model.config.hidden
    count = worked_multiplications(score, T, S, H, score_multiplications(score, T, S, H))
    output = translator.target.words[made.translation.words[own]]
    named = {"t": own + 1, "output": output, "s": s + 1, "input": words[s]}
    return (
        WORDS.label("worked.step", score=WORDS.label(f"score.{score}"), **named),
        [worked_score(translator.model, step, s, own), worked_weight(step, s, own), count],
    )
