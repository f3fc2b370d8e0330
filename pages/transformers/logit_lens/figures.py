"""The pictures of the logit lens: layers with what is read after each, the steps of a reading, a whole text's places."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from math import exp

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap, scatter
from core.figures.figure import bar as plotted_bar
from core.figures.frame import bars
from core.figures.heat_map import write_in_cells
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node, share_bar, vector
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, OCHRE, SEQUENTIAL, VERMILLION
from core.figures.self_attention.panels import panels
from core.figures.token_grid import cell, token_grid
from core.figures.worked import dot_product, enough_digits, number
from core.models.self_attention.gpt import GPT
from core.models.transformers.logit_lens import LensMeasures, LensReading, log_p_of, rank_of, read_out
from core.words.numbers import percent
from pages.transformers.logit_lens import LESSON
from pages.transformers.shared import WORDS as SUBJECT
from pages.transformers.shared.short_share import short

WORDS = LESSON.words
STREAM, FINAL = "ochre", "blue"  # the hue of a reading that is not the final prediction, and of one that is
ROWS = 12  # tokens in the lab's grid: more could not be read from the back row
CANDIDATES = 8  # tokens with a bar
LEFT, RIGHT = 40.0, 46.0  # per cent of the room: how wide the layers are, and where what is read begins
TOP, PITCH = 12.0, 17.8  # per cent of the room: where the first row begins, and from row to row
DRAWN = 4  # numbers of a vector


def say(key: str, **values: object) -> str:
    """Return a label of the lesson, or of its subject."""
    return (WORDS if WORDS.has(key) else SUBJECT).label(key, **values)


# The story: the layers of a GPT, and what the lens reads.


def read_bar(name: str, p: float, final: bool) -> dict:
    """Return a token that is read, blue where it is the model's final prediction."""
    return share_bar(name, p, short(p), FINAL if final else STREAM, final)


def draw_layers(text: str, layers: int, now: int | None = None) -> tuple[list[dict], list[dict]]:
    """Return a text and the layers that it goes through from the top down, one of them marked."""
    nodes = [node("text", "token", (0, 0, LEFT, 8), title=text, hue=STREAM)]
    for layer in range(layers + 1):
        label = say("box.layer", k=layer) if layer else say("box.embedding")
        state = "now" if layer == now else ""
        place = (4, TOP + PITCH * layer, LEFT - 8, 9.5)
        nodes.append(node(f"layer.{layer}", "box", place, title=label, state=state))
    keys = ["text", *(f"layer.{layer}" for layer in range(layers + 1))]
    return nodes, [arrow(a, b, "stream", STREAM) for a, b in itertools.pairwise(keys)]


def draw_vectors(text: str, streams: np.ndarray, last: Sequence[dict], heads: Sequence[str]) -> dict:
    """Return the layers with some numbers of each vector between them (L + 1, C), and after the last the prediction."""
    nodes, arrows = draw_layers(text, len(streams) - 1)
    nodes.append(node("head", "text", (RIGHT, 0, 100 - RIGHT, 8), title=heads[0]))
    *between, end = range(len(streams))
    for layer in between:
        values = streams[layer]
        cells = vector(values, float(np.abs(values[:DRAWN]).max()), DRAWN)
        place = (RIGHT, TOP + PITCH * layer + 0.5, 100 - RIGHT, 8.5)
        nodes.append(node(f"vector.{layer}", "cells", place, cells=cells))
    bottom = (RIGHT, TOP + PITCH * end - 6, 100 - RIGHT, 22.5)
    nodes.append(node(f"read.{end}", "bars", bottom, title=heads[1], bars=list(last)))
    arrows += [arrow(f"layer.{layer}", f"vector.{layer}") for layer in between]
    return machine(nodes, [*arrows, arrow(f"layer.{end}", f"read.{end}")])


