"""What the hidden state draws: the unrolled network, sums and gates of one unit, texts by a unit; the lab's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter, waterfall
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node, share_bar, vector
from core.figures.packed import packed
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION
from core.figures.token_label import label_token
from core.figures.worked import number, word
from core.models.recurrent_language_model import RecurrentLanguageModel, RecurrentTrace
from core.models.recurrent_models.telling_units import TellingUnit
from core.models.recurrent_models.weighted_sum import (
    GATES,
    TANH,
    WeightedSum,
    largest_terms,
    state_before,
    weighted_sum,
)
from core.words.numbers import percent, signed
from pages.recurrent_models.hidden_state import LESSON

WORDS = LESSON.words
TOP_TOKENS = 8
ROWS = 18
SIGNED = ("h", "n", "g", "c")
WIPED_EVERY = (1, 2, 4, 8, 16, 32, 64)
COLUMNS = 5  # of the unrolled network, the last characters that were read
NEXT, STATE, OLD = "vermillion", "blue", "green"  # hues of the machine


# The story.


def draw_unrolled(characters: Sequence[str], states: np.ndarray, bars: Sequence[tuple[str, float]]) -> dict:
    """Return the network unrolled over the last characters: `states` (T, H), and the most probable next characters."""
    nodes, arrows, first = [], [], len(characters) - COLUMNS
    most = float(np.abs(states[-COLUMNS:, :3]).max())
    for i in range(COLUMNS):
        t, narrow = first + i, i - (COLUMNS - 3)
        wide, small = 2 + 20 * i, 2 + 33 * narrow
        cells = vector(states[t], most, 3)
        title = WORDS.label("box.state.last" if i == COLUMNS - 1 else "box.state", back=COLUMNS - 1 - i)
        place = (small, 44, 30, 20) if narrow >= 0 else None
        nodes.append(node(f"h.{i}", "cells", (wide, 42, 16, 21), place, title=title, cells=cells, hue=STATE))
        token = label_token(characters[t])
        below = (small + 5, 78, 20, 16) if narrow >= 0 else None
        nodes.append(node(f"x.{i}", "token", (wide + 3, 78, 10, 16), below, title=token))
        arrows.append(arrow(f"x.{i}", f"h.{i}", weight=0.15))
        if i:
            arrows.append(arrow(f"h.{i - 1}", f"h.{i}", hue=STATE, weight=0.4))
    found = [
        share_bar(label_token(name), p / bars[0][1], percent(p, 0), NEXT, name == bars[0][0])
        for name, p in bars
    ]
    title = WORDS.label("box.next")
    nodes.append(node("next", "bars", (52, 1, 46, 30), (20, 1, 78, 31), title=title, bars=found))
    arrows.append(arrow(f"h.{COLUMNS - 1}", "next", hue=NEXT, weight=0.3))
    return machine(nodes, arrows)


def box(
    key: str, wide: Sequence[float], narrow: Sequence[float], hue: str, name: str = "", **values: object
) -> dict:
    """Return a box of the machine; `name` is the key of its words where two boxes share them."""
    words = {part: WORDS.label(f"box.{name or key}{end}", **values) for part, end in PARTS}
    return node(key, "box", wide, narrow, hue=hue, **words)


PARTS = (("title", ""), ("note", ".note"))


def draw_sum(values: Mapping[str, object]) -> dict:
    """Return one unit's new value: what the character adds, what the old state adds, the bias, their tanh."""
    nodes = [
        box("x", (2, 4, 27, 22), (1, 1, 31, 16), "", **values),
        box("from_x", (38, 4, 26, 22), (1, 27, 31, 16), NEXT, **values),
        box("old", (2, 38, 27, 22), (34.5, 1, 31, 16), OLD, **values),
        box("from_h", (38, 38, 26, 22), (34.5, 27, 31, 16), OLD, **values),
        box("bias", (38, 72, 26, 22), (68, 27, 31, 16), "", **values),
        box("sum", (73, 22, 25, 22), (25, 55, 50, 16), STATE, **values),
        box("tanh", (73, 60, 25, 24), (25, 81, 50, 18), STATE, **values) | {"state": "now"},
    ]
    ways = [
        arrow("x", "from_x", weight=0.2),
        arrow("old", "from_h", hue=OLD, weight=0.4),
        *(arrow(key, "sum", weight=0.2) for key in ("from_x", "from_h", "bias")),
        arrow("sum", "tanh", hue=STATE, weight=0.4),
    ]
    return machine(nodes, ways)


