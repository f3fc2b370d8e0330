"""Pictures of ELMo: two streams that never meet, bars by layer, and what the lab draws of a sentence and its layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.layer_bars import make_panel, make_row
from core.figures.palette import BLUE, GREY, OCHRE, PINK
from core.figures.worked import worked_wilson
from core.models.pretraining.elmo import MIX, SINGLE, HeldOutAnswers
from core.models.pretraining.layer_mix import LayerMix
from core.words.numbers import percent, signed
from pages.pretraining.elmo import LESSON

WORDS = LESSON.words
HUES = {"NOUN": "green", "VERB": "vermillion", "ADJ": "sky", "ADV": "pink"}  # blue and ochre are directions
DIRECTION_HUES = {"→": "blue", "←": "ochre"}
WHOLE_ROWS = ("2", "2←", "2→", "1", "1←", "1→", "0")  # below the mix, from the top of the network down
LEFT_ROWS = ("2→", "1→", "0")
OPEN = "?"  # an error rate that is still to be guessed


def name_reading(reading: str) -> str:
    """Return what a reading is called: "1→" is layer 1 from the left."""
    return WORDS.label(f"reading.{key_of(reading)}")


def key_of(reading: str) -> str:
    """Return a reading's id in letters alone, as words.md and the marks of a picture have it.

    >>> key_of("1→"), key_of("mix")
    ('1_left', 'mix')
    """
    return reading.replace("→", "_left").replace("←", "_right")


# The story.


def draw_streams(
    words: Sequence[str],
    layout: str,
    chosen: Sequence[int] = (),
    at: int = -1,
    tags: Sequence[Sequence[dict]] = (),
) -> dict:
    """Return the data of the view "two_streams": boxes "apart" or "joined", the path of column `at`, tags by layer."""
    return {
        "words": list(words),
        "chosen": list(chosen),
        "layout": layout,
        "layers": [name_reading(layer) for layer in SINGLE],
        "streams": [WORDS.label("stream.ahead"), WORDS.label("stream.back")],
        "at": at,
        "tags": [list(row) for row in tags],
    }


def read_tags(h: np.ndarray, mixes: Mapping[str, LayerMix], chosen: Sequence[int]) -> list[list[dict]]:
    """Return the tag of every word of h (3, 2, n, C) by each layer alone; `chosen` words have their probability."""
    rows = []
    for layer in SINGLE:
        p = mixes[layer].tag_probabilities(h)
        rows.append(
            [
                {
                    "text": mixes[layer].classes[k],
                    "hue": HUES.get(mixes[layer].classes[k], "grey"),
                    "p": format_probability(float(p[t, k])) if t in chosen else "",
                    "kind": "now" if t in chosen else "faint",
                }
                for t, k in enumerate(p.argmax(axis=1))
            ]
        )
    return rows


def format_probability(p: float) -> str:
    """Return a probability as a box shows it; what is not quite 1 is not rounded to it.

    >>> format_probability(0.934), format_probability(0.9991), format_probability(1.0)
    ('93%', '>\N{NO-BREAK SPACE}99%', '100%')
    """
    return ">\N{NO-BREAK SPACE}99%" if 0.995 < p < 1 - 1e-9 else percent(p, 0)


def error_panel(
    title: str,
    rates: Mapping[str, float],
    names: Mapping[str, str],
    most: float,
    best: Sequence[str] = (),
    hidden: Sequence[str] = (),
    faint: Sequence[str] = (),
) -> dict:
    """Return a panel of error rates, a row for each key in the order given; those that are `hidden` are not sent."""
    rows = []
    for key, rate in rates.items():
        kind = "open" if key in hidden else "best" if key in best else "faint" if key in faint else "plain"
        hue = DIRECTION_HUES.get(key[-1:], "grey" if key in faint else "pink")
        shown = (most, OPEN) if key in hidden else (rate, percent(rate))
        rows.append(make_row(names[key], f"row.{key_of(key)}", shown[0], shown[1], kind=kind, hue=hue))
    return make_panel(title, most, rows)


def weight_panel(title: str, s: np.ndarray, names: Mapping[str, str]) -> dict:
    """Return a panel of the layers' weights s (3,), from the top layer down."""
    j = int(s.argmax())
    rows = [
        make_row(
            names[str(i)],
            f"weight.{i}",
            float(s[i]),
            f"{s[i]:.2f}",
            kind="best" if i == j else "plain",
            hue="grey",
        )
        for i in reversed(range(len(s)))
    ]
    return make_panel(title, 0.55, rows)


