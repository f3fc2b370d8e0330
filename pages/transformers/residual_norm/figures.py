"""The pictures of residual connections and norms: machines with and without a piece, lengths, directions, losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.figure import bar as plotted_bar
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node, point, share_bar
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, CATEGORIES, GREEN, GREY, OCHRE, VERMILLION, faded
from core.models.transformers.ablated_gpt import FORMS, WHOLE, Form
from core.models.transformers.ablated_gpts import Interval
from core.models.transformers.residual_stream import (
    ATTENTION,
    FEED_FORWARD,
    OFFSET,
    POSITION,
    TOKEN,
    Stream,
)
from core.words.numbers import signed
from pages.transformers.residual_norm import LESSON
from pages.transformers.shared import WORDS as SUBJECT

WORDS = LESSON.words
HUES = {ATTENTION: "blue", FEED_FORWARD: "green"}
STREAM = "ochre"
IDS = {WHOLE: "whole", **{form: form.replace(" ", "_").replace("-", "_") for form in FORMS if form != WHOLE}}
COLOURS = dict(zip(FORMS, CATEGORIES, strict=False))
PARTS = {
    TOKEN: "token",
    POSITION: "position",
    OFFSET: "offset",
    ATTENTION: "attention",
    FEED_FORWARD: "feed_forward",
}
HALF = 46.0  # per cent of the room that one machine of two has


def form_name(form: str) -> str:
    """Return how the lesson names a form of the model."""
    return WORDS.label(f"form.{IDS[form]}")


def part_name(part: str, short: bool = False) -> str:
    """Return how the lesson names a part of the stream, such as "attention 2"."""
    kind, _, layer = part.rpartition(" ")
    if kind in PARTS:
        return WORDS.label(f"short.{PARTS[kind]}" if short else f"part.{PARTS[kind]}", k=layer)
    return WORDS.label(f"part.{PARTS[part]}")


def say(key: str, **values: object) -> str:
    """Return a label of the lesson, or of its subject."""
    return (WORDS if WORDS.has(key) else SUBJECT).label(key, **values)


# The story: machines.


def draw_machine(
    side: str,
    form: Form,
    title: str,
    text: str,
    bars: Sequence[dict],
    named: str = "",
    x0: float = 0.0,
    width: float = HALF,
    notes: Mapping[str, str] | None = None,
    off: str = "",
) -> tuple[list[dict], list[dict]]:
    """Return one block of a model on its stream, with the text above it and bars below.

    `notes` {piece: text} stand at the first place of each piece, `off` is a piece that is drawn as left out.
    """
    notes, scale = dict(notes or {}), width / HALF

    def key(name: str) -> str:
        return f"{side}.{name}"

    def at(x: float, y: float, w: float, h: float) -> tuple[float, float, float, float]:
        return x0 + x * scale, y, w * scale, h

    def box(name: str, place: Sequence[float], label: str, hue: str = "", piece: str = "") -> dict:
        state = "off" if off and off == piece else ""
        title = f"{say(label)} {notes.pop(piece, '')}".strip()
        return node(key(name), "box", at(*place), title=title, hue=hue, state=state)

    def dot(name: str, kind: str, x: float, y: float, **more: object) -> dict:
        return point(key(name), kind, (x0 + x * scale, y), **more)

    sx = 40.0 if form.residual else 30.0
    nodes = [
        node(key("title"), "text", at(0, 0, HALF, 5), title=title),
        node(key("frame"), "frame", at(0, 29.5, HALF, 43.5)),
        node(key("text"), "token", at(1, 6, HALF - 1, 6), title=text, hue=STREAM),
        box("embedding", (25.5 if form.residual else 19.5, 14.5, 20.5, 5.6), "box.embedding"),
        node(key("bars"), "bars", at(0, 82.5, HALF, 17.5), title=named, bars=list(bars)),
        node(key("end"), "text", at(sx, 82, 0, 0)),
        node(key("repeat"), "text", at(0.5, 30, 30 if form.residual else 18, 5), title=say("box.repeat")),
    ]
    arrows = [arrow(key("text"), key("embedding"), hue=STREAM, weight=0.2)]
    nodes += [
        box("positions", (0.5, 21.5, 18, 5.6), "box.positions", "pink", "no_positions"),
        dot("plus.positions", "plus", sx, 24.3),
    ]
    if off != "no_positions":
        arrows.append(arrow(key("positions"), key("plus.positions"), hue="pink"))
    rows = ((ATTENTION, 38.0, 45.5), (FEED_FORWARD, 56.0, 63.5))
    final = "norm.final", (sx - 5.5, 74.2, 11, 5.4), "box.norm", "", "no_norm"
    if not form.residual:
        before = "embedding"
        for part, y in ((ATTENTION, 35.5), (FEED_FORWARD, 54.5)):
            nodes += [
                box(f"norm.{part}", (24.5, y, 11, 5.6), "box.norm", "", "no_norm"),
                box(
                    part,
                    (18.5, y + 8.7, 23, 6.6),
                    f"box.{PARTS[part]}",
                    HUES[part],
                    "no_feed_forward" if part == FEED_FORWARD else "",
                ),
            ]
            arrows += [
                arrow(key(before), key(f"norm.{part}"), "stream", STREAM),
                arrow(key(f"norm.{part}"), key(part), "stream", STREAM),
            ]
            before = part
        nodes.append(box(*final))
        return nodes, [*arrows, arrow(key(before), key("end"), "stream", STREAM)]
    arrows.append(arrow(key("embedding"), key("end"), "stream", STREAM))
    for part, y, back in rows:
        piece = "no_feed_forward" if part == FEED_FORWARD else ""
        nodes += [
            dot(f"dot.{part}", "dot", sx, y),
            box(part, (1.2, y - 3, 21.6, 6), f"box.{PARTS[part]}", HUES[part], piece),
            dot(f"turn.{part}", "dot", 11.5, back, state="faint"),
            dot(f"plus.{part}", "plus", sx, back),
        ]
        if "no_residual" in notes:
            place = at(sx + 1, back - 2.5, 5, 5)
            nodes.append(node(key(f"note.{part}"), "text", place, title=notes.pop("no_residual")))
        if form.norm == "post":
            nodes.append(box(f"norm.{part}", (sx - 5.5, back + 2.8, 11, 5.4), "box.norm"))
        else:
            nodes.append(box(f"norm.{part}", (25, y - 2.8, 10.8, 5.6), "box.norm", "", "no_norm"))
        if piece and off == piece:
            continue
        through = form.norm == "pre"
        arrows += [
            *(
                [arrow(key(f"dot.{part}"), key(f"norm.{part}")), arrow(key(f"norm.{part}"), key(part))]
                if through
                else [arrow(key(f"dot.{part}"), key(part))]
            ),
            arrow(key(part), key(f"turn.{part}"), "away", HUES[part]),
            arrow(key(f"turn.{part}"), key(f"plus.{part}"), hue=HUES[part], weight=0.25),
        ]
    if form.norm == "pre":
        nodes.append(box(*final))
    return nodes, arrows


def draw_two(left: tuple[list[dict], list[dict]], right: tuple[list[dict], list[dict]]) -> dict:
    """Return two machines side by side."""
    return machine([*left[0], *right[0]], [*left[1], *right[1]])


RIGHT = 100 - HALF  # where the right machine of two begins


def next_bars(p: np.ndarray, names: Sequence[str], n: int = 3) -> list[dict]:
    """Return the most probable next characters as bars of one scale, from 0 to 1."""
    order = np.argsort(-p, kind="stable")[:n].tolist()
    return [share_bar(names[i], float(p[i]), f"{float(p[i]):.0%}", STREAM, i == order[0]) for i in order]


def length_bars(lengths: Mapping[str, float], most: float) -> list[dict]:
    """Return lengths as bars."""
    return [share_bar(name, value / most, f"{value:.1f}", STREAM) for name, value in lengths.items()]


def draw_growth(stream: Stream, t: int, marked: str, token: str) -> dict:
    """Return the stream from the top down: what each sublayer adds to it, and how long it is afterwards."""
    lengths = stream.lengths[:, t].tolist()
    most, n = max(lengths), len(lengths)
    high = 94.0 / n
    nodes = [
        node("head.adds", "text", (0, 0, 27, 5.5), title=say("head.adds")),
        node("head.length", "text", (40, 0, 60, 5.5), title=say("head.length", token=token)),
        node("start", "token", (0, 6.6, 27, high * 0.7), title=say("head.start"), hue=STREAM),
        point("begin", "dot", (33, 6.6 + high * 0.35), state="faint"),
        node("end", "text", (33, 100, 0, 0)),
    ]
    arrows = [arrow("begin", "end", "stream", STREAM), arrow("start", "begin", "away", STREAM)]
    for i, value in enumerate(lengths):
        y = 6.4 + i * (93.0 / n)
        nodes.append(
            node(
                f"length.{i}",
                "bars",
                (40, y, 60, high * 0.8),
                bars=[share_bar("", value / most * 0.98, f"{value:.1f}", STREAM)],
            )
        )
        if not i:
            continue
        write = stream.writes[i - 1]
        kind = write.part.rpartition(" ")[0]
        nodes += [
            node(
                f"part.{i}",
                "box",
                (0, y, 27, high * 0.86),
                title=part_name(write.part),
                note=f"+ {float(write.added[t].norm()):.1f}",
                hue=HUES[kind],
                state="now" if write.part == marked else "",
            ),
            point(f"plus.{i}", "plus", (33, y + high * 0.43)),
        ]
        arrows.append(arrow(f"part.{i}", f"plus.{i}", hue=HUES[kind], weight=0.2))
    return machine(nodes, arrows)


def draw_norms(stream: Stream, copies: Sequence[float], t: int, token: str) -> dict:
    """Return for each sublayer how long the stream is that arrives, and how long its normalized copy."""
    arriving = [float(write.before[t].norm()) for write in stream.writes]
    most, n = max(arriving), len(arriving)
    nodes = [
        node("head.stream", "text", (0, 0, 27, 8), title=say("head.stream", token=token)),
        node("head.copy", "text", (43.5, 0, 27, 8), title=say("head.copy")),
    ]
    arrows, high = [], 91.0 / n
    for i, write in enumerate(stream.writes):
        y = 8.8 + i * high
        kind = write.part.rpartition(" ")[0]
        nodes += [
            node(
                f"stream.{i}",
                "bars",
                (0, y, 27, high * 0.8),
                bars=[share_bar("", arriving[i] / most, f"{arriving[i]:.1f}", STREAM)],
            ),
            node(f"norm.{i}", "box", (30.5, y + high * 0.06, 10, high * 0.68), title=say("box.norm")),
            node(
                f"copy.{i}",
                "bars",
                (43.5, y, 27, high * 0.8),
                bars=[share_bar("", copies[i] / most, f"{copies[i]:.1f}", "grey")],
            ),
            node(f"part.{i}", "box", (74, y, 26, high * 0.84), title=part_name(write.part), hue=HUES[kind]),
        ]
        arrows += [
            arrow(f"stream.{i}", f"norm.{i}"),
            arrow(f"norm.{i}", f"copy.{i}"),
            arrow(f"copy.{i}", f"part.{i}"),
        ]
    return machine(nodes, arrows)


# The story: bars, and vectors in a plane.


def draw_question(before: float, added: float, after: float, part: str, token: str) -> dict:
    """Return the lengths of two vectors and of their sum."""
    rows = [
        make_row(say("row.stream"), "row.stream", before, f"{before:.0f}", hue=STREAM),
        make_row(part, "row.added", added, f"{added:.0f}"),
        make_row(say("row.sum"), "row.sum", after, f"{after:.0f}", hue="green"),
    ]
    return join_panels(make_panel(say("title.sum", token=token), max(before, added, after) * 1.2, rows))


def draw_plane(before: float, added: float, after: float, cosine: float, part: str) -> Figure:
    """Return stream, addition and sum as arrows, true to length and angle, in the plane that holds them."""
    x, y = added * cosine, added * (1 - cosine**2) ** 0.5
    tip = (before + x, y)
    figure = blank(480)
    for (x0, y0), (x1, y1), colour in (
        ((0, 0), (before, 0), OCHRE),
        ((before, 0), tip, BLUE),
        ((0, 0), tip, GREEN),
    ):
        figure.add_annotation(
            x=x1,
            y=y1,
            ax=x0,
            ay=y0,
            xref="x",
            yref="y",
            axref="x",
            ayref="y",
            showarrow=True,
            arrowhead=2,
            arrowsize=1.1,
            arrowwidth=5,
            arrowcolor=colour,
            text="",
        )
    labels = (
        (before * 0.5, -2, say("plane.stream", length=f"{before:.0f}"), "top", "center"),
        (
            before + x / 2 + 2.5,
            y / 2 + 1,
            say("plane.added", part=part, length=f"{added:.0f}"),
            "bottom",
            "left",
        ),
        (tip[0] * 0.5 - 2, y * 0.5 + 2, say("plane.sum", length=f"{after:.0f}"), "bottom", "right"),
    )
    for lx, ly, text, vertical, side in labels:
        figure.add_annotation(
            x=lx, y=ly, text=text, showarrow=False, font={"size": 18}, xanchor=side, yanchor=vertical
        )
    figure.add_trace(
        scatter(x=[0], y=[0], mode="markers", marker={"size": 11, "color": GREY}, hoverinfo="skip")
    )
    figure.update_xaxes(range=[-6, before * 1.3], visible=False)
    figure.update_yaxes(range=[-12, y * 1.3], visible=False, scaleanchor="x")
    return figure.update_layout(showlegend=False)


def draw_shares(parts: Sequence[str], shares: Sequence[float], title: str) -> dict:
    """Return the shares of a logit, each bar beginning where the one above it ends; the last is their sum."""
    rows, at = [], 0.0
    for i, (part, share) in enumerate(zip(parts, shares, strict=True)):
        kind = part.rpartition(" ")[0]
        hue = HUES.get(kind, "pink" if part == POSITION else "grey" if part == OFFSET else STREAM)
        rows.append(
            make_row(part_name(part), f"row.share.{i}", at + share, signed(share, 2, "+"), start=at, hue=hue)
        )
        at += share
    rows.append(make_row(say("row.logit"), "row.logit", at, f"{at:.2f}", kind="total", hue=STREAM))
    edges = [each[side] for each in rows for side in ("from", "to")]
    return join_panels(make_panel(title, max(edges) * 1.02, rows, least=min(0.0, *edges)))


def draw_costs(title: str, costs: Mapping[str, float], best: str, shown: bool) -> dict:
    """Return what a model costs that was trained without each piece, or open bars before the answer."""
    most = max(costs.values())
    rows = [
        make_row(
            say(f"piece.{piece}"),
            f"row.{piece}",
            cost if shown else most / 2,
            f"+{cost:.2f}" if shown else "?",
            kind="open" if not shown else "best" if piece == best else "plain",
            hue="ochre",
        )
        for piece, cost in costs.items()
    ]
    return join_panels(make_panel(title, most * 1.05, rows))


def draw_explosion(
    with_norm: Sequence[float], without: Sequence[float], places: Sequence[str], last: str
) -> Figure:
    """Return the stream's length part by part in a model, and in the same model with its norms removed."""
    figure = blank(480, say("axis.parts"), say("axis.stream"))
    for values, colour, key in ((without, VERMILLION, "removed"), (with_norm, BLUE, "kept")):
        figure.add_trace(
            scatter(
                x=list(places),
                y=list(values),
                mode="lines+markers",
                line={"color": colour, "width": 4},
                marker={"size": 10},
                hovertemplate="%{x}: %{y:,.1f}<extra></extra>",
            )
        )
        i = len(places) - (3 if key == "removed" else 1)
        figure.add_annotation(
            x=places[i],
            y=float(np.log10(values[i])),
            text=say(f"line.{key}"),
            showarrow=False,
            font={"size": 18},
            xanchor="right",
            yanchor="bottom",
            xshift=-12 if key == "removed" else 8,
            yshift=6,
        )
    figure.add_annotation(
        x=places[-1],
        y=float(np.log10(without[-1])),
        text=f"<b>{last}</b>",
        showarrow=False,
        font={"size": 18},
        xanchor="right",
        yanchor="bottom",
        xshift=10,
        yshift=10,
    )
    figure.update_yaxes(type="log", dtick=1, range=[-0.1, 8.7])
    return figure.update_layout(showlegend=False)