def draw_gates(rows: Sequence[Mapping[str, object]]) -> dict:
    """Return an LSTM's cell at two characters, a row each: old cell, times the forget gate, plus what is written."""
    nodes, ways = [], []
    for i, row in enumerate(rows):
        top, small = 4 + 50 * i, 1 + 50 * i
        places = {
            "read": ((1, top, 15, 36), (1, small, 46, 14)),
            "before": ((21, top, 17, 36), (52, small, 46, 14)),
            "kept": ((43, top, 17, 36), (1, small + 17, 46, 14)),
            "written": ((64, top, 17, 36), (52, small + 17, 46, 14)),
            "after": ((85, top, 14, 36), (52, small + 34, 46, 14)),
        }
        for key, (wide, narrow) in places.items():
            hue = {"kept": OLD, "written": NEXT, "after": STATE, "before": STATE}.get(key, "")
            nodes.append(box(f"{key}.{i}", wide, narrow, hue, key, **row))
        nodes[-1]["state"] = "now"
        ways += [
            arrow(f"before.{i}", f"kept.{i}", hue=OLD, weight=0.5 * float(row["f"])),
            arrow(f"kept.{i}", f"written.{i}", hue=STATE, weight=0.2),
            arrow(f"written.{i}", f"after.{i}", hue=STATE, weight=0.4),
        ]
    return machine(nodes, ways)


def draw_text(
    characters: Sequence[str], rows: Mapping[str, np.ndarray], values: Mapping[str, object]
) -> dict:
    """Return a text coloured by cells, {key of a row: one number for each character}; from 1 (pale) to -1 (strong)."""
    drawn = []
    for key, cells_of in rows.items():
        shares = np.clip((1 - cells_of) / 2, 0, 1)
        cells = [
            {
                "text": " " if character == " " else label_token(character),
                "share": round(float(share), 3),
                "ends": character == "\n",
            }
            for character, share in zip(characters, shares, strict=True)
        ]
        named = {
            "name": WORDS.label(f"row.{key}", **values),
            "mark": f"row.{key}",
            "note": WORDS.label(f"row.{key}.note", **values),
        }
        drawn.append({**named, "hue": "blue", "best": False, "cells": cells, "frames": []})
    ends = {name: WORDS.label(f"key.{name}", **values) for name in ("label", "least", "most")}
    layout = "rows-below" if len(rows) > 1 else "columns" if "\n" in characters else "one"
    return {"layout": layout, "key": ends, "rows": drawn}


Row = tuple[str, float, str]  # of a bar: the key of its label, its value, its text


def draw_bars(
    *panels: tuple[str, float, Sequence[Row]], best: str = "", hues: Mapping[str, str] | None = None
) -> dict:
    """Return the view "layer_bars": a panel for each (title, end of the scale, rows); the row `best` is framed."""
    return join_panels(
        *(
            make_panel(
                title,
                most,
                [
                    make_row(
                        WORDS.label(f"bar.{key}"),
                        f"bar.{key}",
                        float(value),
                        text,
                        kind="best" if key == best else "plain",
                        hue=(hues or {}).get(key, "blue"),
                    )
                    for key, value, text in rows
                ],
            )
            for title, most, rows in panels
        )
    )


# The lab.


def hidden_state_payload(
    name: str,
    values: np.ndarray,
    labels: Mapping[int, str],
    characters: Sequence[str],
    probabilities: np.ndarray | None,
    vocabulary: Sequence[str],
    unit: int,
    step: int,
) -> dict:
    """Return what the view `hidden_state` draws: `values` (T, H) of the units in `labels`, {unit: its label}.

    `probabilities` (T, V) are those of the next token at each step; None hides them.

    >>> payload = hidden_state_payload("h", np.eye(2), {1: "1"}, "ab", np.eye(2), "xy", 1, 0)
    >>> payload["rows"], payload["next"][1][0]
    ([{'unit': 1, 'label': '1'}], ['y', 1.0])
    """
    units = list(labels)
    rows = values[:, units].T
    signed = name in SIGNED
    return {
        "name": name,
        "characters": [label_token(character) for character in characters],
        "rows": [{"unit": int(each), "label": label} for each, label in labels.items()],
        "values": packed(rows),
        "reach": float(max(1.0, np.abs(rows).max())) if signed else 1.0,
        "next": [] if probabilities is None else [likeliest(p, vocabulary) for p in probabilities],
        "unit": int(unit),
        "step": int(step),
        "colours": [BLUE, VERMILLION],
    }