def draw_ladder(text: str, layers: int, reads: dict[int, Sequence[dict] | None], head: str) -> dict:
    """Return the layers, and after those in `reads` the bar that is read there; None is not told yet."""
    nodes, arrows = draw_layers(text, layers)
    nodes.append(node("head", "text", (RIGHT, 0, 100 - RIGHT, 8), title=head))
    for layer, found in reads.items():
        place = (RIGHT, TOP + PITCH * layer, 100 - RIGHT, 9.5)
        if found is None:
            question = (RIGHT + 4, place[1], 16, 9.5)
            nodes.append(node(f"read.{layer}", "box", question, title="?", state="open"))
        else:
            nodes.append(node(f"read.{layer}", "bars", place, bars=list(found)))
        arrows.append(arrow(f"layer.{layer}", f"read.{layer}"))
    return machine(nodes, arrows)


def draw_reading(
    text: str, layers: int, layer: int, x: np.ndarray, copy: np.ndarray, found: Sequence[dict], head: str
) -> dict:
    """Return how the lens reads after one layer: its stream, the normalized copy, the unembedding, the softmax."""
    nodes, arrows = draw_layers(text, layers, layer)
    width = 100 - RIGHT
    named = {"k": layer, "n": DRAWN, "C": len(x)}
    for key, values, y in (("stream", x, 9.0), ("copy", copy, 37.0)):
        cells = vector(values, float(np.abs(values[:DRAWN]).max()), DRAWN)
        nodes.append(
            node(key, "cells", (RIGHT, y, width, 15), title=say(f"cells.{key}", **named), cells=cells)
        )
    nodes += [
        node("norm", "box", (RIGHT + 4, 26.5, width - 8, 7.5), title=say("box.final_norm")),
        node("unembed", "box", (RIGHT + 4, 55, width - 8, 7.5), title=say("box.unembed"), hue=FINAL),
        node(f"read.{layer}", "bars", (RIGHT, 67, width, 33), title=head, bars=list(found)),
    ]
    order = [f"layer.{layer}", "stream", "norm", "copy", "unembed", f"read.{layer}"]
    arrows += [arrow(a, b) for a, b in itertools.pairwise(order)]
    return machine(nodes, arrows)


def draw_before(tokens: Sequence[str], reads: Sequence[str], p: Sequence[float]) -> dict:
    """Return for each token of a text what is read before any layer; grey where that is the token itself."""
    rows = [
        make_row(
            say("row.reads", token=token, reads=read),
            f"row.{t!s}",
            each,
            short(each),
            hue="grey" if token == read else STREAM,
        )
        for t, (token, read, each) in enumerate(zip(tokens, reads, p, strict=True))
    ]
    return join_panels(make_panel(say("title.before"), 1.0, rows))


def draw_product(names: Sequence[str], factors: dict[str, Sequence[float]], sum_: str) -> dict:
    """Return the factors of two logits, and the logits; the larger one of each is marked."""
    nodes = []
    for i, (key, values) in enumerate(factors.items()):
        digits = 2 if key == "cosine" else 1
        found = [
            share_bar(name, 0.95 * value / max(values), f"{value:.{digits}f}", hue, value == max(values))
            for name, value, hue in zip(names, values, ("grey", STREAM), strict=True)
        ]
        nodes.append(node(key, "bars", (2, 34 * i, 96, 31), title=say(f"title.{key}"), bars=found))
    return machine(nodes, [], sum_)


def draw_rank(ranks: Sequence[int], p: Sequence[float], size: int, token: str) -> Figure:
    """Return a token's rank among all after each layer, on a logarithmic axis with rank 1 on top."""
    figure = blank(480, say("axis.layer"), say("axis.rank", token=escape_label(token), n=size))
    layers = list(range(len(ranks)))
    look = {"mode": "lines+markers", "line": {"color": BLUE, "width": 4}, "marker": {"size": 13}}
    figure.add_trace(scatter(x=layers, y=list(ranks), cliponaxis=False, hoverinfo="skip", **look))
    for layer, rank, each in zip(layers, ranks, p, strict=True):
        above = not layer or rank == min(ranks)
        figure.add_annotation(
            x=layer,
            y=float(np.log10(rank)),
            text=say("point.rank", rank=rank, p=escape_label(short(each))),
            showarrow=False,
            font={"size": 18},
            xanchor="left" if not layer or ranks[layer - 1] > rank > 1 else "right" if above else "center",
            yanchor="bottom" if above else "top",
            yshift=10 if above else -10,
            xshift=8 if ranks[layer - 1] > rank > 1 else 0,
        )
    figure.update_xaxes(range=[-0.2, layers[-1] + 0.2], dtick=1)
    figure.update_yaxes(type="log", range=[np.log10(size) + 0.25, -0.45], tickvals=[1, 10, 100, 1000])
    return figure.update_layout(showlegend=False)