# The lab.


def length_figure(stream: Stream, t: int, names: Sequence[str], height: int = 330) -> Figure:
    """Return the stream's length around each part at token t, what each part added, and the other tokens' lengths."""
    figure = blank(height, say("axis.parts"), say("axis.length"))
    places = [say("axis.start"), *(part_name(write.part, True) for write in stream.writes)]
    lengths = stream.lengths.numpy()  # (1 + writes, T)
    others = [(label, lengths[:, s]) for s, label in enumerate(numbered(names)) if s != t]
    if others:
        figure.add_trace(
            scatter(
                x=[place for _ in others for place in (*places, None)],
                y=[value for _, each in others for value in (*positive(each), None)],
                text=[label for label, _ in others for _ in (*places, None)],  # whose length it is
                mode="lines",
                line={"color": faded(GREY, 0.7), "width": 1},
                name=say("legend.others"),
                hoverinfo="skip",
            )
        )
    figure.add_trace(
        scatter(
            x=places[1:],
            y=positive([float(write.added[t].norm()) for write in stream.writes]),
            mode="markers",
            marker={"size": 13, "color": BLUE, "symbol": "diamond"},
            name=say("legend.added"),
            hovertemplate="%{x}: %{y:.2f}<extra></extra>",
        )
    )
    figure.add_trace(
        scatter(
            x=places,
            y=positive(lengths[:, t]),
            mode="lines+markers",
            line={"color": OCHRE, "width": 3},
            marker={"size": 9},
            name=say("legend.stream", token=escape_label(names[t])),
            hovertemplate="%{x}: %{y:.2f}<extra></extra>",
        )
    )
    return figure.update_yaxes(type="log", dtick=1)


