"""What weight tying draws: the machine with two tables and with one, bars of parameters and of bits; the lab's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar, heatmap, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node, share_bar, vector
from core.figures.palette import BLUE, CATEGORIES, DIVERGING, GREEN, GREY, OCHRE, SKY, VERMILLION
from core.figures.token_label import label_token
from core.figures.worked import number, word
from core.words.numbers import percent, signed
from pages.recurrent_models.weight_tying import LESSON

WORDS = LESSON.words
READ, WRITE, CELL = "blue", "vermillion", "green"  # hues of the machine
HUES = {"embedding": READ, "output": WRITE, "cell": CELL, "biases": "grey", "saved": WRITE}
PARTS = {
    "embedding": BLUE,
    "W_x": SKY,
    "W_h": GREEN,
    "biases": GREY,
    "output": VERMILLION,
}  # of a bar in the lab
SEEN = 0.005  # of the longest bar: a pixel or two
PRODUCTS = 5  # of the dot product that are shown


# The story.


def box(key: str, wide: Sequence[float], narrow: Sequence[float], hue: str, **values: object) -> dict:
    """Return a box of the machine with its title and its note."""
    words = {"title": WORDS.label(f"box.{key}", **values), "note": WORDS.label(f"box.{key}.note", **values)}
    return node(key, "box", wide, narrow, hue=hue, **words)


def next_bars(vocabulary: Sequence[str], p: np.ndarray, n: int = 3) -> list[dict]:
    """Return the most probable next characters as bars of the machine."""
    order = np.argsort(-p, kind="stable")[:n]
    return [
        share_bar(label_token(vocabulary[i]), p[i] / p.max(), percent(float(p[i]), 0), WRITE, i == order[0])
        for i in order
    ]


def draw_tables(tied: bool, vocabulary: Sequence[str], p: np.ndarray, values: Mapping[str, object]) -> dict:
    """Return the machine from the character just read to the next one, with two tables, or with one that does both."""
    bars = {"title": WORDS.label("box.next"), "bars": next_bars(vocabulary, p)}
    if tied:
        nodes = [
            box("token", (2, 8, 18, 14), (2, 2, 30, 13), "", **values),
            box("both", (30, 8, 30, 26), (2, 24, 34, 26), READ, **values),
            box("cell", (76, 8, 22, 16), (70, 6, 28, 14), CELL, **values),
            box("state", (76, 42, 22, 14), (70, 44, 28, 13), CELL, **values),
            node("next", "bars", (24, 62, 60, 37), (2, 64, 96, 35), **bars),
        ]
        arrows = [
            arrow("token", "both", weight=0.2),
            arrow("both", "cell", hue=READ, text=WORDS.label("way.read"), weight=0.35),
            arrow("cell", "state", hue=CELL, weight=0.25),
            arrow("state", "both", hue=WRITE, text=WORDS.label("way.write"), weight=0.35),
            arrow("both", "next", hue=WRITE, weight=0.35),
        ]
        return machine(nodes, arrows)
    nodes = [
        box("token", (2, 6, 18, 14), (2, 2, 30, 13), "", **values),
        box("read", (2, 36, 26, 22), (2, 28, 40, 20), READ, **values),
        box("cell", (39, 39, 20, 16), (58, 6, 40, 13), CELL, **values),
        box("write", (70, 36, 28, 22), (56, 32, 42, 20), WRITE, **values),
        node("next", "bars", (30, 66, 68, 33), (2, 62, 96, 37), **bars),
    ]
    arrows = [
        arrow("token", "read", weight=0.2),
        arrow("read", "cell", hue=READ, weight=0.35),
        arrow("cell", "write", hue=CELL, weight=0.25),
        arrow("write", "next", hue=WRITE, weight=0.35),
    ]
    return machine(nodes, arrows)


def draw_logit(row: np.ndarray, state: np.ndarray, values: Mapping[str, object]) -> dict:
    """Return the largest of the products of a row and the state, their sum, the bias, the logit and its probability."""
    products = row * state
    places = np.argsort(-np.abs(products), kind="stable")[:PRODUCTS]
    nodes = []
    for i, (key, numbers, hue) in enumerate(
        (("h", state, CELL), ("row", row, READ), ("products", products, WRITE))
    ):
        cells = vector(numbers[places], float(np.abs(numbers[places]).max()), PRODUCTS, 2)
        title = WORDS.label(f"vector.{key}", **values)
        wide, narrow = (4, 2 + 21 * i, 92, 17), (1, 1 + 20 * i, 98, 17)
        nodes.append(node(key, "cells", wide, narrow, title=title, cells=cells, hue=hue))
    for key, wide, narrow in (
        ("sum", (4, 72, 28, 24), (1, 66, 30, 31)),
        ("bias", (38, 72, 20, 24), (35, 66, 26, 31)),
        ("logit", (64, 72, 32, 24), (66, 66, 33, 31)),
    ):
        nodes.append(box(key, wide, narrow, WRITE if key == "logit" else "", **values))
    ways = [
        arrow("products", "sum", weight=0.2),
        arrow("sum", "bias", weight=0.2),
        arrow("bias", "logit", weight=0.2),
    ]
    return machine(nodes, ways)


def draw_formula(values: Mapping[str, object]) -> dict:
    """Return what a tied LSTM has, box by box, and the matrix that it does not need."""
    nodes = [
        box("V", (2, 8, 44, 34), (2, 2, 96, 24), READ, **values),
        box("H", (54, 8, 44, 34), (2, 29, 96, 22), CELL, **values),
        box("saved", (2, 52, 44, 28), (2, 54, 96, 22), WRITE, **values) | {"state": "off"},
        box("total", (54, 52, 44, 28), (2, 79, 96, 20), "", **values) | {"state": "now"},
    ]
    return machine(nodes, [])


Row = tuple[str, float, str]  # of a bar: the key of its label, its value, its text


def draw_bars(
    *panels: tuple[str, float, Sequence[Row]],
    notes: Mapping[str, str] | None = None,
    hues: Mapping[str, str] | None = None,
    best: str = "",
    sum_: str = "",
) -> dict:
    """Return the view "layer_bars": a panel for each (title, end of the scale, rows); the row `best` is framed."""
    return join_panels(
        *(
            make_panel(
                title,
                most,
                [
                    make_row(
                        WORDS.label(f"row.{key}"),
                        f"row.{key}",
                        float(value),
                        text,
                        note=(notes or {}).get(key, ""),
                        kind="best" if key == best else "plain",
                        hue=(hues or HUES).get(key, "blue"),
                    )
                    for key, value, text in rows
                ],
            )
            for title, most, rows in panels
        ),
        sum_=sum_,
    )


# The lab.


def size_figure(windows: Sequence[int], sizes: Mapping[str, Sequence[int]], height: int = 440) -> Figure:
    """Return the number of parameters of each model, {name: one for each window}, against the window's length.

    The last model is the untied one: its line is dashed.
    """
    figure = blank(height, WORDS.label("axis.window"), WORDS.label("axis.parameters"))
    for i, ((name, counts), colour) in enumerate(zip(sizes.items(), CATEGORIES, strict=False), 1):
        figure.add_trace(
            scatter(
                x=list(windows),
                y=list(counts),
                name=name,
                mode="lines",
                line={"color": colour, "width": 3, "dash": "dash" if i == len(sizes) > 1 else "solid"},
                hovertemplate="%{x}: %{y:,}<extra>" + name + "</extra>",
            )
        )
    return figure.update_yaxes(rangemode="tozero")


def parts_figure(models: Mapping[str, Mapping[str, int]], height: int = 300) -> Figure:
    """Return each model's parameters as a bar of its parts, {label: {part: count}}; the output matrix comes last.

    A part too small to be seen is named at the pointer only: the legend has a phone's room for the others.
    """
    figure = blank(height, WORDS.label("axis.parameters"))
    longest = max(sum(counts.values()) for counts in models.values())
    for part, colour in PARTS.items():
        name = WORDS.label(f"part.{part}")
        figure.add_trace(
            bar(
                showlegend=max(counts[part] for counts in models.values()) >= SEEN * longest,
                y=list(models),
                x=[counts[part] for counts in models.values()],
                name=name,
                orientation="h",
                marker={"color": colour},
                hovertemplate="%{y}, " + name + ": %{x:,}<extra></extra>",
            )
        )
    figure.update_layout(barmode="stack", legend={"traceorder": "normal"})
    return figure.update_yaxes(autorange="reversed")


def row_figure(row: np.ndarray, state: np.ndarray, name: str, height: int = 250) -> Figure:
    """Return the token's row E[k], the hidden state h, and their products, whose sum is the logit without bias."""
    rows = {WORDS.label("heat.row", name=name): row, "h": state, WORDS.label("heat.products"): row * state}
    figure = blank(height, WORDS.label("axis.component", last=len(row) - 1))
    scaled = np.stack([values / (np.abs(values).max() or 1) for values in rows.values()])
    figure.add_trace(
        heatmap(
            z=scaled,
            y=list(rows),
            customdata=np.stack(list(rows.values())),
            zmin=-1,
            zmax=1,
            colorscale=DIVERGING,
            showscale=False,
            ygap=6,
            hovertemplate="%{customdata:.4f}<extra>%{y}</extra>",
        )
    )
    return figure.update_yaxes(autorange="reversed", type="category")


