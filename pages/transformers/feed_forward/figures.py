"""What the story of the feed-forward layer draws as machines, and the lab's pictures and tables of one neuron."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap
from core.figures.figure import bar as plotted_bar
from core.figures.heat_map import write_in_cells
from core.figures.machine import arrow, bare, machine, node, point, sentence, share_bar, vector
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, OCHRE, SEQUENTIAL, VERMILLION, faded
from core.figures.worked import dot_product, number
from core.models.self_attention.gpt import GPT
from core.models.transformers.key_value_neurons import Firing, Waking, key, value
from core.words.numbers import percent, signed

TOKEN, OTHER, NEURON_HUE, PROMOTED, UNNAMED = "ochre", "pink", "green", "blue", "sky"
Say = Callable[..., str]  # a label by its key
BINS = 40
STRONG = 1.0  # an activation from which a token's bar is bold
AROUND = (8, 3)  # tokens shown before and after one that fires a neuron
WIDE_ROW, NARROW_ROW = 6, 12  # tokens a line at most: words, single characters
PHONE, LETTER = 350, 9  # pixels of a line on a phone, and of a letter


# The story: machines.


def draw_layer(
    say: Say,
    tokens: Sequence[str],
    neurons: np.ndarray,
    neuron: int,
    vectors: tuple[np.ndarray, np.ndarray],
) -> dict:
    """Return the layer at the last token: its input, every neuron with one of them framed, what it adds to the stream."""
    last, x, small = len(tokens) - 1, 88, 86
    most = float(np.abs(neurons).max())
    shades = [round(float(each) / most, 2) if each > 0 else 0.0 for each in neurons]
    read, added = (vector(each, float(np.abs(each[:3]).max())) for each in vectors)
    nodes = [
        *sentence(tokens, (x, 0.5, 7.5), (small, 0.5, 7), {last: TOKEN}),
        node("in", "text", (x, 8.5, 0, 0), (small, 8, 0, 0)),
        node("out", "text", (x, 100, 0, 0), (small, 100, 0, 0)),
        point("dot", "dot", (x, 19), (small, 16)),
        node(
            "read", "cells", (19, 12, 36, 12), (8, 8.5, 56, 13), title=say("row.read"), hue=TOKEN, cells=read
        ),
        node(
            "neurons",
            "grid",
            (2, 33, 72, 41),
            (0, 31, 76, 41),
            title=say("grid.neurons", n=len(neurons), active=int((neurons > 0).sum())),
            hue=NEURON_HUE,
            grid=shades,
            pick=neuron,
        ),
        node(
            "added",
            "cells",
            (19, 84, 36, 13),
            (8, 82, 56, 14),
            title=say("row.added"),
            hue=NEURON_HUE,
            cells=added,
        ),
        point("plus", "plus", (x, 92), (small, 90.5)),
    ]
    arrows = [
        arrow("in", "out", "stream", TOKEN),
        arrow("dot", "read"),
        arrow("read", "neurons", text=say("matrix.first")),
        arrow("neurons", "added", hue=NEURON_HUE, text=say("matrix.second")),
        arrow("added", "plus", hue=NEURON_HUE, weight=0.3),
    ]
    return machine(nodes, arrows)


def draw_key(
    say: Say,
    tokens: tuple[str, str],
    reads: tuple[np.ndarray, np.ndarray],
    k: np.ndarray,
    sums: tuple[float, float],
    activations: tuple[float, float],
) -> dict:
    """Return two tokens' vectors beside one neuron's key: their dot products, and what gelu leaves of them."""
    nodes = [
        node(
            "key",
            "cells",
            (35.5, 17, 29, 13),
            (27, 27, 46, 12),
            title=say("row.key"),
            hue=NEURON_HUE,
            cells=vector(k, float(np.abs(k[:3]).max())),
        )
    ]
    arrows = []
    for i, (name, hue, left, small) in enumerate(zip(tokens, (OTHER, TOKEN), (2, 69), (0, 53), strict=True)):
        middle = left + 14.5
        fires = activations[i] > 0
        nodes += [
            node(
                f"token.{i}",
                "token",
                (middle - 6, 1, 12, 8),
                (small + 13, 0.5, 21, 7.5),
                title=bare(name),
                hue=hue,
            ),
            node(
                f"read.{i}",
                "cells",
                (left, 17, 29, 13),
                (small, 12, 47, 12),
                title=say("row.read"),
                hue=hue,
                cells=vector(reads[i], float(max(np.abs(each[:3]).max() for each in reads))),
            ),
            node(
                f"sum.{i}",
                "box",
                (left, 43, 29, 13),
                (small, 46, 47, 13),
                title=say("box.product"),
                note=signed(sums[i], 1),
                hue=hue,
            ),
            node(f"gelu.{i}", "box", (left + 7, 64, 15, 8), (small + 12, 66, 23, 8), title=say("box.gelu")),
            node(
                f"activation.{i}",
                "box",
                (left, 81, 29, 16),
                (small, 82, 47, 16),
                title=say("box.activation", a=f"{max(0.0, activations[i]):.1f}"),
                note=say("state.fires" if fires else "state.inactive"),
                hue=NEURON_HUE if fires else "",
                state="now" if fires else "open",
            ),
        ]
        arrows += [
            arrow(f"token.{i}", f"read.{i}", hue=hue),
            arrow(f"read.{i}", f"sum.{i}", hue=hue),
            arrow("key", f"sum.{i}", hue=NEURON_HUE),
            arrow(f"sum.{i}", f"gelu.{i}", hue=hue),
            arrow(
                f"gelu.{i}", f"activation.{i}", hue=NEURON_HUE if fires else "", weight=0.3 if fires else 0.1
            ),
        ]
    return machine(nodes, arrows)


def draw_bars(say: Say, title: str, bars: Sequence[dict], key: str = "bars") -> dict:
    """Return a neuron's box and an arrow to bars about it."""
    nodes = [
        node(
            "neuron",
            "box",
            (1, 38, 21, 17),
            (25, 0.5, 50, 13),
            title=say("box.neuron"),
            note=say("box.layer"),
            hue=NEURON_HUE,
        ),
        node(key, "bars", (31, 2, 67, 96), (1, 20, 98, 79), title=title, bars=list(bars)),
    ]
    return machine(nodes, [arrow("neuron", key, hue=NEURON_HUE, weight=0.3)])


