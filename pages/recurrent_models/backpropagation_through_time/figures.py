"""What backpropagation through time draws: the unrolled network, one step back in numbers, bars for each state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node, share_bar, vector
from core.figures.token_label import label_token
from core.models.recurrent_models.unrolled_word import Unrolled
from core.words.numbers import signed
from pages.recurrent_models.backpropagation_through_time import LESSON

WORDS = LESSON.words
STATE, GRADIENT, WEIGHTS = "blue", "vermillion", "green"  # hues of the machine
COLUMNS = (0, 1, None, -2, -1)  # the states that are drawn: the first two and the last two
WIDE = (1, 17.5, 34, 50.5, 67)
NARROW = (0, 18, 35, 45, 63)


def draw_unrolled(read: Unrolled, loss: float, back: bool) -> dict:
    """Return the unrolled network: what it reads, its states, the loss. `back`: the gradient's way and its lengths."""
    nodes, arrows, keys = [], [], []
    for i, column in enumerate(COLUMNS):
        x, small = WIDE[i], NARROW[i]
        if column is None:
            here = node("more", "text", (x, 40, 13, 22), (small, 40, 8, 22), title="…")
            nodes, keys = [*nodes, here], [*keys, "more"]
            continue
        t = column % read.T
        values = {"t": t + 1, "norm": float(read.norms[t])}
        where = (small, 40, 15, 22)
        titles = {"title": WORDS.label("box.state", **values), "hue": STATE}
        if back:
            titles |= {"note": WORDS.label("box.state.note", **values), "hue": GRADIENT}
        nodes.append(node(f"h.{t}", "box", (x, 40, 13, 22), where, **titles))
        below = (small + 1, 76, 13, 13)
        token = label_token(read.characters[t])
        nodes.append(node(f"x.{t}", "token", (x + 2, 76, 9, 16), below, title=token))
        if not back:
            arrows.append(arrow(f"x.{t}", f"h.{t}", weight=0.15))
        keys.append(f"h.{t}")
    nodes.append(loss_box(read, loss, (84, 36, 15, 30), (81, 36, 19, 30)) | {"state": "now"})
    keys.append("loss")
    for i, (one, other) in enumerate(pairwise(keys)):
        if back:
            share = max(0.06, 0.5 * (i + 1) / len(keys))
            arrows.append(arrow(other, one, hue=GRADIENT, weight=share))
        else:
            arrows.append(arrow(one, other, hue=STATE, weight=0.3))
    return machine(nodes, arrows)


def loss_box(read: Unrolled, loss: float, wide: Sequence[float], narrow: Sequence[float]) -> dict:
    """Return the box of the loss, with the character that it is for."""
    values = {"loss": loss, "target": label_token(read.target), "t": read.T}
    words = {"title": WORDS.label("box.loss", **values), "note": WORDS.label("box.loss.note", **values)}
    return node("loss", "box", wide, narrow, hue=GRADIENT, **words)


def draw_last(read: Unrolled, loss: float) -> dict:
    """Return p - y as bars, a token each, and the gradient at the last state that they make."""
    p = read.automatic.probabilities.numpy()
    wrong = p - np.eye(len(p))[read.automatic.target]
    reach = float(np.abs(wrong).max())
    bars = [
        share_bar(
            label_token(token),
            abs(each) / reach,
            signed(float(each), 2),
            GRADIENT if each < 0 else "grey",
            each < 0,
        )
        for token, each in zip(read.tokens, wrong, strict=True)
    ]
    gradient = read.by_hand[-1].numpy()
    cells = vector(gradient, float(np.abs(gradient).max()), len(gradient), 2)
    nodes = [
        loss_box(read, loss, (2, 4, 40, 16), (2, 1, 96, 13)),
        node("p", "bars", (2, 26, 52, 72), (2, 17, 96, 54), title=WORDS.label("bars.wrong"), bars=bars),
        node(
            "g",
            "cells",
            (66, 48, 32, 22),
            (20, 78, 60, 20),
            title=WORDS.label("cells.gradient", t=read.T),
            cells=cells,
            hue=GRADIENT,
        ),
    ]
    return machine(nodes, [arrow("p", "g", hue=GRADIENT, text=WORDS.label("way.E"), weight=0.4)])


def draw_step(read: Unrolled) -> dict:
    """Return the last gradient, times the slopes, times W_h transposed: the gradient one step back."""
    T = read.T
    gradient, before = read.by_hand[-1].numpy(), read.by_hand[-2].numpy()
    slope = 1 - read.automatic.hidden[-1].numpy() ** 2
    reach = float(max(np.abs(gradient).max(), np.abs(before).max()))
    W = read.W_h.T.numpy()
    parts = [
        ("g", (2, 5, 28, 22), (2, 1, 46, 16), gradient, reach, GRADIENT, T),
        ("slope", (36, 5, 28, 22), (52, 1, 46, 16), slope, 1.0, STATE, T),
        ("product", (70, 5, 28, 22), (27, 22, 46, 16), gradient * slope, reach, GRADIENT, T),
        ("row.0", (36, 38, 28, 22), (2, 45, 46, 16), W[0], float(np.abs(W).max()), WEIGHTS, 1),
        ("row.1", (36, 66, 28, 22), (52, 45, 46, 16), W[1], float(np.abs(W).max()), WEIGHTS, 2),
        ("before", (70, 51, 28, 24), (27, 74, 46, 19), before, reach, GRADIENT, T - 1),
    ]
    nodes = [
        node(
            key,
            "cells",
            wide,
            narrow,
            title=WORDS.label(f"cells.{key}", t=t),
            cells=vector(values, most, len(values), 2),
            hue=hue,
        )
        for key, wide, narrow, values, most, hue, t in parts
    ]
    nodes[-1]["state"] = "now"
    ways = [
        arrow("g", "slope", weight=0.2),
        arrow("slope", "product", hue=GRADIENT, weight=0.3),
        arrow("row.0", "before", hue=WEIGHTS, weight=0.3),
        arrow("row.1", "before", hue=WEIGHTS, weight=0.3),
        arrow("product", "before", hue=GRADIENT, weight=0.4),
    ]
    return machine(nodes, ways)


Row = tuple[str, str, float, str]  # of a bar: its mark, its name, its value, its text


def draw_bars(
    title: str,
    most: float,
    rows: Sequence[Row],
    best: Sequence[str] = (),
    notes: Mapping[str, str] | None = None,
) -> dict:
    """Return the view "layer_bars" with one panel; the rows `best` are framed."""
    made = [
        make_row(
            name,
            f"row.{key}",
            min(float(value), 1.1 * most),
            text,
            note=(notes or {}).get(key, ""),
            kind="best" if key in best else "plain",
            hue=GRADIENT,
        )
        for key, name, value, text in rows
    ]
    return join_panels(make_panel(title, most, made))