def jobs_figure(bits: Mapping[str, Mapping[str, float]], height: int = 320) -> Figure:
    """Return bits per character as bars: {where: {job: bits}}."""
    figure = blank(height, y=WORDS.label("axis.bits"))
    for job, colour in zip(next(iter(bits.values())), (BLUE, OCHRE, VERMILLION, GREEN), strict=True):
        values, name = [each[job] for each in bits.values()], WORDS.label(f"job.{job}")
        figure.add_trace(
            bar(
                x=list(bits),
                y=values,
                name=name,
                marker={"color": colour},
                text=[f"{value:.2f}" for value in values],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{x}: %{y:.3f}<extra>" + name + "</extra>",
            )
        )
    return figure.update_layout(barmode="group")


def below(term: object, name: str) -> str:
    r"""Return LaTeX of a term with its name below it.

    >>> below(3, "E")
    '\\underset{E}{3}'
    """
    return rf"\underset{{{name}}}{{{term}}}"


def say(key: str, **values: object) -> str:
    """Return a label as LaTeX text."""
    return rf"\text{{{WORDS.label(f'worked.{key}', **values)}}}"


def worked_logit(row: np.ndarray, state: np.ndarray, bias: float, name: str, most: int = 4) -> str:
    """Return h . E[k] + b filled in: the largest products, the rest as one number, the bias, the logit."""
    products = row * state
    places = np.argsort(-np.abs(products), kind="stable")[:most]
    terms = [below(rf"({number(row[k], 3)})\cdot({number(state[k], 3)})", k) for k in places]
    rest = number(float(np.delete(products, places).sum()))
    terms += [below(f"({rest})", say("other", n=len(row) - len(places))), below(f"({number(bias)})", "b")]
    logit = number(float(products.sum()) + bias)
    return rf"z({word(name)}) = {' + '.join(terms)} = \mathbf{{{logit}}}"