def token_bars(tokens: Sequence[str], activations: np.ndarray, skip: int = 1) -> list[dict]:
    """Return the activation at each token as bars; the start token is left out."""
    most = max(float(np.max(activations[skip:], initial=0.0)), 1e-6)
    return [
        share_bar(
            bare(token),
            max(0.0, float(a)) / most,
            f"{max(0.0, float(a)):.1f}",
            NEURON_HUE if a > 0 else "",
            a >= STRONG,
        )
        for token, a in list(zip(tokens, activations, strict=True))[skip:]
    ]


def draw_value(say: Say, token: str, a: float, v: np.ndarray, bars: Sequence[dict], shape: str) -> dict:
    """Return what a firing neuron adds to the stream, and the tokens whose embeddings that vector fits best."""
    x, small = 8, 10
    nodes = [
        node("token", "token", (x - 5, 1, 10, 8), (small - 9, 0.5, 18, 7.5), title=bare(token), hue=TOKEN),
        node("in", "text", (x, 9.5, 0, 0), (small, 8.5, 0, 0)),
        node("out", "text", (x, 100, 0, 0), (small, 100, 0, 0)),
        node(
            "neuron",
            "box",
            (20, 3, 31, 15),
            (28, 0.5, 66, 12),
            title=say("box.neuron"),
            note=say("note.activation", a=f"{a:.1f}"),
            hue=NEURON_HUE,
            state="now",
        ),
        node(
            "value",
            "cells",
            (20, 36, 31, 13),
            (28, 20, 66, 12),
            title=say("row.value"),
            hue=NEURON_HUE,
            cells=vector(v, float(np.abs(v[:3]).max()), digits=2),
        ),
        point("plus", "plus", (x, 44), (small, 27.5)),
        node("lookup", "box", (20, 72, 31, 18), (28, 39, 66, 11), title=say("box.lookup"), note=shape),
        node(
            "promoted", "bars", (60, 2, 39, 96), (14, 55, 86, 45), title=say("bars.promoted"), bars=list(bars)
        ),
    ]
    arrows = [
        arrow("in", "out", "stream", TOKEN),
        arrow("neuron", "value", hue=NEURON_HUE, text=say("times", a=f"{a:.1f}")),
        arrow("value", "plus", hue=NEURON_HUE, weight=0.3),
        arrow("value", "lookup"),
        arrow("lookup", "promoted", hue=PROMOTED, weight=0.25),
    ]
    return machine(nodes, arrows)