def rows_shown(values: np.ndarray, told: Sequence[TellingUnit], unit: int) -> dict[int, str]:
    """Return the units drawn, {unit: label}: the measured ones, the one looked at, and those that vary most.

    >>> rows_shown(np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.1]]), [], 0)
    {0: '0', 1: '1', 2: '2'}
    """
    labels: dict[int, str] = {}
    for each in told:
        both = [labels[each.unit]] if each.unit in labels else [str(each.unit)]
        labels[each.unit] = ", ".join([*both, WORDS.label(f"look.{each.feature}")])
    labels.setdefault(unit, str(unit))
    for other in np.argsort(-values.var(axis=0), kind="stable"):
        if len(labels) >= ROWS:
            break
        labels.setdefault(int(other), str(other))
    return labels


def likeliest(p: np.ndarray, vocabulary: Sequence[str]) -> list[list]:
    """Return the likeliest tokens as they are shown, with their probabilities, [[token, p]]."""
    return [[label_token(vocabulary[i]), float(p[i])] for i in np.argsort(-p, kind="stable")[:TOP_TOKENS]]


def named_terms(found: WeightedSum, most: int = 4) -> dict[str, float]:
    """Return the sum's parts in words: the character's, the bias, the largest of h_t-1, and the rest of these.

    They add up to `found.total`.
    """
    places = largest_terms(found.state_terms, most)
    largest = {WORDS.label("term.unit", k=k): float(found.state_terms[k]) for k in places}
    rest = float(np.delete(found.state_terms, places).sum())
    count = len(found.state_terms) - len(places)
    return {
        WORDS.label("term.character"): float(found.input_terms.sum()),
        WORDS.label("term.bias"): found.bias,
        **largest,
        WORDS.label("term.others", n=count): rest,
    }


def terms_figure(found: WeightedSum, most: int = 4, height: int = 330) -> Figure:
    """Return the sum as a staircase: each part starts where the one before ended; the last bar is the total."""
    parts = named_terms(found, most)
    figure = blank(height, WORDS.label("axis.total", name=found.name))
    figure.add_trace(
        waterfall(
            orientation="h",
            y=[*parts, WORDS.label("term.total")],
            x=[*parts.values(), 0],
            measure=["relative"] * len(parts) + ["total"],
            text=[signed(value, 3, "+") for value in parts.values()] + [signed(found.total, 3)],
            textposition="outside",
            textfont={"size": FONT_SIZE},
            constraintext="none",
            cliponaxis=False,
            increasing={"marker": {"color": BLUE}},
            decreasing={"marker": {"color": VERMILLION}},
            totals={"marker": {"color": GREY}},
            hoverinfo="y+text",
        )
    )
    reach = np.cumsum([0, *parts.values()])
    room = 0.4 * (reach.max() - reach.min() or 1)  # for the numbers, on a phone too
    figure.update_xaxes(range=[min(reach.min() - room, 0), max(reach.max() + room, 0)])
    return figure.update_yaxes(autorange="reversed")


def worked_sum(found: WeightedSum, character: str, most: int = 3) -> str:
    r"""Return the sum behind a unit's value filled in, as LaTeX lines: terms, the rest as a sum, total, squashed."""
    j, name = found.unit, found.name
    x_part = _largest(found.input_weights, found.x, most, "x_t")
    h_part = _largest(found.state_weights, found.state, most, "h_{t-1}")
    if found.scale != 1 and found.state.any():
        h_part = rf"{number(found.scale)}\,({say('gate')}\ r)\cdot\big({h_part}\big)"
    squash = r"\tanh" if name in TANH else r"\sigma"
    return (
        r"\begin{aligned}"
        rf"&{say('character')}\ {word(label_token(character))}:\ {x_part} = {number(found.input_terms.sum())}\\"
        rf"&{say('state')}\ h_{{t-1}}:\ {h_part} = {number(found.state_terms.sum())}\\"
        rf"&a = {number(found.input_terms.sum())} + ({number(found.state_terms.sum())}) + ({number(found.bias)})"
        rf"\ {say('bias')} = {number(found.total)}\\"
        rf"&{name}_t[{j}] = {squash}({number(found.total)}) = \mathbf{{{number(found.value)}}}"
        r"\end{aligned}"
    )


def _largest(weights: np.ndarray, values: np.ndarray, most: int, letter: str) -> str:
    """Return the largest products written out with their places, and the others as one number."""
    products = weights * values
    if not values.any():
        return say("zeros")
    places = largest_terms(products, most)
    terms = " + ".join(
        rf"\underset{{{k}}}{{{_bracketed(weights[k])}\cdot{_bracketed(values[k])}}}" for k in places
    )
    rest = float(np.delete(products, places).sum())
    left = len(products) - len(places)
    return terms + (rf" + \underset{{{say('others', n=left)}\ {letter}}}{{({number(rest)})}}" if left else "")


