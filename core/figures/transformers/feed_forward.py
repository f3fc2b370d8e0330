"""Pictures of one feed-forward neuron: the text that wakes it, what it pushes towards, how many others are awake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, heatmap
from core.figures.heat_map import write_in_cells
from core.figures.n_grams.ngram import plain
from core.figures.palette import BLUE, GREY, OCHRE, SEQUENTIAL, VERMILLION, faded
from core.figures.worked import dot_product, number, percent, signed
from core.models.self_attention.gpt import GPT
from core.models.transformers.key_value_neurons import Firing, Waking, key, value

BINS = 40
AROUND = (8, 3)  # tokens shown before and after one that wakes a neuron
WIDE_ROW, NARROW_ROW = 6, 12  # tokens a line at most: words, single characters
PHONE, LETTER = 350, 9  # pixels of a line on a phone, and of a letter


def awake_text(activations: np.ndarray, names: Sequence[str], t: int) -> Figure:
    """Return a text line by line, each token on a cell as blue as the neuron's activation there; token t is framed."""
    longest = max(map(len, names))
    columns = max(3, min(PHONE // (LETTER * longest), WIDE_ROW if longest > 3 else NARROW_ROW))
    lines = -(-len(names) // columns)
    room = lines * columns - len(names)

    def in_lines(values: Sequence, rest: object) -> list[list]:
        padded = [*values, *[rest] * room]
        return [padded[start : start + columns] for start in range(0, len(padded), columns)]

    told = [
        f"{s + 1} {plain(name)}: {a:.3f}" for s, (name, a) in enumerate(zip(names, activations, strict=True))
    ]
    figure = blank(34 + 44 * lines)
    figure.add_trace(
        heatmap(
            z=in_lines([max(0.0, float(a)) for a in activations], None),
            x=list(range(columns)),
            y=list(range(lines)),
            text=in_lines([plain(name) for name in names], ""),
            customdata=in_lines(told, ""),
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=max(float(np.max(activations)), 1e-6),
            xgap=2,
            ygap=4,
            showscale=False,
            hovertemplate="token %{customdata}<extra>activation</extra>",
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


def pushed_figure(pushed: np.ndarray, names: Sequence[str], most: int = 5) -> Figure:
    """Return the tokens that a value pushes towards most, and those it pushes away from most, as bars."""
    order = np.argsort(-pushed, kind="stable")
    chosen = np.concatenate([order[:most], order[-most:]]) if len(order) > 2 * most else order
    figure = blank(30 + 24 * len(chosen), "E · v above the mean token")
    figure.add_trace(
        bar(
            x=pushed[chosen],
            y=list(range(len(chosen))),
            orientation="h",
            marker_color=[BLUE if pushed[i] >= 0 else VERMILLION for i in chosen],
            customdata=[plain(names[i]) for i in chosen],
            hovertemplate="%{customdata}: %{x:+.4f}<extra></extra>",
        )
    )
    ticks = {"tickvals": list(range(len(chosen))), "ticktext": [plain(names[i]) for i in chosen]}
    return figure.update_yaxes(range=[len(chosen) - 0.5, -0.5], **ticks)


def histogram_figure(activations: np.ndarray) -> Figure:
    """Return how often a neuron's activation was how high; where it is above nought, the neuron is awake."""
    a = np.asarray(activations, np.float64)
    width = (max(0.0, a.max()) - min(0.0, a.min())) / BINS or 1.0
    below = max(ceil(-a.min() / width), int((a <= 0).any()))
    above = max(ceil(a.max() / width), int((a > 0).any()))
    edges = width * np.arange(-below, above + 1)
    edges[below] = np.nextafter(0, 1)  # no bin holds both asleep and awake, and nought itself is asleep
    edges[0], edges[-1] = min(edges[0], a.min()), max(edges[-1], a.max())
    counts = np.histogram(a, edges)[0]
    middle = (edges[:-1] + edges[1:]) / 2
    figure = blank(280, "activation", "tokens")
    figure.add_trace(
        bar(
            x=middle,
            y=counts,
            marker_color=[BLUE if x > 0 else faded(GREY, 0.6) for x in middle],
            customdata=np.stack([edges[:-1], edges[1:]], axis=1),
            hovertemplate="%{customdata[0]:.3f} to %{customdata[1]:.3f}: %{y} tokens<extra></extra>",
        )
    )
    return figure.update_layout(bargap=0.05)


def counts_figure(counts: Sequence[int], names: Sequence[str], of: int, t: int) -> Figure:
    """Return how many of a layer's neurons are awake at each token; token t's bar is in full colour."""
    figure = blank(260, y=f"awake of {of}")
    figure.add_trace(
        bar(
            x=list(range(len(counts))),
            y=list(counts),
            marker_color=[BLUE if s == t else faded(BLUE, 0.45) for s in range(len(counts))],
            customdata=[f"{s + 1} {plain(name)}" for s, name in enumerate(names)],
            hovertemplate="token %{customdata}: %{y} awake<extra></extra>",
        )
    )
    places = list(range(0, len(names), max(1, len(names) // 20)))
    return figure.update_xaxes(tickvals=places, ticktext=[plain(names[s]) for s in places], tickangle=-60)


def helpers_figure(gains: np.ndarray, chosen: int, most: int = 8) -> Figure:
    """Return the neurons that help a prediction most and those that hinder it most, `chosen` framed, as bars."""
    order = np.argsort(-gains, kind="stable")
    shown = list(dict.fromkeys([*order[:most], *([chosen] if chosen >= 0 else []), *order[-most:]]))
    shown.sort(key=lambda i: -gains[i])
    figure = blank(280, "neuron", "ln p with it − ln p without it")
    figure.add_trace(
        bar(
            x=[str(i + 1) for i in shown],
            y=gains[shown],
            marker={
                "color": [BLUE if gains[i] >= 0 else VERMILLION for i in shown],
                "pattern": {"shape": ["/" if i == chosen else "" for i in shown]},
            },
            hovertemplate="neuron %{x}: %{y:+.4f}<extra></extra>",
        )
    )
    return figure.update_xaxes(type="category", tickangle=-60)


def waking_table(wakings: Sequence[Waking], runs: Sequence[Sequence[str]]) -> pd.DataFrame:
    """Return the tokens that wake a neuron most, each with what stands around it.

    >>> waking_table([Waking(0, 1, 0.5)], [["a", "b", "c"]]).values.tolist()
    [['b', 0.5, 'a[b]c']]
    """
    rows = []
    for each in wakings:
        names, s = runs[each.run], each.place
        before, after = names[max(0, s - AROUND[0]) : s], names[s + 1 : s + 1 + AROUND[1]]
        rows.append((names[s], each.activation, f"{''.join(before)}[{names[s]}]{''.join(after)}"))
    return pd.DataFrame(rows, columns=["token", "activation", "in its place"])


def said_of_neuron(activations: np.ndarray, names: Sequence[str], layer: int, neuron: int) -> str:
    """Say at how many tokens a neuron is awake, and which wakes it most.

    >>> said_of_neuron(np.array([-0.1, 2.0]), ["a", "b"], 0, 4)
    'Neuron 5 of layer 1 is awake at 1 of 2 tokens, most at “b”, token 2 (2.00).'
    """
    n, s = int((activations > 0).sum()), int(np.argmax(activations))
    of = f"{len(names)} token{'' if len(names) == 1 else 's'}"
    if not n:
        at = "the only token" if len(names) == 1 else f"all of {of}"
        return f"Neuron {neuron + 1} of layer {layer + 1} sleeps at {at}: its activation is nowhere above 0."
    return (
        f"Neuron {neuron + 1} of layer {layer + 1} is awake at {n} of {of}, most at “{names[s]}”, token {s + 1} "
        + (f"({activations[s]:.2f}).")
    )


def said_of_pushes(pushed: np.ndarray, names: Sequence[str], most: int = 3) -> str:
    """Say which tokens a value raises most and lowers most when the neuron is awake."""
    order = np.argsort(-pushed, kind="stable")
    up, down = (", ".join(f"“{names[i]}”" for i in some) for some in (order[:most], order[::-1][:most]))
    return f"Awake, it adds a vector that, read by the unembedding as it is, pushes towards {up} and away from {down}."


def said_of_counts(counts: np.ndarray, of: int) -> str:
    """Say between which numbers the count of awake neurons lies.

    >>> said_of_counts(np.array([10, 30]), 100)
    'Over these 2 tokens between 10 and 30 of 100 neurons are awake, in the mean 20.0%.'
    """
    share = percent(float(np.mean(counts)) / of)
    if len(counts) == 1:
        return f"At this token {counts[0]} of {of} neurons are awake, {share}."
    least, most = int(min(counts)), int(max(counts))
    between = f"between {least} and {most}" if least < most else f"{least}"
    return f"Over these {len(counts)} tokens {between} of {of} neurons are awake, in the mean {share}."


def said_of_helpers(gains: np.ndarray, token: str) -> str:
    """Say which neuron helps a prediction most, which hinders it most, and how many help.

    >>> said_of_helpers(np.array([0.25, -0.5, 0.0]), "a")
    'Neuron 1 helps “a” most: without it ln p falls by 0.250. 1 of 3 helps, 1 hinders; neuron 2 hinders most (−0.500).'
    """
    best, worst = int(np.argmax(gains)), int(np.argmin(gains))
    helping, hindering = int((gains > 0).sum()), int((gains < 0).sum())
    said = f"Neuron {best + 1} helps “{token}” most: without it ln p falls by {gains[best]:.3f}."
    if gains[best] <= 0:
        said = f"No neuron of this layer helps “{token}”."
    said += (
        f" {helping} of {len(gains)} help{'s' * (helping == 1)}, {hindering} hinder{'s' * (hindering == 1)}"
    )
    return said + (f"; neuron {worst + 1} hinders most ({signed(gains[worst], 3)})." if hindering else ".")


def neuron_table(found: Firing, network: GPT, layer: int, neuron: int, names: Sequence[str]) -> tuple:
    """Return one neuron's sum and activation at every token, and the formula of a cell."""
    sums, activations = found.sums[:, neuron].numpy(), found.activations[:, neuron].numpy()
    table = pd.DataFrame(
        {
            "place": range(1, len(names) + 1),
            "token": names,
            "x · k": sums,
            "activation": activations,
            "length added": np.abs(activations) * float(value(network, layer, neuron).norm()),
            "awake in the layer": found.awake,
        }
    )
    k = key(network, layer, neuron).numpy()

    def formula(row: int, column: str) -> str | None:
        s, a = number(float(sums[row])), number(float(activations[row]))
        return {
            "x · k": rf"x \cdot k = {dot_product(found.read[row].numpy(), k)}",
            "activation": rf"\mathrm{{gelu}}({s}) = {a}",
            "length added": rf"|{a}| \cdot \lVert v \rVert = {number(float(table['length added'][row]))}",
        }.get(column)

    return table, formula


def pushed_table(
    pushed: np.ndarray, names: Sequence[str], network: GPT, layer: int, neuron: int
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return what a neuron's value says of every token, the greatest first, and the formula of a cell."""
    order = np.argsort(-pushed, kind="stable")
    E, v = network.token_embedding.weight, value(network, layer, neuron).numpy()
    centred = (E - E.mean(0)).numpy()
    table = pd.DataFrame({"token": [names[i] for i in order], "E · v above the mean": pushed[order]})
    return (
        table,
        lambda row, column: (
            None if column == "token" else rf"(E_w - \bar E) \cdot v = {dot_product(centred[order[row]], v)}"
        ),
    )