def draw_off(
    say: Say, tokens: Sequence[str], bars: Sequence[dict], states: tuple[str, str], ask: bool = False
) -> dict:
    """Return the neuron and the other neurons of its layer, each on or off, and the next token's probabilities."""
    last, x = len(tokens) - 1, 34
    notes = tuple(say("state.off" if state == "off" else "state.on") for state in states)
    nodes = [
        node("layer", "frame", (2, 20, 50, 60), (2, 13, 96, 27), title=say("box.mlp")),
        *sentence(tokens, (x, 0.5, 9), (68, 0.5, 7), {last: TOKEN}),
        node(
            "neuron",
            "box",
            (7, 31, 40, 17),
            (6, 20, 40, 16),
            title=say("box.neuron"),
            note="?" if ask else notes[0],
            hue=NEURON_HUE,
            state="open" if ask else states[0],
        ),
        node(
            "others",
            "box",
            (7, 57, 40, 17),
            (53, 20, 41, 16),
            title=say("box.others"),
            note=notes[1],
            state=states[1],
        ),
        node("next", "bars", (61, 6, 38, 92), (2, 47, 96, 52), title=say("bars.next"), bars=list(bars)),
    ]
    arrows = [
        arrow(f"token.{last}", "layer", "stream", TOKEN),
        arrow("layer", "next", hue=TOKEN, weight=0.3),
    ]
    return machine(nodes, arrows)


def next_bars(
    order: Sequence[int], p: np.ndarray, names: Sequence[str], was: np.ndarray | None = None
) -> list[dict]:
    """Return chosen tokens' probabilities as bars; upright marks are what they were."""
    top = max(float(max(p[i], 0.0 if was is None else was[i])) for i in order)
    return [
        share_bar(
            names[i],
            float(p[i]) / top,
            percent(float(p[i]), 0),
            TOKEN,
            n == 0,
            None if was is None else float(was[i]) / top,
        )
        for n, i in enumerate(order)
    ]


def draw_helpers(say: Say, gains: np.ndarray, neuron: int, bars: Sequence[dict]) -> dict:
    """Return how much each neuron helps one token, as shaded cells, and the best of them as bars."""
    most = float(np.abs(gains).max())
    nodes = [
        node(
            "neurons",
            "grid",
            (1, 14, 56, 72),
            (1, 1, 98, 46),
            title=say("grid.helpers"),
            hue=NEURON_HUE,
            grid=[round(float(each) / most, 2) for each in gains],
            pick=neuron,
        ),
        node("best", "bars", (63, 14, 36, 72), (1, 53, 98, 46), title=say("bars.best"), bars=list(bars)),
    ]
    return machine(nodes, [arrow("neurons", "best", hue=NEURON_HUE, weight=0.2)])


