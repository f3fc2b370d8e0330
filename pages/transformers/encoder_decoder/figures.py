"""What the story of the encoder-decoder draws: both stacks, one block, one head; and the pictures of its lab."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure
from core.figures.frame import matrices, panel
from core.figures.machine import arrow, machine, node, point, vector
from core.figures.palette import BLUE, PINK
from core.figures.share_line import share_line
from core.models.self_attention.attention import AttentionTrace
from core.models.transformers.transformer_translation import Written
from core.models.translation.bottleneck import Estimate, wilson

FRENCH_HUE, ENGLISH_HUE, ATTENDS_HUE, FED_HUE = "ochre", "pink", "blue", "green"
HUES = {"self": ATTENDS_HUE, "masked": ATTENDS_HUE, "cross": ENGLISH_HUE, "feed_forward": FED_HUE}
ENCODER, DECODER = ("self", "feed_forward"), ("masked", "cross", "feed_forward")
FIRST, DIGITS = 2, 2  # numbers of a vector that are shown, and decimals with which their sums add up
ROWS = 10  # French words that have room below one another
LEAST = 0.005  # a weight below which no arrow is drawn
START = "<start>"
STYLES = {"transformer": (BLUE, "circle", "solid"), "recurrent": (PINK, "square", "dash")}
Say = Callable[..., str]  # a label by its key


# The story: both stacks.


def draw_whole(
    say: Say,
    english: str,
    french: str,
    layers: int,
    end: dict,
    now: Sequence[str] = (),
    cut: bool = False,
    stations: bool = False,
    memory: str = "",
) -> dict:
    """Return the encoder and the decoder beside each other, and the wire from the memory to every decoder block.

    `end` has what stands at the decoder's end: the title, kind, bars and state of a node. `cut` takes the wire away.
    """
    sides = (
        ("source", english, "english", 1, 0, ENGLISH_HUE),
        ("written", french, "french.again" if stations else "french", 53, 53, FRENCH_HUE),
    )
    nodes, arrows = [], []
    for key, text, note, x, small, hue in sides:
        where = (x, 0.5, 43, 10), (small, 0, 47, 16)
        nodes.append(node(key, "box", *where, title=text, note=say(f"box.{note}"), hue=hue))
        where = (9 if x < 50 else 63, 14, 28, 6), (small + 3, 19, 41, 5.5)
        nodes.append(node(f"embedding.{key}", "box", *where, title=say("box.embedding")))
    frames, wires = [], []
    for side, x, small, parts in (("encoder", 4, 1, ENCODER), ("decoder", 58, 54, DECODER)):
        for k in range(1, layers + 1):
            y, low = 23 + (k - 1) * 54 / layers, 27 + (k - 1) * 51 / layers
            high, deep = 54 / layers - 2, 51 / layers - 1.5
            where = (x, y, 38, high), (small, low, 45, deep)
            frames.append(node(f"{side}.{k}", "frame", *where, title=say(f"box.{side}", k=k)))
            room, close = (high - 6) / len(parts), (deep - 5) / len(parts)
            for i, part in enumerate(parts):
                key = f"{side}.{k}.{part}"
                where = (
                    (x + 5, y + 5.5 + i * room, 28, room - 0.9),
                    (small + 2, low + 4.6 + i * close, 41, close - 0.6),
                )
                state = "off" if cut and part == "cross" else "now" if part in now else ""
                nodes.append(node(key, "box", *where, title=say(f"box.{part}"), hue=HUES[part], state=state))
                if part == "cross":
                    wires.append((key, y + 5.5 + (i + 0.5) * room, low + 4.6 + (i + 0.5) * close))
    where = (9, 80, 28, 9), (1, 81, 45, 8.5)
    nodes += [
        node("memory", "box", *where, title=say("box.memory"), note=memory, hue=ENGLISH_HUE),
        node("output", "box", (63, 80, 28, 6), (55, 80, 43, 5.5), title=say("box.output"), hue=FRENCH_HUE),
        node("next", end["kind"], (57, 88.5, 39, 11.5), (52, 87.5, 48, 12.5), hue=FRENCH_HUE)
        | {key: end[key] for key in ("title", "bars", "state", "note") if key in end},
    ]
    arrows += [
        arrow("source", "embedding.source", hue=ENGLISH_HUE, weight=0.2),
        arrow("embedding.source", "memory", "stream", ENGLISH_HUE),
        arrow("written", "embedding.written", hue=FRENCH_HUE, weight=0.2),
        arrow("embedding.written", "output", "stream", FRENCH_HUE),
        arrow("output", "next", hue=FRENCH_HUE, weight=0.25),
    ]
    if not cut:
        nodes.append(point("bus", "dot", (50, 84.5), (49.5, 85), state="faint"))
        arrows.append(arrow("memory", "bus", "stream", ENGLISH_HUE))
        for i, (key, y, low) in enumerate(reversed(wires)):
            nodes.append(point(f"bus.{i}", "dot", (50, y), (49.5, low), state="faint"))
            arrows.append(arrow(f"bus.{i - 1}" if i else "bus", f"bus.{i}", "stream", ENGLISH_HUE))
            arrows.append(arrow(f"bus.{i}", key, "stream", ENGLISH_HUE))
    if stations:
        nodes += [
            node("back", "text", (99, 94, 0, 0), None),
            node("back.up", "text", (99, 5.5, 0, 0), None),
        ]
        arrows += [
            arrow("next", "back", "away", FRENCH_HUE, weight=0.3),
            arrow("back", "back.up", "away", FRENCH_HUE, weight=0.3),
            arrow("back.up", "written", hue=FRENCH_HUE, weight=0.3),
        ]
    return machine([*frames, *nodes], arrows)


# The story: the encoder's attention.


def draw_encoder(say: Say, words: Sequence[str], weights: np.ndarray, query: int, title: str) -> dict:
    """Return what one English word attends to in one head of the encoder, as the view "attention_arrows" draws it."""
    best = int(weights.argmax())
    hues = {query: FRENCH_HUE, best: ENGLISH_HUE}
    bars = [
        {"value": round(float(w), 4), "text": f"{w:.2f}" if w >= LEAST else "", "hue": hues.get(s)}
        for s, w in enumerate(weights)
    ]
    return {
        "most": 1.0,
        "tokens": [{"text": word, "hue": hues.get(s)} for s, word in enumerate(words)],
        "axes": {"key": say("axis.key"), "query": say("axis.query")},
        "rows": [{"title": title, "bars": bars}],
        "queries": [query],
        "links": [
            {"from": query, "to": s, "weight": round(float(w), 4), "hue": hues.get(s), "open": False}
            for s, w in enumerate(weights)
            if w >= LEAST
        ],
        "sum": "",
        "pick": False,
    }


# The story: one block of the decoder.


def draw_block(say: Say, k: int, newest: str, memory: str, vectors: Sequence[np.ndarray]) -> dict:
    """Return a decoder block enlarged: the stream before, what its three parts add, and the stream after."""
    most = float(max(np.abs(each[:FIRST]).max() for each in vectors))
    strip = [vector(each, most, FIRST, DIGITS) for each in vectors]
    x, small = 80, 82
    nodes = [
        node(f"decoder.{k}", "frame", (20, 12, 79, 76), (24, 11, 75.5, 78), title=say("box.decoder", k=k)),
        node("in", "text", (x, 10, 0, 0), (small, 10, 0, 0)),
        node("out", "text", (x, 89, 0, 0), (small, 89, 0, 0)),
        *(
            node(
                key,
                "cells",
                (x - 19, y, 38, 10),
                (30, low, 69, 10),
                title=say(f"row.{key}", word=newest),
                hue=FRENCH_HUE,
                cells=cells,
            )
            for key, y, low, cells in (("before", 0, 0, strip[0]), ("after", 90, 90, strip[-1]))
        ),
    ]
    arrows = [arrow("in", "out", "stream", FRENCH_HUE)]
    reads = {
        "masked": ("written", say("box.french"), FRENCH_HUE),
        "cross": ("memory", memory, ENGLISH_HUE),
    }
    for i, part in enumerate(DECODER):
        y = 17 + i * 23.5
        key, cells = f"decoder.{k}.{part}", f"added.{part}"
        nodes += [
            node(
                key, "box", (26, y - 1, 24, 9), (27, y - 1, 33, 8), title=say(f"box.{part}"), hue=HUES[part]
            ),
            node(f"norm.{part}", "box", (60, y, 9, 7), (65, y - 0.5, 12, 7), title=say("box.norm")),
            point(f"dot.{key}", "dot", (x, y + 3.5), (small, y + 3)),
            node(
                cells,
                "cells",
                (23, y + 9.5, 42, 10.5),
                (26, y + 9, 47, 11),
                title=say(f"row.{part}"),
                hue=HUES[part],
                cells=strip[1 + i],
            ),
            point(f"plus.{key}", "plus", (x, y + 17), (small, y + 17)),
        ]
        arrows += [
            arrow(f"dot.{key}", f"norm.{part}"),
            arrow(f"norm.{part}", key),
            arrow(key, cells, hue=HUES[part]),
            arrow(cells, f"plus.{key}", hue=HUES[part], weight=0.3),
        ]
        if part in reads:
            name, title, hue = reads[part]
            nodes.append(node(name, "box", (0.5, y - 3, 16, 14), (0, y - 2, 21, 14), title=title, hue=hue))
            arrows.append(arrow(name, key, hue=hue, weight=0.3))
    return machine(nodes, arrows)


# The story: one head of cross-attention.


def draw_cross(
    say: Say, english: Sequence[str], french: Sequence[str], end: str, weights: np.ndarray | None, head: str
) -> dict:
    """Return what the newest French word attends to in the memory; without weights every arrow is open.

    `french` are the words that the decoder has read, the newest last; `end` is the word that it writes next.
    """
    first = max(0, len(french) - ROWS)
    step, below = 92 / max(8, len(english)), 92 / max(8, min(len(french), ROWS))
    best = None if weights is None else int(weights.argmax())
    nodes = [
        node(
            "memory.title", "text", (0, 0, 24, 6), (0, 0, 36, 6), title=say("column.memory"), hue=ENGLISH_HUE
        ),
        node("french.title", "text", (78, 0, 22, 6), (66, 0, 34, 6), title=say("box.french"), hue=FRENCH_HUE),
        node(
            "head",
            "box",
            (43, 36, 22, 20),
            (38, 34, 27, 24),
            title=say("box.cross"),
            note="\n".join((head, say("row.asks", word=french[-1]))),
            hue=ENGLISH_HUE,
            state="now",
        ),
        node("next", "token", (44, 83, 20, 9), (37, 84, 30, 9), title=end, hue=FRENCH_HUE),
        node("next.title", "text", (44, 92.5, 20, 6), (37, 93.5, 30, 6), title=say("row.next")),
    ]
    arrows = [arrow("head", "next", "open", FRENCH_HUE, weight=0.2)]
    for s, word in enumerate(english):
        y, high = 7.5 + s * step, step * 0.84
        hue = ENGLISH_HUE if s == best else ""
        nodes.append(node(f"english.{s}", "token", (2, y, 17, high), (0, y, 25, high), title=word, hue=hue))
        if best is None:
            arrows.append(arrow(f"english.{s}", "head", "open", weight=0.15))
        elif weights[s] >= LEAST:
            arrows.append(arrow(f"english.{s}", "head", hue=hue, weight=float(weights[s])))
            note = f"{weights[s]:.2f}"
            where = (19.5, y, 7, high), (25.5, y, 11, high)
            nodes.append(node(f"weight.{s}", "text", *where, title=note, hue=ENGLISH_HUE))
    for t, word in enumerate(french[first:], first):
        y, newest = 7.5 + (t - first) * below, t == len(french) - 1
        hue = FRENCH_HUE if newest else ""
        where = (81, y, 17, below * 0.84), (72, y, 28, below * 0.84)
        nodes.append(node(f"french.{t}", "token", *where, title=word, hue=hue))
        if newest:
            arrows.append(arrow(f"french.{t}", "head", hue=FRENCH_HUE, weight=0.35))
    return machine(nodes, arrows)


def draw_score(
    say: Say,
    asks: tuple[str, np.ndarray],
    asked: tuple[str, np.ndarray],
    worked: str,
    scores: Sequence[dict],
    weights: Sequence[dict],
) -> dict:
    """Return how a query and a key become a score, and the scores of all English words their weights."""
    most = [float(np.abs(each[:3]).max()) for _, each in (asks, asked)]
    places = {
        "query": ((1, 4, 31, 14), (1, 0.5, 48, 14), FRENCH_HUE),
        "key": ((1, 30, 31, 14), (1, 19, 48, 14), ENGLISH_HUE),
    }
    nodes = [
        node(
            key,
            "cells",
            wide,
            narrow,
            title=say(f"row.{key}", word=word),
            hue=hue,
            cells=vector(each, most[i]),
        )
        for i, ((key, (wide, narrow, hue)), (word, each)) in enumerate(
            zip(places.items(), (asks, asked), strict=True)
        )
    ] + [
        node(
            "product",
            "box",
            (1, 60, 31, 18),
            (55, 9, 44, 17),
            title=say("row.product"),
            note=worked,
            hue=ATTENDS_HUE,
        ),
        node("scores", "bars", (38, 3, 28, 94), (1, 37, 98, 31), title=say("bars.scores"), bars=list(scores)),
        node(
            "weights", "bars", (71, 3, 28, 94), (1, 69, 98, 31), title=say("bars.weights"), bars=list(weights)
        ),
    ]
    arrows = [
        arrow("query", "key", "open", FRENCH_HUE, say("row.times"), 0.15),
        arrow("key", "product", hue=ENGLISH_HUE, weight=0.25),
        arrow("product", "scores", hue=ATTENDS_HUE, weight=0.25),
        arrow("scores", "weights", hue=ATTENDS_HUE, weight=0.25),
    ]
    return machine(nodes, arrows)


# The story: all words of a sentence.


def name_places(words: Sequence[str]) -> list[str]:
    """Return words so that two places of one word have two names.

    >>> name_places(["the", "car", "the"])
    ['the (1)', 'car', 'the (3)']
    """
    return [f"{each} ({s + 1})" if list(words).count(each) > 1 else each for s, each in enumerate(words)]


def draw_map(say: Say, french: Sequence[str], english: Sequence[str], weights: np.ndarray) -> dict:
    """Return one head's weights, a row a French word, as the view "word_matrix" draws them."""
    best = weights.argmax(1)
    return {
        "strip": [],
        "axes": {each: say(f"axis.{each}") for each in ("row", "column", "cell")},
        "rows": [{"text": word, "kind": "plain"} for word in name_places(french)],
        "columns": [{"text": word, "kind": "plain"} for word in name_places(english)],
        "cells": [
            [
                {
                    "text": f"{w:.2f}" if w >= LEAST else "",
                    "kind": "now" if s == best[t] else "plain",
                    "shade": round(float(w), 3),
                }
                for s, w in enumerate(row)
            ]
            for t, row in enumerate(weights)
        ],
        "side": None,
    }


