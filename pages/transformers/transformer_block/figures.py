"""What the story of the transformer block draws, and the lengths of what each part adds, for the lab."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, heatmap
from core.figures.figure import bar as plotted_bar
from core.figures.machine import (
    arrow,
    bare,
    machine,
    node,
    point,
    sentence,
    share_bar,
    vector,
)
from core.figures.palette import BLUE, OCHRE, SEQUENTIAL
from core.words.numbers import percent

ATTENTION, FEED_FORWARD = "attention", "feed_forward"
KINDS = (ATTENTION, FEED_FORWARD)
TOKEN, KEY, BLUE_HUE, GREEN_HUE = "ochre", "pink", "blue", "green"
HUES = {ATTENTION: BLUE_HUE, FEED_FORWARD: GREEN_HUE}
WIDE, NARROW = 70, 50  # where the stream runs, in per cent of the width
LINE = ((WIDE, 0.5, 6), (NARROW, 0.5, 7))  # of the sentence's last token: its middle, the top, the height
FIRST, DIGITS = (
    2,
    4,
)  # numbers of a row of the embedding tables, and decimals with which the shown sums add up
Say = Callable[..., str]  # a label by its key


def part_ids(layers: int) -> tuple[str, ...]:
    """Return the ids of the parts that add to the stream, block after block.

    >>> part_ids(1)
    ('attention.1', 'feed_forward.1')
    """
    return tuple(f"{kind}.{block}" for block in range(1, layers + 1) for kind in KINDS)


# The story: the whole machine.


def draw_whole(
    say: Say,
    tokens: Sequence[str],
    bars: Sequence[dict],
    layers: int,
    notes: Mapping[str, str] | None = None,
    named: str = "",
    off: str = "",
    stations: Mapping[str, str] | None = None,
    now: Sequence[str] = (),
) -> dict:
    """Return all blocks on the last token's stream, beside the streams of the tokens before it.

    `notes` stand at the parts, and `named` says what they are; `stations` say what runs on the stream.
    """
    notes, stations, last = notes or {}, stations or {}, len(tokens) - 1
    pills = sentence(tokens, *LINE, {last: TOKEN})
    nodes = [
        *pills,
        node("embedding", "box", (WIDE - 11, 10, 22, 6.5), (33, 9.5, 34, 7), title=say("box.embedding")),
        node("output", "box", (WIDE - 15, 85, 30, 8), (25, 73, 50, 7.5), title=say("box.output"), hue=TOKEN),
        node(
            "next", "bars", (3, 78, 42, 22), (4, 82, 92, 18), title=stations.get("next", ""), bars=list(bars)
        ),
    ]
    arrows = [
        arrow(f"token.{last}", "embedding", hue=TOKEN, weight=0.2),
        arrow("embedding", "output", "stream", TOKEN),
        arrow("output", "next", hue=TOKEN, weight=0.3),
    ]
    if named:
        nodes += [
            node("named", "text", (16, 11, 42, 6), None, title=say(named)),
            node("named.short", "text", None, (0, 9.5, 32, 7), title=say(f"{named}.short")),
        ]
    for key, places in STATIONS.items():
        if key in stations:
            nodes.append(node(f"station.{key}", "text", *places, title=stations[key], hue=TOKEN))
    for t in range(last):
        if (wide := pills[t]["wide"]) is not None:
            nodes.append(node(f"end.{t}", "text", (wide[0] + wide[2] / 2, 76, 0, 0), None))
            arrows.append(arrow(f"token.{t}", f"end.{t}", "away"))
    columns = [
        x + width / 2
        for x, _, width, _ in (pill["wide"] for pill in pills if pill["wide"])
        if x + width < WIDE - 28
    ]
    frames, each = [], 60.0 / layers
    for k in range(1, layers + 1):
        y, small = 18.5 + (k - 1) * each, 19.5 + (k - 1) * 51.2 / layers
        places = (1, y, 98, each - 2), (2, small, 96, 48 / layers)
        frames.append(node(f"block.{k}", "frame", *places, title=say("box.block", k=k)))
        for i, kind in enumerate(KINDS):
            found, ways = draw_part(say, f"{kind}.{k}", i, places, notes, off, now)
            nodes, arrows = nodes + found, arrows + ways
        if stations and columns:
            for t, x in enumerate(columns):
                nodes.append(node(f"from.{k}.{t}", "dot", (x, y + each * 0.37, 0, 0), None))
                arrows.append(arrow(f"from.{k}.{t}", f"{ATTENTION}.{k}", hue=BLUE_HUE, weight=0.05))
    return machine([*frames, *nodes], arrows)


STATIONS = {
    "ids": ((WIDE + 12, 1, 18, 5), None),
    "stream": ((WIDE + 12, 11, 18, 5), (69, 9.5, 30, 7)),
}


def draw_part(
    say: Say,
    key: str,
    i: int,
    block: tuple[Sequence[float], Sequence[float]],
    notes: Mapping[str, str],
    off: str,
    now: Sequence[str],
) -> tuple[list[dict], list[dict]]:
    """Return one part beside the stream, and its ways there and back: attention is at the left, above the other."""
    (_, y, _, height), (_, small, _, low) = block
    kind = key.partition(".")[0]
    at, below = y + height * (0.06 + 0.46 * i), small + low * (0.04 + 0.48 * i)
    wide, narrow = (at, height * 0.44), (below, low * 0.45)
    left = i == 0
    found = [
        node(
            key,
            "box",
            (WIDE - 26 if left else WIDE + 8, wide[0], 19, wide[1]),
            (13 if left else 60, narrow[0], 27, narrow[1]),
            title=say(f"box.{kind}"),
            hue=HUES[kind],
            state="off" if key == off else "now" if key in now else "",
        )
    ]
    for name, high, deep in (("dot", 0.1, 0.1), ("plus", 0.34, 0.35)):
        found.append(point(f"{name}.{key}", name, (WIDE, at + height * high), (NARROW, below + low * deep)))
    if key in notes:
        beside = (WIDE - 34, wide[0], 7.5, wide[1]) if left else (WIDE + 8, y + height * 0.04, 19, wide[1])
        found.append(
            node(
                f"note.{key}",
                "text",
                beside,
                (1 if left else 87, narrow[0], 12, narrow[1]),
                title=notes[key],
                hue=HUES[kind],
            )
        )
    return found, [
        arrow(f"dot.{key}", key, weight=0.12),
        arrow(key, f"plus.{key}", hue=HUES[kind], weight=0.2),
    ]


def next_bars(
    p: np.ndarray, vocabulary: Sequence[str], n: int = 5, before: np.ndarray | None = None
) -> list[dict]:
    """Return the most probable next tokens as bars; upright marks are what was `before`."""
    order = np.argsort(-p, kind="stable")[:n].tolist()
    if before is not None and (was := int(before.argmax())) not in order:
        order = [*order[:-1], was]  # what was best stays in sight
    top = max(float(p.max()), 0.0 if before is None else float(before.max()))
    return [
        share_bar(
            bare(str(vocabulary[i])),
            float(p[i]) / top,
            percent(float(p[i]), 0),
            TOKEN,
            i == int(p.argmax()),
            None if before is None else float(before[i]) / top,
        )
        for i in order
    ]


# The story: parts of it, enlarged.


def draw_embedding(
    say: Say,
    tokens: Sequence[str],
    ids: tuple[int, int],
    shapes: Mapping[str, str],
    rows: Sequence[np.ndarray],
) -> dict:
    """Return a row of each of two tables, and their sum, which begins the stream."""
    last = len(tokens) - 1
    most = float(max(np.abs(each[:FIRST]).max() for each in rows))
    strip = [vector(each, most, FIRST, DIGITS) for each in rows]
    row = [say(f"row.{each}") for each in ("token", "position", "sum")]
    nodes = [
        *sentence(tokens, *LINE, {last: TOKEN}),
        node(
            "id", "box", (WIDE - 11, 15, 22, 8), (4, 14, 42, 9), title=say("token.id", id=ids[0]), hue=TOKEN
        ),
        node("position", "box", (16, 15, 22, 8), (54, 14, 42, 9), title=say("token.position", t=ids[1])),
        node(
            "table.token",
            "box",
            (WIDE - 14, 31, 28, 12),
            (4, 30, 42, 13),
            title=say("lookup.token"),
            note=shapes["token"],
        ),
        node(
            "table.position",
            "box",
            (13, 31, 28, 12),
            (54, 30, 42, 13),
            title=say("lookup.position"),
            note=shapes["position"],
        ),
        node(
            "row.token",
            "cells",
            (WIDE - 17, 50, 34, 12),
            (4, 50, 42, 14),
            title=row[0],
            hue=TOKEN,
            cells=strip[0],
        ),
        node("row.position", "cells", (10, 50, 34, 12), (54, 50, 42, 14), title=row[1], cells=strip[1]),
        point("plus", "plus", (WIDE, 72), (25, 73)),
        node("turn", "dot", (27, 72, 0, 0), (75, 73, 0, 0), state="faint"),
        node("x", "cells", (WIDE - 17, 80, 34, 12), (4, 80, 42, 13), title=row[2], hue=TOKEN, cells=strip[2]),
        node("out", "text", (WIDE, 100, 0, 0), (25, 100, 0, 0)),
    ]
    arrows = [
        arrow(f"token.{last}", "id", hue=TOKEN),
        arrow("id", "table.token", hue=TOKEN),
        arrow("position", "table.position"),
        arrow("table.token", "row.token", hue=TOKEN),
        arrow("table.position", "row.position"),
        arrow("row.token", "plus", hue=TOKEN),
        arrow("row.position", "turn", "away"),
        arrow("turn", "plus"),
        arrow("plus", "x", hue=TOKEN, weight=0.3),
        arrow("x", "out", "stream", TOKEN),
    ]
    return machine(nodes, arrows)


def draw_block(
    say: Say,
    tokens: Sequence[str],
    k: int,
    vectors: Sequence[np.ndarray] = (),
    hues: Mapping[int, str] | None = None,
) -> dict:
    """Return one block enlarged: the stream, what each part adds to it, and their sum; without vectors a question."""
    last, most = len(tokens) - 1, float(max((np.abs(each[:3]).max() for each in vectors), default=1))
    strip = [vector(each, most) for each in vectors]
    nodes = [
        node(f"block.{k}", "frame", (1, 9, 98, 84), (1, 9, 98, 84), title=say("box.block", k=k)),
        *sentence(tokens, (WIDE, 0.5, 6), (74, 0.5, 7), {last: TOKEN} | dict(hues or {})),
        node("in", "text", (WIDE, 8, 0, 0), (74, 8, 0, 0)),
        node("out", "text", (WIDE, 100, 0, 0), (74, 100, 0, 0)),
    ]
    arrows = [arrow("in", "out", "stream", TOKEN)]
    rows = ((ATTENTION, 26, 43, 23, 38), (FEED_FORWARD, 55, 72, 53, 68))
    for i, (kind, y, back, small, return_) in enumerate(rows):
        key, left = f"{kind}.{k}", i == 0
        state = "" if strip else "open"
        places = (45 if left else 75, y - 4, 9, 8), (32, small - 4, 18, 8)
        nodes.append(node(f"norm.{kind}", "box", *places, title=say("box.norm")))
        nodes.append(
            node(
                key,
                "box",
                (12, y - 6, 24, 12) if left else (86, y - 6, 12.7, 12),
                (2.5, small - 4.5, 25, 9),
                title=say(f"box.{kind}"),
                hue=HUES[kind],
                state=state,
                note="" if strip else "?",
            )
        )
        nodes.append(point(f"dot.{key}", "dot", (WIDE, y), (74, small)))
        nodes.append(point(f"plus.{key}", "plus", (WIDE, back), (74, return_)))
        arrows += [
            arrow(f"dot.{key}", f"norm.{kind}"),
            arrow(f"norm.{kind}", key),
        ]
        if strip:
            cells = (9, back - 6, 30, 12) if left else (74, back - 6, 24.7, 12)
            nodes.append(
                node(
                    f"added.{kind}",
                    "cells",
                    cells,
                    (2.5, return_ - 6, 48, 11.5),
                    title=say(f"row.{kind}"),
                    hue=HUES[kind],
                    cells=strip[1 + i],
                )
            )
            arrows += [
                arrow(key, f"added.{kind}", hue=HUES[kind]),
                arrow(f"added.{kind}", f"plus.{key}", hue=HUES[kind], weight=0.3),
            ]
        else:
            nodes.append(
                node(
                    f"turn.{kind}",
                    "dot",
                    (24, back, 0, 0) if left else (92, back, 0, 0),
                    (15, return_, 0, 0),
                    state="faint",
                )
            )
            arrows += [
                arrow(key, f"turn.{kind}", "away", HUES[kind]),
                arrow(f"turn.{kind}", f"plus.{key}", hue=HUES[kind], weight=0.3),
            ]
    if strip:
        nodes += [
            node(
                "x",
                "cells",
                (WIDE - 15, 10, 30, 11),
                (52, 9.5, 44, 10),
                title=say("row.before"),
                hue=TOKEN,
                cells=strip[0],
            ),
            node(
                "after",
                "cells",
                (WIDE - 15, 80, 30, 11),
                (52, 78, 44, 12),
                title=say("row.after"),
                hue=TOKEN,
                cells=strip[3],
            ),
        ]
    return machine(nodes, arrows)


def draw_attention(
    say: Say,
    tokens: Sequence[str],
    k: int,
    head: int,
    heads: int,
    weights: Sequence[float],
    added: np.ndarray,
) -> dict:
    """Return attention enlarged: how much of each token one head takes, and what all heads then add to the stream."""
    last, best = len(tokens) - 1, int(np.argmax(weights))
    hues = {last: TOKEN, best: KEY}
    notes = {t: f"{weight:.2f}" for t, weight in enumerate(weights) if t == best}
    pills = sentence(tokens, (86, 0.5, 11), (74, 1, 8), hues, notes)
    step = 100 / max(11, len(tokens))
    for t, pill in enumerate(pills):  # on a phone they stand below one another
        pill["narrow"] = [0.0, round(t * step, 2), 30.0, round(step * 0.9, 2)]
        if t != best:
            pill["wide"][1:4:2] = [3.5, 6.0]
    key = f"{ATTENTION}.{k}"
    stream, small = 86, 88
    nodes = [
        *pills,
        node("in", "text", (stream, 9.5, 0, 0), (small, 2, 0, 0)),
        node("out", "text", (stream, 100, 0, 0), (small, 100, 0, 0)),
        node(
            key,
            "box",
            (14, 44, 62, 17),
            (42, 34, 30, 22),
            title=say("box.attention"),
            note=say("box.head", head=head),
            hue=BLUE_HUE,
            state="now",
        ),
        point(f"dot.{key}", "dot", (stream, 52), (small, 45)),
        node(
            "added.attention",
            "cells",
            (21, 78, 36, 13),
            (34, 72, 44, 14),
            title=say("row.heads", n=heads),
            hue=BLUE_HUE,
            cells=vector(added, float(np.abs(added[:3]).max())),
        ),
        point(f"plus.{key}", "plus", (stream, 86), (small, 81)),
    ]
    arrows = [arrow("in", "out", "stream", TOKEN), arrow(f"dot.{key}", key, text="")]
    arrows += [
        arrow(f"token.{t}", key, hue=hues.get(t, "") if t == best else "", weight=max(0.0, float(weight)))
        for t, weight in enumerate(weights)
        if t == best or weight >= 0.015
    ]
    arrows += [
        arrow(key, "added.attention", hue=BLUE_HUE),
        arrow("added.attention", f"plus.{key}", hue=BLUE_HUE, weight=0.3),
    ]
    return machine(nodes, arrows)


def draw_feed_forward(
    say: Say, tokens: Sequence[str], k: int, read: np.ndarray, neurons: np.ndarray, added: np.ndarray
) -> dict:
    """Return the feed-forward network enlarged: its input, every neuron, and what it adds to the stream."""
    last, key = len(tokens) - 1, f"{FEED_FORWARD}.{k}"
    stream, small = 12, 12
    most = float(np.abs(neurons).max())
    shades = [round(float(each) / most, 2) if each > 0 else 0.0 for each in neurons]
    cells = {
        name: vector(values, float(np.abs(values[:3]).max()))
        for name, values in (("read", read), ("added", added))
    }
    nodes = [
        node(f"token.{last}", "token", (8, 1, 8, 7), (2, 0.5, 20, 7.5), title=bare(tokens[last]), hue=TOKEN),
        node("in", "text", (stream, 8.5, 0, 0), (small, 8.5, 0, 0)),
        node("out", "text", (stream, 100, 0, 0), (small, 100, 0, 0)),
        point(f"dot.{key}", "dot", (stream, 15), (small, 15)),
        node(
            "read",
            "cells",
            (34, 9, 36, 12),
            (32, 8, 60, 13),
            title=say("row.read"),
            hue=TOKEN,
            cells=cells["read"],
        ),
        node(
            key,
            "grid",
            (24, 31, 68, 42),
            (24, 31, 74, 40),
            title=say("neurons", n=len(neurons), active=int((neurons > 0).sum())),
            hue=GREEN_HUE,
            grid=shades,
        ),
        node(
            "added.feed_forward",
            "cells",
            (34, 83, 36, 13),
            (32, 81, 60, 14),
            title=say("row.feed_forward"),
            hue=GREEN_HUE,
            cells=cells["added"],
        ),
        point(f"plus.{key}", "plus", (stream, 91), (small, 89.5)),
    ]
    arrows = [
        arrow("in", "out", "stream", TOKEN),
        arrow(f"dot.{key}", "read", text=""),
        arrow("read", key, text=say("matrix.first")),
        arrow(key, "added.feed_forward", hue=GREEN_HUE, text=say("matrix.second")),
        arrow("added.feed_forward", f"plus.{key}", hue=GREEN_HUE, weight=0.3),
    ]
    return machine(nodes, arrows)


def draw_output(
    say: Say, last: str, stream: np.ndarray, logits: Sequence[dict], chances: Sequence[dict], shape: str
) -> dict:
    """Return how the last stream becomes logits and probabilities."""
    nodes = [
        node(
            "x",
            "cells",
            (2, 3, 30, 12),
            (2, 1, 46, 14),
            title=say("row.last", token=last),
            hue=TOKEN,
            cells=vector(stream, float(np.abs(stream[:3]).max())),
        ),
        node("norm.final", "box", (8, 31, 18, 9), (58, 5, 32, 9), title=say("box.norm")),
        node(
            "output",
            "box",
            (2, 58, 30, 17),
            (50, 22, 48, 15),
            title=say("lookup.output"),
            note=shape,
            hue=TOKEN,
        ),
        node(
            "logits", "bars", (38, 12, 27, 84), (1, 42, 98, 27), title=say("bars.logits"), bars=list(logits)
        ),
        node(
            "next", "bars", (71, 12, 28, 84), (1, 73, 98, 27), title=say("bars.chances"), bars=list(chances)
        ),
    ]
    arrows = [
        arrow("x", "norm.final", "stream", TOKEN),
        arrow("norm.final", "output", "stream", TOKEN),
        arrow("output", "logits", hue=TOKEN, weight=0.25),
        arrow("logits", "next", hue=TOKEN, weight=0.25),
    ]
    return machine(nodes, arrows)


# The lab: how long the vectors are that each part adds.


def added_figure(
    lengths: np.ndarray, names: Mapping[str, str], axis: str, blocks: Sequence[str], height: int = 260
) -> Figure:
    """Return the lengths (L, 2) of what attention and the feed-forward networks add at one token, as pairs of bars."""
    figure = blank(height, y=axis)
    for kind, values, colour in zip(KINDS, lengths.T, (BLUE, OCHRE), strict=True):
        hover = "%{x}, " + names[kind] + ": %{y:.2f}<extra></extra>"
        figure.add_trace(
            plotted_bar(x=list(blocks), y=values, name=names[kind], marker_color=colour, hovertemplate=hover)
        )
    figure.update_layout(barmode="group", bargap=0.3)
    return figure


def grid_of_lengths(lengths: np.ndarray) -> Figure:
    """Return the lengths (L, 2, T) as one still heat map: a row a part, the first on top, a column a token."""
    figure = blank(300, "token", "part")
    rows = lengths.reshape(-1, lengths.shape[-1])
    figure.add_trace(
        heatmap(z=rows, colorscale=SEQUENTIAL, zmin=0, showscale=False, hoverinfo="skip", xgap=2, ygap=2)
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False)
    figure.update_xaxes(showgrid=False, zeroline=False)
    return figure