def draw_two(say: Say, sides: Sequence[Mapping[str, object]]) -> dict:
    """Return two neurons of the layer: the tokens that fire each most, and what each promotes."""
    most = max(max(side["fires"].values()) for side in sides)
    nodes, arrows = [], []
    for i, side in enumerate(sides):
        left, small = 1 + 51 * i, 51 * i
        hue, key = (NEURON_HUE, UNNAMED)[i], f"side.{i}"
        nodes += [
            node(
                f"{key}.fires",
                "bars",
                (left, 1, 47, 56),
                (small, 0.5, 48, 55),
                title=say("bars.strongest"),
                bars=[share_bar(name, a / most, f"{a:.1f}", hue) for name, a in side["fires"].items()],
            ),
            node(
                f"{key}.neuron",
                "box",
                (left + 8, 62, 31, 11),
                (small + 4, 59, 40, 11),
                title=side["name"],
                hue=hue,
            ),
            node(
                f"{key}.promotes",
                "text",
                (left, 84, 47, 8),
                (small, 82, 48, 14),
                title=side["promotes"],
            ),
        ]
        arrows += [
            arrow(f"{key}.fires", f"{key}.neuron", hue=hue, weight=0.2),
            arrow(f"{key}.neuron", f"{key}.promotes", hue=hue, text=say("promotes"), weight=0.2),
        ]
    return machine(nodes, arrows)


def draw_own(say: Say, name: str, fires: Sequence[dict], promoted: Sequence[dict]) -> dict:
    """Return a sentence's tokens with one neuron's activations, the neuron, and what it promotes."""
    nodes = [
        node("fires", "bars", (1, 2, 38, 96), (0, 0.5, 49, 99), title=say("bars.fires"), bars=list(fires)),
        node("neuron", "box", (45, 38, 16, 18), (55, 1, 42, 12), title=name, hue=NEURON_HUE),
        node(
            "promoted",
            "bars",
            (67, 12, 32, 70),
            (53, 24, 47, 70),
            title=say("bars.promoted.short"),
            bars=list(promoted),
        ),
    ]
    arrows = [
        arrow("fires", "neuron", hue=NEURON_HUE, weight=0.25),
        arrow("neuron", "promoted", hue=PROMOTED, weight=0.25),
    ]
    return machine(nodes, arrows)


def draw_answer(say: Say, token: str, sums: tuple[float, float], promoted: Sequence[dict]) -> dict:
    """Return one neuron from its key to its value: the dot product, gelu, and the tokens that it promotes."""
    product, a = sums
    nodes = [
        node("token", "token", (2, 6, 16, 11), (1, 0.5, 24, 8), title=bare(token), hue=TOKEN),
        node(
            "key",
            "box",
            (2, 34, 24, 18),
            (30, 0.5, 66, 13),
            title=say("answer.key"),
            note=signed(product, 1),
            hue=TOKEN,
        ),
        node(
            "gelu",
            "box",
            (34, 34, 20, 18),
            (30, 20, 66, 13),
            title=say("box.gelu"),
            note=f"{a:.1f}",
            hue=NEURON_HUE,
            state="now",
        ),
        node(
            "value",
            "box",
            (2, 72, 52, 18),
            (30, 39, 66, 13),
            title=say("answer.value"),
            note=say("answer.note"),
            hue=NEURON_HUE,
        ),
        node(
            "promoted",
            "bars",
            (62, 6, 37, 86),
            (4, 57, 92, 42),
            title=say("bars.promoted"),
            bars=list(promoted),
        ),
    ]
    arrows = [
        arrow("token", "key", "stream", TOKEN),
        arrow("key", "gelu", hue=TOKEN, weight=0.25),
        arrow("gelu", "value", hue=NEURON_HUE, weight=0.3),
        arrow("value", "promoted", hue=PROMOTED, weight=0.3),
    ]
    return machine(nodes, arrows)


# The lab: one neuron on any text.