def worked_recurrent_size(V: int, H: int, gates: int, tied: bool) -> str:
    """Return a recurrent model's parameter count filled in."""
    total = (1 if tied else 2) * V * H + gates * (2 * H * H + 2 * H) + V
    terms = [below(rf"{V} \cdot {H}", "E")]
    terms += [] if tied else [below(rf"{V} \cdot {H}", say("output"))]
    cell = rf"{gates}\,({H}^2 + {H}^2 + 2 \cdot {H})"
    terms += [below(cell, f"W_x, W_h, {say('biases')}"), below(V, "b")]
    return f"{' + '.join(terms)} = {total:,}".replace(f"{total:,}", f"{total:,}".replace(",", r"{,}"))


def worked_window_size(shape: Mapping[str, int], n: int, total: int) -> str:
    """Return a feed-forward model's parameter count at a window of n filled in, the part that grows with it first."""
    V, C, M = shape["vocabulary_size"], shape["embedding"], shape["hidden"]
    deeper = shape.get("layers", 1) - 1
    terms = [
        below(rf"{n} \cdot {C}\,({M} + {V})", say("grows")),
        below(rf"({V} + 1) \cdot {C}", "E"),
        below(M, "d"),
        below(rf"{M} \cdot {V}", "U"),
        below(V, "b"),
    ]
    terms += [below(rf"{deeper}\,({M}^2 + {M})", say("deeper"))] if deeper else []
    return f"{' + '.join(terms)} = {total}"


def worked_position_size(C: int, n: int, total: int) -> str:
    """Return a GPT's parameter count at a window of n: a row of C numbers for each place, and all else."""
    terms = below(rf"{n} \cdot {C}", say("grows")), below(total - n * C, say("rest"))
    return f"{' + '.join(terms)} = {total}"


def change(bits: float) -> str:
    """Return a difference of bits with its sign.

    >>> change(0.5667), change(-0.0001)
    ('+0.567', '0.000')
    """
    return signed(bits, 3, "+")
