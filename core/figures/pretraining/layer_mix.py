"""Layers and their mix: the sentence in rows, what each layer gets right, the weights of both tasks, and the surprise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION
from core.figures.worked import signed, worked_wilson
from core.models.pretraining.elmo import MIX, SENTIMENT, TAGS, HeldOut
from core.models.pretraining.layer_mix import LayerMix

HUES = {"NOUN": "blue", "VERB": "vermillion", "ADJ": "green", "ADV": "pink", "PRON": "sky", "DET": "ochre"}
RATING_HUES = ("vermillion", "blue")  # negative, positive
COLOURS = {TAGS: BLUE, SENTIMENT: OCHRE}
TASK_NAMES = {TAGS: "part-of-speech tags", SENTIMENT: "sentiment of films"}
NAMES = {
    "0": "layer 0",
    "1→": "layer 1 →",
    "1←": "layer 1 ←",
    "1": "layer 1",
    "2→": "layer 2 →",
    "2←": "layer 2 ←",
    "2": "layer 2",
    MIX: "mix",
    "mix→": "mix →",
}
WHOLE_ROWS = ("2", "2←", "2→", "1", "1←", "1→", "0")  # below the mix, from the top of the network down
LEFT_ROWS = ("2→", "1→", "0")


def mix_view(
    words: Sequence[str],
    h: np.ndarray,
    mixes: Mapping[str, LayerMix],
    broken: bool,
    s: np.ndarray,
    first: int,
    label: str,
) -> dict:
    """Return the data of the view: every layer's own row of the words (n), h (3, 2, n, C), and the mix's parts.

    `s` are the weights as set, `first` is the word that is chosen at first.
    """
    mix = mixes["mix→" if broken else MIX]
    rates = mix.classes == ("negative", "positive")
    weighed = dict(zip(("0", "1→", "2→") if broken else ("0", "1", "2"), ("0", "1", "2"), strict=True))
    rows = [
        row_of(reading, mixes[reading], h, rates) | {"layer": weighed.get(reading)}
        for reading in (LEFT_ROWS if broken else WHOLE_ROWS)
    ]
    return {
        "words": list(words),
        "classes": list(mix.classes),
        "hues": list(RATING_HUES) if rates else [HUES.get(tag, "grey") for tag in mix.classes],
        "rates": rates,
        "rows": rows,
        "parts": mix.parts(h).transpose(1, 0, 2).round(5).tolist(),  # (n, L, K)
        "b": mix.b.round(5).tolist(),
        "gamma": round(mix.gamma, 5),
        "names": ["0", "1", "2"],
        "learned": mix.s.round(4).tolist(),
        "s": np.asarray(s).round(4).tolist(),
        "first": first,
        "label": label,
    }


def row_of(reading: str, mix: LayerMix, h: np.ndarray, rates: bool) -> dict:
    """Return a reading's row: what it says of each word, how surely, and of the sentence."""
    if rates:
        shares = mix.shares(h)
        most = max(float(np.abs(shares).max()), 1e-9)
        cells = [[signed(z, 2, "+"), abs(float(z)) / most, RATING_HUES[int(z > 0)]] for z in shares]
        said = f"p({mix.classes[1]}) {mix.sentence_probabilities(h)[1]:.2f}"
        return {"name": NAMES[reading], "cells": cells, "said": said}
    p = mix.tag_probabilities(h)
    tags = [mix.classes[k] for k in p.argmax(axis=1)]
    cells = [[tag, float(q), HUES.get(tag, "grey")] for tag, q in zip(tags, p.max(axis=1), strict=True)]
    return {"name": NAMES[reading], "cells": cells, "said": ""}


def accuracy_figure(held_out: HeldOut, readings: Sequence[str], beside: Mapping[str, float]) -> Figure:
    """Return the share that each reading gets right with its 95% interval, and other models of the course as lines."""
    figure = blank(320, "", "right, held out")
    shares = [held_out.share(each) for each in readings]
    ends = np.array([held_out.interval(each) for each in readings])
    names = [NAMES[each] for each in readings]
    reach = {"array": ends[:, 1] - shares, "arrayminus": shares - ends[:, 0]}
    figure.add_trace(
        scatter(
            x=names,
            y=shares,
            name="with its 95% interval",
            mode="markers",
            marker={"size": 11, "color": BLUE},
            error_y={"type": "data", "symmetric": False, **reach},
            hovertemplate="%{x}: %{y:.2%}<extra></extra>",
        )
    )
    for (name, share), colour, dash in zip(
        beside.items(), (GREY, VERMILLION, OCHRE), ("dot", "dash", "dashdot"), strict=False
    ):
        line = {"color": colour, "width": 2, "dash": dash}
        figure.add_trace(scatter(x=names, y=[share] * len(names), name=name, mode="lines", line=line))
    return figure.update_yaxes(tickformat=".1%").update_xaxes(type="category")