def positive(values: Sequence[float]) -> list[float | None]:
    """Return values for a logarithmic axis, which has no place for 0.

    >>> positive([1.0, 0.0])
    [1.0, None]
    """
    return [float(value) if value > 0 else None for value in values]


def numbered(names: Sequence[str]) -> list[str]:
    """Return tokens with their places, as plotly shows them.

    >>> numbered(["the", "<s>"])
    ['1 the', '2 &lt;s&gt;']
    """
    return [f"{number} {escape_label(name)}" for number, name in enumerate(names, start=1)]


def signed_bars(
    parts: Sequence[str], values: Sequence[float], x: str, height: int = 330, name: str | None = None
) -> Figure:
    """Return a bar for each part from the top down, to the left and in another colour below 0; `name` is of them all."""
    figure = blank(height, x)
    figure.add_trace(
        plotted_bar(
            x=list(values),
            y=[part_name(part) for part in parts],
            name=name,
            orientation="h",
            marker_color=[BLUE if value >= 0 else VERMILLION for value in values],
            hovertemplate="%{y}: %{x:+.3f}<extra></extra>",
        )
    )
    return figure.update_yaxes(autorange="reversed", dtick=1)


def both_norms_figure(streams: Mapping[str, Stream], height: int = 320) -> Figure:
    """Return each named model's stream, part by part: its median length over the tokens, the smallest and the largest."""
    figure = blank(height, say("axis.parts"), say("axis.stream"))
    for name, stream in streams.items():
        lengths = stream.lengths.numpy()
        middle = np.median(lengths, axis=1)
        figure.add_trace(
            scatter(
                x=[say("axis.start"), *(part_name(write.part, True) for write in stream.writes)],
                y=middle,
                name=form_name(name),
                mode="lines+markers",
                line={"color": COLOURS[name], "width": 3},
                marker={"size": 9},
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": lengths.max(axis=1) - middle,
                    "arrayminus": middle - lengths.min(axis=1),
                    "thickness": 1.5,
                },
                hovertemplate="%{x}: %{y:.2f}<extra></extra>",
            )
        )
    return figure.update_yaxes(type="log", dtick=1)