def sum_panel(mix: LayerMix, a: np.ndarray, k: int, hue: str, least: float, most: float) -> dict:
    """Return a panel that adds up the score of class k: the parts of the layers, a (3,), the bias, and their sum."""
    rows, at = [], 0.0
    for j in reversed(range(len(a))):
        part = float(mix.gamma * mix.s[j] * a[j])
        note = f"γ · {mix.s[j]:.3f} · {write_factor(a[j])}"
        name, text = name_reading(str(j)), signed(part, 2, "+")
        rows.append(
            make_row(name, f"part.{mix.classes[k]}.{j}", at + part, text, start=at, note=note, hue=hue)
        )
        at += part
    b = float(mix.b[k])
    bias = WORDS.label("row.bias")
    rows.append(make_row(bias, f"part.{mix.classes[k]}.b", at + b, signed(b, 2, "+"), start=at, hue=hue))
    z = at + b
    rows.append(
        make_row(WORDS.label("row.sum"), f"part.{mix.classes[k]}.z", z, signed(z, 2), kind="total", hue=hue)
    )
    return make_panel(mix.classes[k], most, rows, least=least)


def write_factor(value: float) -> str:
    """Return a factor of a product, in brackets where it is negative.

    >>> write_factor(8.366), write_factor(-1.263)
    ('8.37', '(−1.26)')
    """
    return f"({signed(value)})" if value < 0 else signed(value)


# The lab.


def draw_mix(
    words: Sequence[str],
    h: np.ndarray,
    mixes: Mapping[str, LayerMix],
    broken: bool,
    s: np.ndarray,
    asked: Sequence[bool],
    first: int,
    label: str,
) -> dict:
    """Return the data of the view "layer_mix": every layer's own row of the words (n), h (3, 2, n, C), and the parts.

    `s` are the weights as set, `asked` says which words the task classifies, `first` is the word that is chosen at first.
    """
    mix = mixes["mix→" if broken else MIX]
    weighed = dict(zip(("0", "1→", "2→") if broken else SINGLE, SINGLE, strict=True))
    rows = [
        row_of(reading, mixes[reading], h, asked) | {"layer": weighed.get(reading)}
        for reading in (LEFT_ROWS if broken else WHOLE_ROWS)
    ]
    return {
        "words": list(words),
        "classes": list(mix.classes),
        "hues": [HUES.get(tag, "grey") for tag in mix.classes],
        "asked": list(asked),
        "rows": rows,
        "parts": mix.parts(h).transpose(1, 0, 2).round(5).tolist(),  # (n, L, K)
        "b": mix.b.round(5).tolist(),
        "gamma": round(mix.gamma, 5),
        "names": list(SINGLE),
        "learned": mix.s.round(4).tolist(),
        "s": np.asarray(s).round(4).tolist(),
        "first": first,
        "label": label,
        "labels": {
            "name": name_reading("mix→" if broken else MIX),
            **{name: WORDS.label(f"mix.{name}") for name in ("weight", "slider", "keys")},
        },
    }


def row_of(reading: str, mix: LayerMix, h: np.ndarray, asked: Sequence[bool]) -> dict:
    """Return a reading's row: what it predicts for each word that the task classifies, and how surely."""
    p = mix.tag_probabilities(h)
    cells = [
        [mix.classes[k], float(q), HUES.get(mix.classes[k], "grey")] if is_asked else ["", 0.0, "grey"]
        for k, q, is_asked in zip(p.argmax(axis=1), p.max(axis=1), asked, strict=True)
    ]
    return {"name": name_reading(reading), "cells": cells}