def draw_tokens(tokens: Sequence[str], found: LensReading, names: Callable[[int], str], first: int) -> dict:
    """Return what is read at each token (a column) from layer 1 on; blue from where on it is the final prediction."""
    rows = []
    for layer in range(1, len(found.says)):
        cells = [
            cell("kept" if int(found.settled[t]) <= layer else "none", names(int(found.says[layer, t])))
            for t in range(first, len(tokens))
        ]
        rows.append((say("row.after", k=layer), "", cells))
    key = [("kept", say("key.final")), ("none", say("key.other"))]
    return token_grid(tokens[first:], rows, key, corner=say("row.token"))


def draw_settled(shares: Sequence[float], shown: bool) -> dict:
    """Return after each layer at how many places the final prediction is settled; open before the answer."""
    last = len(shares) - 1
    rows = []
    for layer, share in enumerate(shares):
        told = shown or layer == last
        kind = "open" if not told else "best" if layer == last - 1 else "plain"
        rows.append(
            make_row(
                layer_name(layer),
                f"row.{layer!s}",
                share if told else 0.5,
                f"{share:.0%}" if told else "?",
                kind=kind,
                hue=FINAL,
            )
        )
    return join_panels(make_panel(say("title.settled"), 1.05, rows))


def draw_both(reads: Sequence[tuple[str, float]], shares: Sequence[float], answer: str) -> dict:
    """Return what is read at one token after each layer, and at how many places of a text the prediction is settled."""
    one = [
        make_row(
            layer_name(i), f"row.read.{i}", p, f"{name} {short(p)}", hue=FINAL if name == answer else STREAM
        )
        for i, (name, p) in enumerate(reads)
    ]
    many = [
        make_row(layer_name(i), f"row.settled.{i}", s, f"{s:.0%}", hue=FINAL) for i, s in enumerate(shares)
    ]
    return join_panels(make_panel(say("title.one"), 1.5, one), make_panel(say("title.settled"), 1.1, many))


def layer_name(layer: int) -> str:
    """Return when a reading is made."""
    return say("row.after", k=layer) if layer else say("row.before")


# The lab.


def window_at(place: int, T: int, most: int = ROWS) -> range:
    """Return the places that the grid shows: the last ones up to `place`, and those after it where there is room.

    >>> window_at(3, 30), window_at(20, 30)
    (range(0, 12), range(9, 21))
    """
    first = max(0, min(place - most + 1, T - most))
    return range(first, min(T, first + most))


def grid(
    found: LensReading,
    rows: Sequence[str],
    vocabulary: Sequence[str],
    place: int,
    layers: int,
    revealed: bool,
) -> dict:
    """Return what the pictures of the first `layers` readings share; bold is the final prediction, once `revealed`.

    `rows` are the names of all T tokens, of which the window around `place` is shown.
    """
    window = window_at(place, len(rows))
    p = found.log_p.amax(-1).exp()
    cells = [(t, layer) for t in window for layer in range(len(p))]
    settled = found.settled.tolist() if revealed else [len(p)] * len(rows)
    return {
        "title": say("grid.title"),
        "rows": [rows[t] for t in window],
        "columns": [str(layer) for layer in range(len(p))],
        "words": [str(vocabulary[found.says[layer, t]]) if layer < layers else None for t, layer in cells],
        "values": [float(f"{p[layer, t]:.4g}") if layer < layers else 0.0 for t, layer in cells],
        "chosen": window.index(place),
        "settled": [[t - window[0], layer] for t, layer in cells if settled[t] <= layer],
    }