def fired_text(activations: np.ndarray, names: Sequence[str], t: int, measure: str = "") -> Figure:
    """Return a text line by line, each token on a cell as blue as the neuron's activation there; token t is framed.

    `measure` is what the cells' numbers are called where the picture is told in words.
    """
    longest = max(map(len, names))
    columns = max(3, min(PHONE // (LETTER * longest), WIDE_ROW if longest > 3 else NARROW_ROW))
    lines = -(-len(names) // columns)
    room = lines * columns - len(names)

    def in_lines(values: Sequence, rest: object) -> list[list]:
        padded = [*values, *[rest] * room]
        return [padded[start : start + columns] for start in range(0, len(padded), columns)]

    told = [
        f"{s + 1} {escape_label(name)}: {a:.3f}"
        for s, (name, a) in enumerate(zip(names, activations, strict=True))
    ]
    figure = blank(34 + 44 * lines)
    figure.add_trace(
        heatmap(
            z=in_lines([max(0.0, float(a)) for a in activations], None),
            x=list(range(columns)),
            y=list(range(lines)),
            text=in_lines([escape_label(name) for name in names], ""),
            customdata=in_lines(told, ""),
            name=measure or None,
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=max(float(np.max(activations)), 1e-6),
            xgap=2,
            ygap=4,
            showscale=False,
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    write_in_cells(figure, FONT_SIZE)
    row, column = divmod(t, columns)
    figure.add_shape(
        type="rect",
        x0=column - 0.48,
        x1=column + 0.48,
        y0=row - 0.45,
        y1=row + 0.45,
        line={"color": OCHRE, "width": 3},
    )
    figure.update_xaxes(range=[-0.5, columns - 0.5], visible=False)
    return figure.update_yaxes(range=[lines - 0.5, -0.5], visible=False)


def pushed_figure(pushed: np.ndarray, names: Sequence[str], axis: str, most: int = 5) -> Figure:
    """Return the tokens that a value promotes most, and those it suppresses most, as bars."""
    order = np.argsort(-pushed, kind="stable")
    chosen = np.concatenate([order[:most], order[-most:]]) if len(order) > 2 * most else order
    figure = blank(30 + 24 * len(chosen), axis)
    figure.add_trace(
        plotted_bar(
            x=pushed[chosen],
            y=list(range(len(chosen))),
            orientation="h",
            marker_color=[BLUE if pushed[i] >= 0 else VERMILLION for i in chosen],
            customdata=[escape_label(names[i]) for i in chosen],
            hovertemplate="%{customdata}<br>%{x:+.4f}<extra></extra>",
        )
    )
    ticks = {"tickvals": list(range(len(chosen))), "ticktext": [escape_label(names[i]) for i in chosen]}
    return figure.update_yaxes(range=[len(chosen) - 0.5, -0.5], **ticks)


def histogram_figure(activations: np.ndarray, axes: tuple[str, str]) -> Figure:
    """Return how often a neuron's activation was how high, where it was above 0."""
    a = np.asarray(activations, np.float64)
    a = a[a > 0]
    edges = np.linspace(0, a.max(), BINS + 1)
    counts = np.histogram(a, edges)[0]
    figure = blank(280, *axes)
    figure.add_trace(
        plotted_bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            marker_color=BLUE,
            customdata=np.stack([edges[:-1], edges[1:]], axis=1),
            hovertemplate="%{customdata[0]:.3f}–%{customdata[1]:.3f}<br>%{y}<extra></extra>",
        )
    )
    return figure.update_layout(bargap=0.05)


def counts_figure(counts: Sequence[int], names: Sequence[str], axis: str, t: int) -> Figure:
    """Return how many of a layer's neurons are active at each token; token t's bar is in full colour."""
    figure = blank(260, y=axis)
    figure.add_trace(
        plotted_bar(
            x=list(range(len(counts))),
            y=list(counts),
            marker_color=[BLUE if s == t else faded(BLUE, 0.45) for s in range(len(counts))],
            customdata=[f"{s + 1} {escape_label(name)}" for s, name in enumerate(names)],
            hovertemplate="%{customdata}<br>%{y}<extra></extra>",
        )
    )
    places = list(range(0, len(names), ceil(max(1, len(names) / 20))))
    return figure.update_xaxes(
        tickvals=places, ticktext=[escape_label(names[s]) for s in places], tickangle=-60
    )


def helpers_figure(gains: np.ndarray, chosen: int, axes: tuple[str, str], most: int = 8) -> Figure:
    """Return the neurons that help a prediction most and those that hinder it most, `chosen` hatched, as bars."""
    order = np.argsort(-gains, kind="stable")
    shown = sorted(dict.fromkeys([*order[:most], chosen, *order[-most:]]), key=lambda i: -gains[i])
    figure = blank(280, *axes)
    figure.add_trace(
        plotted_bar(
            x=[str(i + 1) for i in shown],
            y=gains[shown],
            marker={
                "color": [BLUE if gains[i] >= 0 else VERMILLION for i in shown],
                "pattern": {"shape": ["/" if i == chosen else "" for i in shown]},
            },
            hovertemplate="%{x}<br>%{y:+.4f}<extra></extra>",
        )
    )
    return figure.update_xaxes(type="category", tickangle=-60)


def firing_table(
    firings: Sequence[Waking], runs: Sequence[Sequence[str]], columns: Sequence[str]
) -> pd.DataFrame:
    """Return the tokens that fire a neuron most, each with what is around it.

    >>> firing_table([Waking(0, 1, 0.5)], [["a", "b", "c"]], ["token", "activation", "context"]).values.tolist()
    [['b', 0.5, 'a[b]c']]
    """
    rows = []
    for each in firings:
        names, s = runs[each.run], each.place
        before, after = names[max(0, s - AROUND[0]) : s], names[s + 1 : s + 1 + AROUND[1]]
        rows.append((names[s], each.activation, f"{''.join(before)}[{names[s]}]{''.join(after)}"))
    return pd.DataFrame(rows, columns=list(columns))


def neuron_table(
    found: Firing, network: GPT, layer: int, neuron: int, names: Sequence[str], columns: Mapping[str, str]
) -> tuple:
    """Return one neuron's dot product and activation at every token, and the formula of a cell."""
    sums, activations = found.sums[:, neuron].numpy(), found.activations[:, neuron].numpy()
    added = np.abs(activations) * float(value(network, layer, neuron).norm())
    table = pd.DataFrame(
        {
            columns["place"]: range(1, len(names) + 1),
            columns["token"]: names,
            columns["sum"]: sums,
            columns["activation"]: activations,
            columns["length"]: added,
            columns["active"]: found.awake,
        }
    )
    k = key(network, layer, neuron).numpy()

    def formula(row: int, column: str) -> str | None:
        s, a = number(float(sums[row])), number(float(activations[row]))
        return {
            columns["sum"]: rf"x \cdot k = {dot_product(found.read[row].numpy(), k)}",
            columns["activation"]: rf"\mathrm{{gelu}}({s}) = {a}",
            columns["length"]: rf"|{a}|\cdot\lVert{{v}}\rVert={number(float(added[row]))}",
        }.get(column)

    return table, formula


def pushed_table(
    pushed: np.ndarray, names: Sequence[str], network: GPT, place: tuple[int, int], columns: tuple[str, str]
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return how much a neuron's value promotes every token, the most promoted first, and the formula of a cell."""
    order = np.argsort(-pushed, kind="stable")
    E, v = network.token_embedding.weight, value(network, *place).numpy()
    centred = (E - E.mean(0)).numpy()
    table = pd.DataFrame({columns[0]: [names[i] for i in order], columns[1]: pushed[order]})
    return (
        table,
        lambda row, column: (
            None
            if column == columns[0]
            else rf"(E_w - \bar E) \cdot v = {dot_product(centred[order[row]], v)}"
        ),
    )