def draw_mask(say: Say, french: Sequence[str], then: Sequence[str]) -> dict:
    """Return which words each row of the decoder may see in training, and which one it must predict."""
    T = len(french)
    return {
        "tokens": list(french),
        "axes": {"query": say("axis.reads"), "key": say("axis.seen")},
        "cells": [
            [
                {
                    "text": "",
                    "kind": "seen" if s <= t else "masked",
                    "shade": 0.6 if s <= t else 0.0,
                    "framed": s == t + 1,
                }
                for s in range(T)
            ]
            for t in range(T)
        ],
        "row": None,
        "chosen": None,
        "side": {"title": say("axis.predicts"), "texts": list(then), "low": [False] * T},
        "sum": "",
        "pick": False,
    }


# The lab.


def three_attentions(
    say: Say, made: Written, t: int, layer: int, head: int, inputs: Sequence[str], outputs: Sequence[str]
) -> dict:
    """Return one head's weights when word t is written: encoder, decoder and cross, as the view "steps" draws them.

    A row of the last two is named after the word that is written from it; columns are the words that it may look at.
    The encoder's are the same at every step: they are sent once, as what all steps share.
    """
    written, step = list(outputs[: t + 1]), made.steps[t]
    own = step.attention[layer].weights[0, head]
    hidden = step.attention[layer].masked[0, head] == -np.inf
    letters = max(map(len, [START, *inputs, *outputs]))
    S, T = len(inputs), len(outputs)
    decoder = say("panel.masked" if bool(hidden.any()) else "panel.decoder")
    own_weights, cross = own.masked_fill(hidden, np.nan).numpy(), step.cross[layer].weights[0, head].numpy()
    drawn = [
        attention_panel(say("panel.encoder"), None, inputs, inputs, (S, S, letters)),
        attention_panel(decoder, own_weights, written, [START, *written[:-1]], (T, T, letters)),
        attention_panel(say("panel.cross"), cross, written, inputs, (T, S, letters)),
    ]
    return matrices(drawn, written, inputs)