def candidates(found: LensReading, place: int, layers: int, following: int | None) -> list[int]:
    """Return the tokens whose bars are drawn: the most probable after each of the first layers, and the one that comes.

    Once all layers are read the final prediction is among them: without the final norm the last may not name it. They
    stand in the order of the last of these readings, filled up with what is most probable there.
    """
    log_p = found.log_p[:layers, place]
    chosen = dict.fromkeys(log_p.argmax(-1).tolist())
    if layers == len(found.log_p):
        chosen[int(found.answers[place])] = None
    if following is not None:
        chosen[following] = None
    for token in log_p[-1].argsort(descending=True).tolist():
        if len(chosen) >= CANDIDATES:
            break
        chosen[token] = None
    return sorted(chosen, key=lambda token: -float(log_p[-1, token]))


def lens_picture(
    found: LensReading,
    tokens: Sequence[int],
    vocabulary: Sequence[str],
    place: int,
    layer: int,
    marked: int | None,
) -> dict:
    """Return one step of the view: the grid up to a layer, and the bars of some tokens after it, one of them marked."""
    p = found.log_p[layer, place, list(tokens)].exp().tolist()
    names = [str(vocabulary[token]) for token in tokens]
    column = (say("bars.title", layer=layer), p, [percent(each) for each in p])
    chances = bars(names, [column], tokens.index(marked) if marked in tokens else None)
    chances["columns"][0]["reach"] = 1.0
    return {"kind": "lens", "layer": layer, "chances": chances}


def grid_figure(found: LensReading, rows: Sequence[str], vocabulary: Sequence[str], height: int) -> Figure:
    """Return the whole grid as a heat map: rows are tokens, columns the layers, words what is read."""
    says, p = found.says.T, found.log_p.amax(-1).exp().T
    figure = blank(height, say("axis.layer"))
    figure.add_trace(
        heatmap(
            x=list(range(says.shape[1])),
            y=list(range(len(rows))),
            z=p.tolist(),
            text=[[escape_label(str(vocabulary[token])) for token in each] for each in says.tolist()],
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=1,
            ygap=1,
            hovertemplate="%{x}: p = %{z:.4f}<extra></extra>",
        )
    )
    write_in_cells(figure, min(FONT_SIZE, 12 if len(rows) > 5 else FONT_SIZE))
    names = [escape_label(each) for each in rows]
    figure.update_yaxes(
        tickvals=list(range(len(rows))), ticktext=names, range=[len(rows) - 0.5, -0.5], showgrid=False
    )
    return figure.update_xaxes(dtick=1, showgrid=False)


def growth_figure(found: LensReading, place: int, following: int | None, names: Sequence[str]) -> Figure:
    """Return p and rank of the final prediction, and of the token that comes if it is known, and the entropy, by layer."""
    figure = panels([say(f"panel.{key}") for key in ("p", "rank", "entropy")], 320, 0.14)
    layers, answer = list(range(len(found.log_p))), int(found.answers[place])
    followed = {answer: ("final", BLUE, "circle", "solid")}
    if following is not None and following not in followed:
        followed[following] = ("comes", VERMILLION, "diamond", "dash")
    for token, (key, *look) in followed.items():
        label = say(f"legend.{key}", token=escape_label(str(names[token])))
        for column, values in enumerate(at(found, place, token), 1):
            figure.add_trace(line(layers, values, label, *look) | {"showlegend": column == 1}, 1, column)
    entropy = line(layers, found.bits[:, place].tolist(), say("panel.entropy"), OCHRE, "square", "solid")
    figure.add_trace(entropy | {"showlegend": False}, 1, 3)
    for column in (1, 3):
        figure.update_yaxes(1, column, rangemode="tozero")
    figure.update_yaxes(1, 2, type="log", autorange="reversed", dtick=1)
    return figure.update_xaxes(dtick=1, title=say("axis.layer"))