def weights_figure(mixes: Mapping[str, LayerMix], ends: Mapping[str, np.ndarray]) -> Figure:
    """Return s of each task's mix, with what samples drawn again give: `ends` (3, 2) of each task."""
    figure = blank(320, "", "weight s")
    layers = [f"layer {j}" for j in range(3)]
    for task, mix in mixes.items():
        reach = {"array": ends[task][:, 1] - mix.s, "arrayminus": mix.s - ends[task][:, 0]}
        figure.add_trace(
            bar(
                x=layers,
                y=mix.s,
                name=TASK_NAMES[task],
                marker={"color": COLOURS[task]},
                error_y={"type": "data", "symmetric": False, **reach},
                hovertemplate="%{x}: %{y:.3f}<extra></extra>",
            )
        )
    return figure.update_layout(barmode="group").update_yaxes(range=[0, 1])


def small_weights(mixes: Mapping[str, LayerMix]) -> Figure:
    """Return s of each task's mix for a card."""
    figure = blank(300)
    for task, mix in mixes.items():
        figure.add_trace(bar(x=["0", "1", "2"], y=mix.s, name=task, marker={"color": COLOURS[task]}))
    return figure.update_layout(barmode="group")


def bits_figure(words: Sequence[str], bits: np.ndarray) -> Figure:
    """Return how surprised each direction is by every word, (2, n)."""
    figure = blank(280, "", "bits")
    places = list(range(len(words)))
    for row, name, colour in zip(bits, ("from the left", "from the right"), (BLUE, OCHRE), strict=True):
        figure.add_trace(bar(x=places, y=row, name=name, marker={"color": colour}))
    ticks = [escape(word[:12], quote=False) for word in words]
    figure.update_xaxes(tickvals=places, ticktext=ticks, tickangle=-90 if len(words) > 8 else 0)
    return figure.update_layout(barmode="group")


def held_out_table(held_out: HeldOut) -> tuple:
    """Return how many each reading gets right with its interval, and the formula of its cells."""
    names = list(held_out.right)
    ends = [held_out.interval(each) for each in names]
    table = pd.DataFrame(
        {
            "reading": [NAMES[each] for each in names],
            "right": [held_out.right[each] for each in names],
            "of": held_out.n,
            "share": [held_out.share(each) for each in names],
            "95% from": [low for low, _ in ends],
            "95% to": [high for _, high in ends],
        }
    )

    def formula(row: int, column: str) -> str | None:
        k = held_out.right[names[row]]
        return worked_wilson(k, held_out.n, *ends[row]) if column in ("share", "95% from", "95% to") else None

    return table, formula


def rows_table(words: Sequence[str], h: np.ndarray, mixes: Mapping[str, LayerMix]) -> pd.DataFrame:
    """Return what each reading says of every word: its likeliest class's probability, or its share of the rating."""
    table = {"word": list(words)}
    for reading, mix in mixes.items():
        if mix.classes == ("negative", "positive"):
            table[NAMES[reading]] = mix.shares(h)
        else:
            p = mix.tag_probabilities(h)
            table[NAMES[reading]] = [mix.classes[k] for k in p.argmax(axis=1)]
            table[f"{NAMES[reading]}, p"] = p.max(axis=1)
    return pd.DataFrame(table)


def parts_table(words: Sequence[str], h: np.ndarray, mix: LayerMix) -> pd.DataFrame:
    """Return a_t,j of every word, layer and class, from which the mix is made by hand."""
    parts = mix.parts(h)
    rows = [
        {"word": word, "layer": mix.layers[j]} | dict(zip(mix.classes, parts[j, t], strict=True))
        for t, word in enumerate(words)
        for j in range(len(mix.layers))
    ]
    return pd.DataFrame(rows)