def curves_figure(
    curves: Mapping[str, Sequence[np.ndarray]], every: int, marked: str = "", height: int = 360
) -> Figure:
    """Return the loss of all training runs by step: a line for each form and seed, the first seed's solid."""
    figure = blank(height, say("axis.step"), say("axis.loss"))
    for form, runs in curves.items():
        for number, curve in enumerate(runs):
            steps = every * (np.arange(len(curve)) + 0.5)
            look = {"color": COLOURS[form], "width": 5 if form == marked else 2.5}
            figure.add_trace(
                scatter(
                    x=steps,
                    y=curve,
                    name=form_name(form),
                    legendgroup=form,
                    showlegend=not number,
                    mode="lines",
                    line=look if not number else {**look, "dash": "dot", "width": 1.5},
                    hovertemplate="%{x:.0f}: %{y:.3f}",
                )
            )
    return figure


def costs_figure(losses: Mapping[str, np.ndarray], costs: Mapping[str, Interval], marked: str = "") -> Figure:
    """Return what each form costs in nats per character: a point for each held-out play, and the mean with its interval."""
    figure = blank(90 + 52 * len(costs), say("axis.more"))
    for form, cost in costs.items():
        more, name = losses[form] - losses[WHOLE], form_name(form)
        figure.add_trace(
            scatter(
                x=more,
                y=[name] * len(more),
                mode="markers",
                marker={"size": 7, "color": faded(COLOURS[form], 0.35)},
                hovertemplate="%{x:+.3f}<extra></extra>",
            )
        )
        figure.add_trace(
            scatter(
                x=[cost.mean],
                y=[name],
                mode="markers+text",
                text=[signed(cost.mean, 3, "+")],
                textposition="top center",
                marker={"size": 15 if form == marked else 11, "color": COLOURS[form], "symbol": "diamond"},
                error_x={
                    "type": "data",
                    "array": [cost.high - cost.mean],
                    "thickness": 3,
                    "color": COLOURS[form],
                },
                hovertemplate=f"{cost.low:+.3f} … {cost.high:+.3f}<extra></extra>",
            )
        )
    figure.update_yaxes(range=[len(costs) - 0.5, -0.9]).add_vline(0, line_dash="dot", line_color=GREY)
    return figure.update_layout(showlegend=False)