def attention_panel(
    title: str,
    weights: np.ndarray | None,
    rows: Sequence[str],
    columns: Sequence[str],
    room: tuple[int, int, int],
) -> dict:
    """Return one heat map with rows and columns of its own; without weights it shows those that all steps share.

    `room` is for how many rows, columns and letters of a name there will be in the end.

    >>> attention_panel("", None, ["a"], ["b", "c"], (1, 2, 1))["room"]
    {'rows': 1, 'columns': 2, 'letters': 1}
    """
    made = {"title": title, "width": len(columns)} if weights is None else panel(title, weights)
    names = {"rows": list(rows), "columns": list(columns)}
    return {**made, **names, "reach": 1, "room": dict(zip(("rows", "columns", "letters"), room, strict=True))}


def added_for_distance(trace: AttentionTrace, head: int, t: int, s: int) -> float:
    """Return b_ts, what a head adds to a scaled score for the distance of its two places; no mask hides them."""
    return float(trace.masked[0, head, t, s].double() - trace.scaled[0, head, t, s].double())


def by_length(quality: Mapping[str, float]) -> dict[str, dict[str, Estimate]]:
    """Return each translator's share right by the range of input words, as a card counts it.

    >>> card = {"pairs_3_to_7_words": 10, "right_3_to_7_words": 5, "recurrent_right_3_to_7_words": 10}
    >>> [(name, {at: each.value for at, each in of.items()}) for name, of in by_length(card).items()]
    [('transformer', {'3–7': 0.5}), ('recurrent', {'3–7': 1.0})]
    """
    ranges = [m.groups() for key in quality if (m := re.fullmatch(r"pairs_(\d+)_to_(\d+)_words", key))]
    return {
        name: {
            f"{a}–{b}": wilson(
                int(quality[f"{prefix}right_{a}_to_{b}_words"]), int(quality[f"pairs_{a}_to_{b}_words"])
            )
            for a, b in ranges
        }
        for name, prefix in (("transformer", ""), ("recurrent", "recurrent_"))
    }


def length_figure(say: Say, quality: Mapping[str, float], height: int = 360) -> Figure:
    """Return both translators' shares right against the length of the sentence, with 95% intervals."""
    figure = blank(height, say("axis.words"), say("axis.right"))
    for name, estimates in by_length(quality).items():
        figure.add_trace(share_line(say(f"name.{name}"), estimates, *STYLES[name]))
    figure.update_xaxes(type="category")
    return figure.update_yaxes(tickformat=".0%", range=[-0.03, 1.05])


def head_errors(quality: Mapping[str, float]) -> dict[tuple[int, int], float]:
    """Return the alignment error of each head of cross-attention, (layer, head) from 1, as a card tells it.

    >>> head_errors({"alignment_error_layer_2_head_3": 0.25})
    {(2, 3): 0.25}
    """
    named = {key: re.fullmatch(r"alignment_error_layer_(\d+)_head_(\d+)", key) for key in quality}
    return {(int(m[1]), int(m[2])): quality[key] for key, m in named.items() if m}