def say(key: str, **values: object) -> str:
    """Return a label as LaTeX text."""
    return rf"\text{{{WORDS.label(f'worked.{key}', **values)}}}"


def _bracketed(value: float) -> str:
    text = number(value, 3)
    return f"({text})" if value < 0 else text


def worked_mixture(
    cell: str, name: str, traced: RecurrentTrace, unit: int, t: int, before: np.ndarray
) -> str:
    """Return how an LSTM's c or h, or a GRU's h, is put together from the gates; `before` is c_t-1 or h_t-1, (H,)."""
    gate = {key: number(values[t, unit].item()) for key, values in traced.gates.items()}
    h, last = number(traced.hidden[t, unit].item()), number(float(before[unit]))
    if cell == "gru":
        return (
            rf"h_t[{unit}] = (1 - z)\, n + z\, h_{{t-1}} = (1 - {gate['z']}) \cdot ({gate['n']}) + "
            rf"{gate['z']} \cdot ({last}) = \mathbf{{{h}}}"
        )
    if name == "c":
        return (
            rf"c_t[{unit}] = f\, c_{{t-1}} + i\, g = {gate['f']} \cdot ({last}) + "
            rf"{gate['i']} \cdot ({gate['g']}) = \mathbf{{{gate['c']}}}"
        )
    return rf"h_t[{unit}] = o \tanh(c_t) = {gate['o']} \cdot \tanh({gate['c']}) = \mathbf{{{h}}}"


class Moment:
    """One step of a reading: what the network held before it, and every sum that it formed."""

    def __init__(
        self,
        network: RecurrentLanguageModel,
        traced: RecurrentTrace,
        t: int,
        wiped: int | None,
        character: str,
    ):
        self.network, self.traced, self.t, self.character = network, traced, t, character
        self.cell = network.config.cell
        self.sums = GATES[self.cell]  # the letters that are a squashed sum
        self.state, self.cell_state = state_before(traced, t, wiped)

    def sum(self, name: str, unit: int) -> WeightedSum:
        """Return the sum behind a letter's value for a unit."""
        return weighted_sum(self.network, self.traced, name, unit, self.t, self.state)

    def formula(self, name: str, unit: int) -> str:
        """Return how a letter's value for a unit was computed, as LaTeX with its numbers."""
        if name in self.sums:
            return worked_sum(self.sum(name, unit), self.character)
        before = self.cell_state if name == "c" else self.state
        return worked_mixture(self.cell, name, self.traced, unit, self.t, before)


def memory_figure(lengths: Sequence[int], bits: Sequence[float], whole: float, height: int = 320) -> Figure:
    """Return bits per character against how often the memory is wiped, with the whole memory as a line."""
    figure = blank(height, WORDS.label("axis.wiped"), WORDS.label("axis.bits"))
    figure.add_trace(
        scatter(
            x=list(lengths),
            y=list(bits),
            mode="lines+markers",
            line={"color": VERMILLION, "width": 3},
            marker={"size": 9},
            name=WORDS.label("axis.wiped"),
            hovertemplate="%{x}: %{y:.3f}<extra></extra>",
        )
    )
    figure.add_hline(whole, line={"color": BLUE, "width": 2, "dash": "dash"})
    figure.add_annotation(
        x=0,
        xref="paper",
        y=whole,
        text=WORDS.label("never_wiped", bits=whole),
        showarrow=False,
        yshift=-12,
        xanchor="left",
    )
    figure.update_xaxes(type="log", tickvals=list(lengths))
    return figure.update_layout(showlegend=False)


def frozen_figure(bits: Mapping[str, float], whole: float, height: int = 320) -> Figure:
    """Return bits per character with each gate held at one value, {label: bits}, and with moving gates."""
    figure = blank(height, WORDS.label("axis.bits"))
    parts = {WORDS.label("moving"): whole, **bits}
    figure.add_trace(
        bar(
            x=list(parts.values()),
            y=list(parts),
            orientation="h",
            text=[f"{value:.2f}" for value in parts.values()],
            textposition="outside",
            cliponaxis=False,
            marker={"color": [BLUE, *[OCHRE] * len(bits)]},
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    figure.update_xaxes(range=[0, 1.15 * max(parts.values())])
    return figure.update_yaxes(autorange="reversed")