def line(x: list, y: list, label: str, colour: str, symbol: str, dash: str) -> dict:
    """Return a line with a mark at each layer."""
    return scatter(
        x=x,
        y=y,
        name=label,
        mode="lines+markers",
        line={"color": colour, "width": 3, "dash": dash},
        marker={"color": colour, "size": 9, "symbol": symbol},
        cliponaxis=False,
        hovertemplate="%{x}: %{y:.4g}<extra>" + label + "</extra>",
    )


def at(found: LensReading, place: int, token: int) -> tuple[list[float], list[int]]:
    """Return p and the rank of one token at a place after each layer."""
    here, tokens = found.log_p[:, [place]], torch.tensor([token])
    return log_p_of(here, tokens)[:, 0].exp().tolist(), rank_of(here, tokens)[:, 0].tolist()


def places_figure(measured: LensMeasures) -> Figure:
    """Return by layer at what share of a text's places the prediction is settled, and the next token is right."""
    figure = blank(320, say("axis.layer"), say("axis.places"))
    for key, counts, colour in (("settled", measured.settled, BLUE), ("right", measured.right, VERMILLION)):
        label = say(f"legend.{key}")
        figure.add_trace(
            plotted_bar(
                x=[str(layer) for layer in range(len(counts))],
                y=[count / measured.n for count in counts],
                name=label,
                marker_color=colour,
                text=[f"{count:,}" for count in counts],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{x}: %{text}, %{y:.1%}<extra>" + label + "</extra>",
            )
        )
    figure.update_yaxes(range=[0, 1.16], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    return figure.update_layout(barmode="group").update_xaxes(type="category")


COLUMNS = ("place", "token", "layer", "reads", "p", "p_final", "rank", "p_comes", "entropy")


def lens_table(
    network: GPT, found: LensReading, rows: Sequence[str], names: Sequence[str], place: int
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return what is read out at each shown token after each layer, and the formula of a probability."""
    following = found.ids.roll(-1)  # after the last token none is known: that is left blank below
    says, ranks, p = found.says, rank_of(found.log_p, found.answers), found.log_p.amax(-1).exp()
    p_final, p_comes = (log_p_of(found.log_p, tokens).exp() for tokens in (found.answers, following))
    cells = [(t, layer) for t in window_at(place, len(rows)) for layer in range(len(found.log_p))]
    values = (
        (
            t + 1,
            rows[t],
            layer,
            names[int(says[layer, t])],
            float(p[layer, t]),
            float(p_final[layer, t]),
            int(ranks[layer, t]),
            float(p_comes[layer, t]) if t + 1 < len(rows) else None,
            float(found.bits[layer, t]),
        )
        for t, layer in cells
    )
    table = pd.DataFrame(values, columns=[say(f"table.{key}") for key in COLUMNS])

    def formula(chosen: int, column: str) -> str | None:
        t, layer = cells[chosen]
        key = COLUMNS[table.columns.get_loc(column)]
        token = {"p": says[layer, t], "p_final": found.answers[t], "p_comes": following[t]}.get(key)
        if token is None or (key == "p_comes" and t + 1 == len(rows)):
            return None
        return worked_p(network, found, layer, t, int(token))

    return table, formula


@torch.no_grad()
def worked_p(network: GPT, found: LensReading, layer: int, t: int, token: int) -> str:
    """Return a token's logit and its probability after a layer, filled in."""
    stream = found.streams[layer, t]
    x = network.final_norm(stream) if found.normed else stream
    letter = r"\operatorname{norm}(x)" if found.normed else "x"
    logits: Tensor = read_out(network, stream, found.normed)
    z, total = (
        float(logits[token]),
        float(logits.logsumexp(-1)),
    )  # ln of the sum: e^z may be too large to write
    ln_p, digits = float(found.log_p[layer, t, token]), enough_digits(z, total)
    product = dot_product(x.numpy(), network.token_embedding.weight[token].numpy(), 2)
    log_p = (
        r"\ln p_i",
        r"z_i - \ln \sum_j e^{z_j}",
        f"{number(z, digits)} - {number(total, digits)}",
        number(ln_p),
    )
    return r", \quad ".join(
        (rf"z_i = {letter} \cdot E_i = {product}", " = ".join(log_p), f"p_i = {number(exp(ln_p))}")
    )