def draw_errors(held_out: HeldOutAnswers, readings: Sequence[str], others: Mapping[str, float]) -> Figure:
    """Return the error rate of each reading with its 95% interval, and below it that of the course's other models."""
    figure = blank(60 + 34 * (len(readings) + len(others)), WORDS.label("axis.error"))
    names = [name_reading(each) for each in readings] + [WORDS.label(f"other.{each}") for each in others]
    errors = [1 - held_out.share(each) for each in readings] + [1 - share for share in others.values()]
    ends = [held_out.interval(each) for each in readings]
    reach = {
        "array": [(1 - low) - errors[i] for i, (low, _) in enumerate(ends)] + [0] * len(others),
        "arrayminus": [errors[i] - (1 - high) for i, (_, high) in enumerate(ends)] + [0] * len(others),
    }
    figure.add_trace(
        bar(
            x=errors,
            y=names,
            orientation="h",
            marker={"color": [PINK] * len(readings) + [GREY] * len(others)},
            error_x={"type": "data", "symmetric": False, **reach},
            hovertemplate="%{y}: %{x:.2%}<extra></extra>",
        )
    )
    figure.update_xaxes(tickformat=".0%", rangemode="tozero")
    return figure.update_yaxes(autorange="reversed", type="category").update_layout(showlegend=False)


def draw_weights(s: np.ndarray, again: np.ndarray) -> Figure:
    """Return the weights s (3,) of a task as bars, and those of every bootstrap sample, again (B, 3), as points."""
    figure = blank(300, "", WORDS.label("axis.weight"))
    layers = [name_reading(layer) for layer in SINGLE]
    figure.add_trace(bar(x=layers, y=s, name=WORDS.label("line.learned"), marker={"color": OCHRE}))
    figure.add_trace(
        scatter(
            x=layers * len(again),
            y=np.asarray(again).ravel(),
            mode="markers",
            name=WORDS.label("line.again"),
            marker={"size": 9, "color": GREY, "symbol": "circle-open", "line": {"width": 2}},
            hovertemplate="%{x}: %{y:.3f}<extra></extra>",
        )
    )
    return figure.update_yaxes(range=[0, 1.02]).update_layout(showlegend=True)


def draw_bits(words: Sequence[str], bits: np.ndarray) -> Figure:
    """Return the surprisal of every word in each direction, (2, n)."""
    figure = blank(280, "", WORDS.label("axis.bits"))
    places = list(range(len(words)))
    for row, name, colour in zip(bits, ("stream.ahead", "stream.back"), (BLUE, OCHRE), strict=True):
        figure.add_trace(bar(x=places, y=row, name=WORDS.label(name), marker={"color": colour}))
    ticks = [escape(word[:12], quote=False) for word in words]
    figure.update_xaxes(tickvals=places, ticktext=ticks, tickangle=-90 if len(words) > 8 else 0)
    return figure.update_layout(barmode="group", showlegend=True)


def name_columns(*keys: str) -> list[str]:
    """Return the headings of a table's columns."""
    return [WORDS.label(f"column.{key}") for key in keys]


def table_held_out(held_out: HeldOutAnswers) -> tuple:
    """Return how many each reading gets right with its interval, and the formula of its cells."""
    readings = list(held_out.right)
    ends = [held_out.interval(each) for each in readings]
    columns = name_columns("reading", "right", "of", "share", "low", "high")
    table = pd.DataFrame(
        dict(
            zip(
                columns,
                (
                    [name_reading(each) for each in readings],
                    [held_out.right[each] for each in readings],
                    held_out.n,
                    [held_out.share(each) for each in readings],
                    [low for low, _ in ends],
                    [high for _, high in ends],
                ),
                strict=True,
            )
        )
    )

    def formula(row: int, column: str) -> str | None:
        k = held_out.right[readings[row]]
        return worked_wilson(k, held_out.n, *ends[row]) if column in columns[3:] else None

    return table, formula


def table_rows(words: Sequence[str], h: np.ndarray, mixes: Mapping[str, LayerMix]) -> pd.DataFrame:
    """Return the most probable class of every word by each reading, with its probability."""
    table: dict[str, list] = {name_columns("word")[0]: list(words)}
    for reading, mix in mixes.items():
        name, p = name_reading(reading), mix.tag_probabilities(h)
        table[name] = [mix.classes[k] for k in p.argmax(axis=1)]
        table[f"{name}, p"] = p.max(axis=1)
    return pd.DataFrame(table)


def table_parts(words: Sequence[str], h: np.ndarray, mix: LayerMix) -> pd.DataFrame:
    """Return a_t,j of every word, layer and class, from which the weighted average is made by hand."""
    parts, (word, layer) = mix.parts(h), name_columns("word", "layer")
    rows = [
        {word: each, layer: mix.layers[j]} | dict(zip(mix.classes, parts[j, t], strict=True))
        for t, each in enumerate(words)
        for j in range(len(mix.layers))
    ]
    return pd.DataFrame(rows)
